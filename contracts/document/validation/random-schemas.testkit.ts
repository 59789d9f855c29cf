import fc from 'fast-check';
import { isObject } from '../../wire/json.ts';

const DEFS = ['d0', 'd1', 'd2'] as const;
const NAMES = ['a', 'b', 'c', 'x1'] as const;

const scalar = fc.constantFrom<unknown>(0, 1, 2, 3.5, -1, 'a', 'ab', '', true, false, null);

const tied = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** Values of the names and scalars that random schemas speak of. */
export const values: fc.Arbitrary<unknown> = tied.value;

const assertions: fc.Arbitrary<object> = fc.oneof(
  fc
    .constantFrom('integer', 'number', 'string', 'boolean', 'null', 'array', 'object')
    .map((type) => ({ type })),
  fc.record({ const: scalar }),
  fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({ minimum: fc.integer({ min: -1, max: 2 }) }),
  fc.record({ exclusiveMaximum: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ multipleOf: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ minLength: fc.nat(2) }),
  fc.record({ pattern: fc.constantFrom('^a', 'b$', '^$') }),
  fc.record({ minItems: fc.nat(2) }),
  fc.record({ maxItems: fc.nat(3) }),
  fc.record({ uniqueItems: fc.boolean() }),
  fc.record({ maxProperties: fc.nat(3) }),
  fc.record({ required: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 }) }),
  fc.constant({ dependentRequired: { a: ['b'] } }),
);

/**
 * Schemas of some depth. A reference for the same value leads to a later definition only, so that none is
 * made of itself.
 *
 * @param from the first definition that such a reference may lead to
 */
function schemas(depth: number, from: number, extra: readonly Applicator[]): fc.Arbitrary<unknown> {
  const later = DEFS.slice(from).map((name) => ({ $ref: `#/$defs/${name}` }));
  const leaf = fc.oneof(
    { arbitrary: assertions, weight: 4 },
    { arbitrary: fc.boolean(), weight: 1 },
    ...(later.length > 0 ? [{ arbitrary: fc.constantFrom(...later), weight: 3 }] : []),
  );
  if (depth === 0) return leaf;
  const here = fc.oneof(leaf, schemas(depth - 1, from, extra));
  const below = fc.oneof(
    fc.constantFrom(...DEFS).map((name) => ({ $ref: `#/$defs/${name}` })),
    schemas(depth - 1, 0, extra),
  );
  const applicators = [...APPLICATORS, ...extra].map((applicator) => applicator(here, below));
  const parts = fc.array(fc.oneof(...applicators, assertions), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { arbitrary: parts.map((some) => Object.assign({}, ...some) as object), weight: 4 },
    { arbitrary: leaf, weight: 1 },
  );
}

type Applicator = (
  here: fc.Arbitrary<unknown>,
  below: fc.Arbitrary<unknown>,
) => fc.Arbitrary<object>;

const list = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
  fc.array(one, { minLength: 1, maxLength: 3 });

const APPLICATORS: readonly Applicator[] = [
  (here) => list(here).map((allOf) => ({ allOf })),
  (here) => list(here).map((anyOf) => ({ anyOf })),
  (here) => list(here).map((oneOf) => ({ oneOf })),
  (here) => here.map((not) => ({ not })),
  (here) => fc.record({ if: here, then: here }),
  (here) => fc.record({ if: here, then: here, else: here }),
  (here) => here.map((schema) => ({ dependentSchemas: { a: schema } })),
  (here) => fc.record({ $ref: fc.constant('#/$defs/d2'), anyOf: list(here) }),
  (_, below) => fc.record({ a: below, b: below }).map((properties) => ({ properties })),
  (_, below) => below.map((schema) => ({ patternProperties: { '^x': schema } })),
  (_, below) => below.map((additionalProperties) => ({ additionalProperties })),
  () => fc.constant({ propertyNames: { maxLength: 1 } }),
  (_, below) => below.map((items) => ({ items })),
  (_, below) => list(below).map((prefixItems) => ({ prefixItems })),
];

/** Keywords on which ajv itself is wrong, in loops or behind references. */
const BEYOND_AJV: readonly Applicator[] = [
  (_, below) => fc.record({ contains: below, minContains: fc.nat(2) }),
  (_, below) => fc.record({ contains: below, maxContains: fc.nat(2) }),
  (_, below) =>
    fc.oneof(fc.constant(false), below).map((schema) => ({ unevaluatedProperties: schema })),
  (_, below) => fc.oneof(fc.constant(false), below).map((schema) => ({ unevaluatedItems: schema })),
  (here) => here.map((condition) => ({ if: condition })),
];

/** Random schemas of JSON Schema 2020-12 with references, as a file has them. */
export function schemaFiles(keywords: 'plain' | 'all'): fc.Arbitrary<object> {
  const extra = keywords === 'all' ? [...BEYOND_AJV, ...BEYOND_AJV, ...BEYOND_AJV] : [];
  const plain = (from: number): fc.Arbitrary<unknown> =>
    // `d2` is referred to beside other keywords, whatever refers to it.
    schemas(1, from, extra);
  return fc
    .record({
      root: schemas(2, 0, extra).map((schema) => (isObject(schema) ? schema : {})),
      $defs: fc.record({ d0: plain(1), d1: plain(2), d2: assertionsOnly(extra) }),
    })
    .map(({ root, $defs }) => ({ ...root, $defs }));
}

/** A definition without references for the same value. */
function assertionsOnly(extra: readonly Applicator[]): fc.Arbitrary<unknown> {
  const below = fc.constantFrom(...DEFS.map((name) => ({ $ref: `#/$defs/${name}` })), false, true);
  const some = [...APPLICATORS.slice(8), ...extra.slice(0, 3)].map((applicator) =>
    applicator(assertions, below),
  );
  return fc
    .array(fc.oneof(...some, assertions), { minLength: 1, maxLength: 2 })
    .map((parts) => Object.assign({}, ...parts) as object);
}
