import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, listOf } from '../../wire/json.ts';
import { documentLimits } from '../contract-limits.ts';
import { inDoubt } from './required-in-doubt.ts';
import { loadedSchema } from '../validation/loaded-schema.testkit.ts';
import { settledFiles } from '../openapi/settled-files.ts';
import { SchemaCompiler } from '../validation/schema-compiler.ts';

const FILE = 'file:///schema.json';
/** It is in doubt whether members of this name are required. */
const NAME = 'a';

const demand = (...required: string[]): object => ({ required });
const members = (...names: string[]): object => ({
  properties: Object.fromEntries(names.map((name) => [name, { type: 'object' }])),
});
const SMALL: readonly unknown[] = [
  demand(NAME),
  demand(NAME, 'b'),
  demand('b'),
  { ...demand(NAME), ...members(NAME, 'c') },
  members('b', 'c'),
  { $ref: '#/$defs/demanding' },
  { type: 'object' },
  false,
];

/** Random schemas of few words, most of which turn on whether the name is required. */
const schemas = (words: readonly ('plain' | 'unevaluated')[]): fc.Arbitrary<JsonObject> =>
  fc
    .letrec<{ schema: unknown; made: JsonObject }>((tie) => {
      const one = tie('schema');
      const list = fc.array(one, { minLength: 1, maxLength: 3 });
      const bounds = { minContains: fc.nat(2), maxContains: fc.nat(2) };
      const plain = [
        fc.record({ oneOf: list }),
        fc.record({ not: one }),
        fc.record({ if: one, then: one, else: one }, { requiredKeys: ['if'] }),
        fc.record({ contains: one, ...bounds }, { requiredKeys: ['contains'] }),
        fc.record({ anyOf: list }),
        fc.record({ allOf: list }),
        fc.record({ items: one }),
        fc.record({ properties: fc.record({ b: one }) }),
      ];
      const unevaluated = [
        fc.record({ unevaluatedProperties: fc.constant(false), anyOf: list }),
        fc.record({ unevaluatedProperties: one, oneOf: list, not: one }),
        fc.record({ unevaluatedProperties: fc.constant(false), if: one, then: one }),
        fc.record({ unevaluatedItems: fc.constant(false), contains: one, maxContains: fc.nat(2) }),
      ];
      return {
        schema: fc.oneof(
          { maxDepth: 3, depthSize: 'medium' },
          fc.constantFrom(...SMALL),
          tie('made'),
        ),
        made: fc.oneof(...plain, ...(words.includes('unevaluated') ? unevaluated : [])),
      };
    })
    .made.map((made) => ({ ...made, $defs: { demanding: demand('c', NAME) } }));

const leaf = fc.constantFrom<unknown>(1, {}, { a: {} });
const object = fc.dictionary(fc.constantFrom(NAME, 'b', 'c'), leaf, {
  maxKeys: 3,
  noNullPrototype: true,
});
const value = fc.oneof(
  { weight: 2, arbitrary: object },
  fc.array(fc.oneof(object, leaf), { maxLength: 3 }),
  fc.record({ b: fc.oneof(object, fc.array(object, { maxLength: 3 })) }),
);
const some = fc.array(value, { minLength: 15, maxLength: 30 });

/** Without the name at those places of all that require it that are chosen. */
function without(file: object, isChosen: (at: number) => boolean): object {
  let places = 0;
  return JSON.parse(JSON.stringify(file), (key, value: unknown) => {
    if (key !== 'required' || !listOf(value).includes(NAME)) return value;
    places += 1;
    return isChosen(places - 1) ? listOf(value).filter((name) => name !== NAME) : value;
  }) as object;
}

