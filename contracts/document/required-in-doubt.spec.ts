import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, listOf } from '../wire/json.ts';
import { documentLimits } from './contract-limits.ts';
import { APPLICATORS } from './openapi/schema-keywords.ts';
import { inDoubt } from './required-in-doubt.ts';
import { loadedSchema } from './validation/loaded-schema.testkit.ts';
import { schemaFiles, values } from './validation/random-schemas.testkit.ts';
import { settledFiles } from './openapi/settled-files.ts';
import { SchemaCompiler } from './validation/schema-compiler.ts';

const FILE = 'file:///schema.json';
/** It is in doubt whether members of this name are required. */
const NAME = 'a';

/** Random schemas, many of which require the name. */
const demanding = (keywords: 'plain' | 'all'): fc.Arbitrary<object> =>
  schemaFiles(keywords).map(
    (file) =>
      JSON.parse(JSON.stringify(file), (_, value: unknown) => {
        if (!isObject(value)) return value;
        const demands = ['minLength', 'pattern', 'multipleOf'].some((word) => word in value);
        return demands ? { ...value, required: [NAME] } : value;
      }) as object,
  );

/** Without the name at those places of all that require it that are chosen. */
function without(file: object, isChosen: (at: number) => boolean): object {
  let places = 0;
  return JSON.parse(JSON.stringify(file), (key, value: unknown) => {
    if (key !== 'required' || !listOf(value).includes(NAME)) return value;
    places += 1;
    return isChosen(places - 1) ? listOf(value).filter((name) => name !== NAME) : value;
  }) as object;
}

/** The verdicts of both files where they differ in doubt. */
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
function slowReading(file: JsonObject): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  const holds = (schema: unknown, value: unknown, isCertain: boolean): boolean => {
    if (!isObject(schema)) return schema !== false;
    const own = (inner: unknown, part = value): boolean => holds(inner, part, isCertain);
    const other = (inner: unknown, part = value): boolean => holds(inner, part, !isCertain);
    const assertions = Object.entries(schema).filter(
      ([keyword]) => !(keyword in APPLICATORS) && !IN_OTHER_WORDS.has(keyword),
    );
    if (!ajv.validate(Object.fromEntries(assertions), value)) return false;
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.replace('#/$defs/', '');
      if (!own((file.$defs as JsonObject)[name])) return false;
    }
    if (!listOf(schema.allOf).every((one) => own(one))) return false;
    if ('anyOf' in schema && !listOf(schema.anyOf).some((one) => own(one))) return false;
    if ('oneOf' in schema) {
      const branches = listOf(schema.oneOf);
      if (!branches.some((one) => own(one))) return false;
      if (branches.filter((one) => other(one)).length > 1) return false;
    }
    if ('not' in schema && other(schema.not)) return false;
    if ('if' in schema) {
      const isThen = own(schema.if) && own(schema.then ?? true);
      if (!isThen && (other(schema.if) || !own(schema.else ?? true))) return false;
    }
    if (Array.isArray(value)) {
      const items = value as readonly unknown[];
      const first = listOf(schema.prefixItems);
      if ('contains' in schema) {
        const { contains, minContains = 1, maxContains = Infinity } = schema;
        if (items.filter((item) => own(contains, item)).length < Number(minContains)) return false;
        if (items.filter((item) => other(contains, item)).length > Number(maxContains)) {
          return false;
        }
      }
      return items.every((item, at) => own(at < first.length ? first[at] : schema.items, item));
    }
    if (!isObject(value)) return true;
    const needed = listOf(schema.required).filter((name) => isCertain || name !== NAME);
    if (!needed.every((name) => Object.hasOwn(value, String(name)))) return false;
    for (const [name, inner] of Object.entries(schema.dependentSchemas ?? {})) {
      if (Object.hasOwn(value, name) && !own(inner)) return false;
    }
    return Object.entries(value).every(([name, member]) => {
      const properties = (schema.properties ?? {}) as JsonObject;
      const patterns = Object.entries((schema.patternProperties ?? {}) as JsonObject);
      const stated = [
        ...(Object.hasOwn(properties, name) ? [properties[name]] : []),
        ...patterns.filter(([pattern]) => new RegExp(pattern).test(name)).map(([, one]) => one),
      ];
      if (!own(schema.propertyNames, name)) return false;
      return (stated.length === 0 ? [schema.additionalProperties] : stated).every((one) =>
        own(one, member),
      );
    });
  };
  return (value) => holds(file, value, false);
}

const IN_OTHER_WORDS = new Set(['$ref', '$defs', 'required', 'minContains', 'maxContains']);

const some = fc.array(values, { minLength: 10, maxLength: 20 });

/** No unevaluated ones, which the slow reading does not know. */
const plain = demanding('all').filter((file) => !JSON.stringify(file).includes('unevaluated'));

test('verdicts in doubt are those of a slow reading, word by word', () => {
  fc.assert(
    fc.property(fc.oneof(plain, demanding('plain')), some, (file, given) => {
      const expected = given.map(slowReading(file as JsonObject));
      for (const origin of ['own', 'foreign'] as const) {
        expect([origin, ...given.map(verdictsInDoubt(file, origin))]).toEqual([
          origin,
          ...expected,
        ]);
      }
    }),
    { numRuns: 120 },
  );
});

test('what some reading accepts is accepted in doubt, also for what is unevaluated', () => {
  const readings = fc.array(fc.array(fc.boolean(), { minLength: 1 }), { maxLength: 4 });
  fc.assert(
    fc.property(demanding('all'), readings, some, (file, choices, given) => {
      const accepts = verdictsInDoubt(file, 'foreign');
      for (const choice of [[true], [false], ...choices]) {
        const reading = loadedSchema(
          without(file, (at) => choice[at % choice.length] === true),
          'foreign',
        );
        for (const value of given.filter((one) => reading(one) === true)) {
          expect([value, accepts(value)]).toEqual([value, true]);
        }
      }
    }),
    { numRuns: 60 },
  );
});
