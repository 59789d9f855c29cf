import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundErrors, errorsOf, MAX_ERRORS } from './bounded-errors.ts';
import { loadContract } from '../service/load-contract.ts';

const OPTIONS = { allErrors: true, verbose: true, strict: false } as const;

/** Every keyword that generates code of its own, alone and called by reference. */
const SCHEMA = {
  $id: 'all',
  $ref: '#/$defs/node',
  $defs: {
    leaf: { type: ['integer', 'null'], minimum: 2, multipleOf: 2 },
    text: { type: 'string', minLength: 2, pattern: '^a', maxLength: 3 },
    pair: { required: ['a', 'b'], properties: { a: { $ref: '#/$defs/leaf' } } },
    node: {
      properties: {
        list: {
          type: 'array',
          items: { $ref: '#/$defs/node' },
          contains: { $ref: '#/$defs/pair' },
          minContains: 1,
          maxContains: 3,
          uniqueItems: true,
        },
        tuple: {
          prefixItems: [{ $ref: '#/$defs/leaf' }, true],
          items: { $ref: '#/$defs/text' },
          maxItems: 3,
        },
        any: {
          anyOf: [{ $ref: '#/$defs/leaf' }, { $ref: '#/$defs/text' }, { $ref: '#/$defs/pair' }],
        },
        one: { oneOf: [{ $ref: '#/$defs/leaf' }, { const: 4 }, { enum: [5, 6] }] },
        not: { not: { $ref: '#/$defs/text' } },
        when: {
          if: { $ref: '#/$defs/pair' },
          then: { $ref: '#/$defs/node' },
          else: { $ref: '#/$defs/leaf' },
        },
        all: { allOf: [{ $ref: '#/$defs/leaf' }, { type: 'integer', exclusiveMaximum: 9 }] },
        never: false,
      },
      patternProperties: { '^x': { $ref: '#/$defs/leaf' } },
      propertyNames: { maxLength: 5 },
      additionalProperties: { $ref: '#/$defs/text' },
      dependentRequired: { any: ['one'] },
      dependentSchemas: { one: { $ref: '#/$defs/pair' } },
      minProperties: 1,
      maxProperties: 6,
    },
    open: {
      properties: { a: true },
      $ref: '#/$defs/pair',
      unevaluatedProperties: { $ref: '#/$defs/text' },
    },
    items: { prefixItems: [true], unevaluatedItems: { $ref: '#/$defs/leaf' } },
    dynamic: {
      $dynamicAnchor: 'it',
      properties: { next: { $dynamicRef: '#it' }, a: { $ref: '#/$defs/leaf' } },
    },
    format: { format: 'even' },
  },
};

function compiled(ref: string, most?: number, seen?: (code: string) => void): ValidateFunction {
  const ajv = new Ajv2020({
    ...OPTIONS,
    ...(most === undefined
      ? {}
      : {
          code: {
            process: (code: string) => {
              const bounded = boundErrors(code, most);
              seen?.(bounded);
              return bounded;
            },
          },
        }),
    formats: { even: (text: string) => text.length % 2 === 0 },
  });
  ajv.addSchema(SCHEMA);
  const validate = ajv.getSchema(ref);
  if (validate === undefined) throw new Error(`${ref} is not there`);
  return validate;
}

const REFS = ['all', ...Object.keys(SCHEMA.$defs).map((name) => `all#/$defs/${name}`)];

const keys = fc.constantFrom(
  'list',
  'tuple',
  'any',
  'one',
  'not',
  'when',
  'all',
  'never',
  'x',
  'xa',
  'a',
  'b',
  'next',
  'longer',
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(1, 2, 4, 5, 11, null, 'a', 'ab', 'abcd', 'b', true, 1.5),
    fc.array(tie('value'), { maxLength: 5 }),
    // As JSON.parse makes objects.
    fc.dictionary(keys, tie('value'), { maxKeys: 7, noNullPrototype: true }),
  ),
}));

test.each(REFS)('of %s verdicts stay, and the first errors with the number of all', (ref) => {
  const plain = compiled(ref);
  const bounded = [1, 2, 3, 7, 1000].map((most) => [most, compiled(ref, most)] as const);
  fc.assert(
    fc.property(value, (json) => {
      const isValid = plain(json);
      const all = plain.errors ?? [];
      for (const [most, validate] of bounded) {
        expect(validate(json)).toBe(isValid);
        const { errors, total } = errorsOf(validate);
        expect(errors).toEqual(all.slice(0, most));
        if (!isValid) expect(total).toBe(all.length);
      }
    }),
    { numRuns: 300 },
  );
});

/** What generated code does with the list of errors besides what is rewritten, and is harmless. */
const HARMLESS =
  /let vErrors = null;|if\(vErrors !== null\)\{if\(_errs\d+\)\{|else \{vErrors = null;\}/g;

test('whatever collects errors in generated code is rewritten', () => {
  const codes: string[] = [];
  for (const ref of REFS) compiled(ref, 3, (code) => codes.push(code));
  expect(codes.length).toBeGreaterThan(5);
  for (const code of codes) {
    // Each rewritten form is bounded by a look at the length, or only shrinks, or ends the function.
    const rest = code
      .replace(
        /if\(vErrors === null \|\| vErrors\.length < 3\)\{const (err\d+) = \{[^]*?\};if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}\}/g,
        '',
      )
      .replace(/if\(vErrors === null\)\{vErrors = [\w.]+\.errors;\}/g, '')
      .replace(
        /else \{for\(let at = 0; at < [\w.]+\.errors\.length && vErrors\.length < 3; at\+\+\)/g,
        '',
      )
      .replace(/vErrors\.push\([\w.]+\.errors\[at\]\);/g, '')
      .replace(/if\(vErrors\.length > (_errs\d+)\)\{vErrors\.length = \1;\}/g, '')
      .replace(/[\w.]+\.errors = vErrors;[\w.]+\.total = errors;/g, '')
      .replace(HARMLESS, '');
    expect(rest).not.toContain('vErrors');
  }
});

test('a body that breaks its schema everywhere is listed in part and counted in full', async () => {
  const contract = await loadContract();
  const pools = contract.operation('zap.pools');
  const json = { status: 'success', data: { pools: Array.from({ length: 40_000 }, () => ({})) } };
  const { listed, unlisted } = pools?.faultsOf(200, json) ?? { listed: [], unlisted: 0 };
  expect(listed.length).toBeLessThan(20);
  const looked = listed.reduce((sum, { times }) => sum + times, 0);
  expect(looked).toBe(MAX_ERRORS);
  expect(unlisted).toBe(40_000 * listed.length - MAX_ERRORS);
});