/** The verdicts of both files if they differ in doubt. */
function verdictsInDoubt(file: object, origin: 'own' | 'foreign'): (value: unknown) => boolean {
  const [loose, strict] = [without(file, () => true), file].map((top) => ({
    ...settledFiles(FILE, FILE, new Map([[FILE, top]])),
    ...{ source: FILE, url: FILE, sha256s: [], longNumbers: [], limits: documentLimits([]) },
  }));
  if (loose === undefined || strict === undefined) throw new Error('there are two');
  const compiler = new SchemaCompiler(origin);
  compiler.add(inDoubt(loose, strict, [`${FILE}#`]));
  const check = compiler.compile(`${FILE}#`);
  return (value) => check(value).listed.length === 0;
}

/** Whether a value is valid possibly, or certainly: read word by word, without any compiler. */
function slowReading({ $defs, ...file }: JsonObject): (value: unknown) => boolean {
  const holds = (schema: unknown, value: unknown, isCertain: boolean): boolean => {
    if (!isObject(schema)) return schema !== false;
    const own = (inner: unknown, part = value): boolean => holds(inner, part, isCertain);
    const other = (inner: unknown, part = value): boolean => holds(inner, part, !isCertain);
    if (schema.type === 'object' && !isObject(value)) return false;
    if ('$ref' in schema && !own((($defs ?? {}) as JsonObject).demanding)) return false;
    if (!listOf(schema.allOf).every((one) => own(one))) return false;
    if ('anyOf' in schema && !listOf(schema.anyOf).some((one) => own(one))) return false;
    if ('oneOf' in schema) {
      const branches = listOf(schema.oneOf);
      if (!branches.some((one) => own(one))) return false;
      if (branches.filter((one) => other(one)).length > 1) return false;
    }
    if ('not' in schema && other(schema.not)) return false;
    if ('if' in schema) {
      const [then, otherwise] = [own(schema.then ?? true), own(schema.else ?? true)];
      const [maybe, surely] = [holds(schema.if, value, false), holds(schema.if, value, true)];
      const inDoubt = isCertain ? then && otherwise : then || otherwise;
      if (!(surely ? then : maybe ? inDoubt : otherwise)) return false;
    }
    if (Array.isArray(value)) {
      const items = value as readonly unknown[];
      const { contains, minContains = 1, maxContains = Infinity } = schema;
      if (contains !== undefined) {
        if (items.filter((item) => own(contains, item)).length < Number(minContains)) return false;
        if (items.filter((item) => other(contains, item)).length > Number(maxContains))
          return false;
      }
      return items.every((item) => own(schema.items, item));
    }
    if (!isObject(value)) return true;
    const needed = listOf(schema.required).filter((name) => isCertain || name !== NAME);
    if (!needed.every((name) => Object.hasOwn(value, String(name)))) return false;
    const properties = (schema.properties ?? {}) as JsonObject;
    return Object.entries(value).every(([name, member]) => own(properties[name], member));
  };
  return (value) => holds(file, value, false);
}

test('verdicts in doubt are those of a slow reading, word by word', () => {
  fc.assert(
    fc.property(schemas(['plain']), some, (file, given) => {
      const expected = given.map(slowReading(file));
      for (const origin of ['own', 'foreign'] as const) {
        expect([origin, ...given.map(verdictsInDoubt(file, origin))]).toEqual([
          origin,
          ...expected,
        ]);
      }
    }),
    { numRuns: 100 },
  );
});

test('what some reading accepts is accepted in doubt, also for what is unevaluated', () => {
  const readings = fc.array(fc.array(fc.boolean(), { minLength: 1 }), { maxLength: 3 });
  fc.assert(
    fc.property(schemas(['plain', 'unevaluated']), readings, some, (file, choices, given) => {
      const accepts = verdictsInDoubt(file, 'foreign');
      for (const choice of [[true], [false], ...choices]) {
        const isChosen = (at: number): boolean => choice[at % choice.length] === true;
        const reading = loadedSchema(without(file, isChosen), 'foreign');
        for (const one of given.filter((each) => reading(each) === true)) {
          expect([one, accepts(one)]).toEqual([one, true]);
        }
      }
    }),
    { numRuns: 60 },
  );
});
