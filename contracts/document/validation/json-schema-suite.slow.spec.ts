import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadedSchema } from './loaded-schema.testkit.ts';
import { sharedData } from '../shared-data.testkit.ts';

interface Group {
  readonly description: string;
  readonly schema: object | boolean;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

/** One schema in another, such that the whole is valid exactly if the one is. */
interface Carrier {
  readonly schema: (inner: object | boolean) => object | boolean;
  readonly value: (inner: unknown) => unknown;
}

const same = (value: unknown): unknown => value;
const REF = { $ref: '#/$defs/carried' };
/** References within the carried schema lead into it, as its tests mean them. */
const behind =
  (schema: object): Carrier['schema'] =>
  (inner) => ({
    ...schema,
    $defs: {
      carried:
        typeof inner === 'object' ? { $id: 'http://carried.test/schema.json', ...inner } : inner,
    },
  });

const CARRIERS: Readonly<Record<string, Carrier>> = {
  alone: { schema: (inner) => inner, value: same },
  'behind a property and a reference': {
    schema: behind({ properties: { a: REF } }),
    value: (inner) => ({ a: inner }),
  },
  'in allOf': { schema: behind({ allOf: [{}, REF] }), value: same },
  'in items': { schema: behind({ items: REF }), value: (inner) => [inner] },
  'before an if': {
    schema: behind({ allOf: [REF], if: { type: 'object' }, then: {} }),
    value: same,
  },
  'before a not': { schema: behind({ allOf: [REF], not: false }), value: same },
  'as the second branch of anyOf': { schema: behind({ anyOf: [false, REF] }), value: same },
};

/** What differs from the suite, with the reason, by a file or by a file and the beginning of a group. */
interface Exceptions {
  /** What the suite refuses is taken, or nothing is known of it. */
  readonly wider: Readonly<Record<string, string>>;
  /** What the suite takes is refused, or the schema is. */
  readonly narrower: Readonly<Record<string, string>>;
}

const FORMAT = 'formats are judged, since an interface document means them';
const DYNAMIC = 'documents of Assay have no dynamic reference';
const META = 'a contract brings along what it refers to, the meta-schema as well';

const EXCEPTIONS: Readonly<Record<'both' | 'own' | 'foreign', Exceptions>> = {
  both: {
    wider: {
      'dynamicRef.json': 'a reference that depends on the way to it is left out, with a notice',
      'date-time.json': 'ajv-formats takes an offset without minutes',
      'duration.json': 'ajv-formats takes any units in their order',
      'ecmascript-regex.json': 'patterns are read as JavaScript does without the flag u',
      'email.json': 'mail addresses are only sketched',
      'hostname.json': 'ajv-formats does not look into labels',
      'idn-email.json': 'this format is not judged',
      'idn-hostname.json': 'this format is not judged',
      'iri-reference.json': 'this format is not judged',
      'iri.json': 'this format is not judged',
      'uri-reference.json': 'ajv-formats goes by an expression',
      'uri-template.json': 'templates are only sketched',
      'uri.json': 'ajv-formats goes by an expression',
      'uuid.json': 'ajv-formats takes urn:uuid as well',
    },
    narrower: {
      'format.json': FORMAT,
      'vocabulary.json | schema that uses custom metaschema':
        'vocabularies of a dialect are not read',
      'defs.json | validate definition against metaschema': META,
      'ref.json | remote ref, containing refs itself': META,
      'cross-draft.json | refs to historic drafts': 'only 2020-12 is read, as OpenAPI 3.1 has it',
    },
  },
  own: {
    wider: {
      'required.json | required properties whose names are Javascript':
        'documents of Assay name no member of every object',
    },
    narrower: {
      'properties.json | properties whose names are Javascript': 'as above',
      'enum.json | empty enum': 'documents of Assay have no empty list of values',
      'unevaluatedItems.json | unevaluatedItems with $dynamicRef': DYNAMIC,
      'unevaluatedProperties.json | unevaluatedProperties with $dynamicRef': DYNAMIC,
    },
  },
  foreign: {
    wider: {
      'unevaluatedItems.json | unevaluatedItems with $dynamicRef': 'as for dynamicRef.json',
      'unevaluatedProperties.json | unevaluatedProperties with $dynamicRef':
        'as for dynamicRef.json',
    },
    narrower: {},
  },
};

const root = sharedData('json-schema-test-suite');
/** Where the suite means its other schemas to be. */
const REMOTES = 'http://localhost:1234';
const DIALECT = 'draft2020-12';

function* groups(folder: string): Generator<readonly [file: string, group: Group]> {
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.json')) continue;
    const found = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Group[];
    for (const group of found) yield [file, group];
  }
}

function remotes(folder: string, url: string): (readonly [string, object])[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) return remotes(at, `${url}/${entry.name}`);
    return [[`${url}/${entry.name}`, JSON.parse(readFileSync(at, 'utf8')) as object] as const];
  });
}

/** What a validator may leave out: formats, mostly. */
const OPTIONAL = ['optional', 'optional/format'];

/** The exceptions that are needed, as they are met. */
const needed = new Set<string>();

function isExcepted(
  origin: 'own' | 'foreign',
  by: keyof Exceptions,
  file: string,
  group: string,
): boolean {
  for (const of of ['both', origin] as const) {
    const key = Object.keys(EXCEPTIONS[of][by]).find((one) => `${file} | ${group}`.startsWith(one));
    if (key === undefined) continue;
    needed.add(`${of} ${by} ${key}`);
    return true;
  }
  return false;
}

describe.skipIf(root === undefined)('verdicts are those of the public suite', () => {
  // Skipped or not, this is looked at.
  const folders = root === undefined ? [] : [root];
  const known = new Map(folders.flatMap((at) => remotes(path.join(at, 'remotes'), REMOTES)));
  const groupsIn = (name: string): (readonly [string, Group])[] =>
    folders.flatMap((at) => [...groups(path.join(at, 'tests', DIALECT, name))]);
  const required = groupsIn('');
  const all = [...required, ...OPTIONAL.flatMap(groupsIn)];

  function differences(origin: 'own' | 'foreign', carrier: Carrier): string[] {
    return (carrier === CARRIERS.alone ? all : required).flatMap(
      ([file, { description, schema, tests }]) => {
        let accepts: (value: unknown) => boolean | undefined;
        try {
          const isAlone = !JSON.stringify(schema).includes(REMOTES);
          accepts = loadedSchema(carrier.schema(schema), origin, isAlone ? undefined : known);
        } catch (error) {
          if (isExcepted(origin, 'narrower', file, description)) return [];
          return [`${file} | ${description} | ${String(error)}`];
        }
        return tests.flatMap(({ description: what, data, valid }) => {
          const verdict = accepts(carrier.value(data));
          if (verdict === valid) return [];
          const by = valid || verdict === false ? 'narrower' : 'wider';
          if (isExcepted(origin, by, file, description)) return [];
          return [`${file} | ${description} | ${what} | ${String(verdict)}`];
        });
      },
    );
  }

  for (const origin of ['own', 'foreign'] as const) {
    test.each(Object.entries(CARRIERS))(`${origin} schemas %s`, (_, carrier) => {
      expect(differences(origin, carrier)).toEqual([]);
    });
  }

  test('each exception is needed', () => {
    const listed = Object.entries(EXCEPTIONS).flatMap(([of, exceptions]) =>
      Object.entries(exceptions).flatMap(([by, keys]) =>
        Object.keys(keys as object).map((key) => `${of} ${by} ${key}`),
      ),
    );
    expect(listed.filter((one) => !needed.has(one))).toEqual([]);
  });
});
