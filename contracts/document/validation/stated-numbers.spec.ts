import { describe, expect, test } from 'vitest';
import { documentLimits } from '../contract-limits.ts';
import type { SchemaFaults } from '../schema.ts';
import { settledFiles } from '../openapi/settled-files.ts';
import { CONTRACT_YAML, parseYaml } from '../yaml/yaml.ts';
import { SchemaCompiler } from './schema-compiler.ts';

const URL_OF_FILE = 'file:///schemas.json';

/** What a compiler of schemas of others says of a value. */
function faultsOf(schema: object, value: unknown, text?: string): SchemaFaults {
  return faultsOfStated(JSON.stringify(schema), value, text);
}

/** The same of a schema as a document states it. */
function faultsOfStated(schema: string, value: unknown, text?: string): SchemaFaults {
  const compiler = new SchemaCompiler('foreign');
  const longNumbers = new Map<object, Map<string, string>>();
  const parsed = parseYaml(schema, { limits: CONTRACT_YAML, longNumbers });
  const originals = new Map([[URL_OF_FILE, parsed]]);
  compiler.add({
    source: URL_OF_FILE,
    url: URL_OF_FILE,
    ...settledFiles(URL_OF_FILE, URL_OF_FILE, originals, longNumbers),
    ...{ sha256s: [], limits: documentLimits([]) },
  });
  return compiler.compile(`${URL_OF_FILE}#`)(value, text);
}

test.each([
  [{ else: { properties: { a: true } } }, false],
  [{ then: { properties: { a: true } } }, false],
  [{ if: false, else: { properties: { a: true } } }, true],
])('of %j what stands in `then` or `else` counts only beside an `if`', (schema, isValid) => {
  const { listed } = faultsOf({ ...schema, unevaluatedProperties: false }, { a: 1 });
  expect(listed.length === 0).toBe(isValid);
});

test('a schema that refers to itself below a choice takes time linear in the depth of a value', () => {
  const operand = { $ref: '#/$defs/Expr' };
  const schema = {
    $ref: '#/$defs/Expr',
    $defs: {
      Expr: {
        oneOf: [
          { properties: { num: { type: 'number' } }, required: ['num'] },
          { properties: { neg: operand }, required: ['neg'] },
        ],
        unevaluatedProperties: false,
      },
    },
  };
  const nested = (innermost: object, levels: number): object => {
    let value = innermost;
    for (let depth = 0; depth < levels; depth += 1) value = { neg: value };
    return value;
  };
  expect(faultsOf(schema, nested({ num: 1 }, 200)).listed).toEqual([]);
  expect(faultsOf(schema, nested({ num: 1, dust: 1 }, 10)).listed.length).toBeGreaterThan(0);
});

test("a format that only Assay's own contract knows says nothing in those of others", () => {
  expect(faultsOf({ format: 'hex-string' }, 'zz-top').listed).toEqual([]);
});

describe('numbers that a double does not hold are compared as a document states them', () => {
  const accepts = (schema: string, text: string): boolean =>
    faultsOfStated(schema, JSON.parse(text), text).listed.length === 0;
  const exact = (schema: object, text: string): boolean => accepts(JSON.stringify(schema), text);
  test.each<[string, string, string]>([
    ['const: 9223372036854775807', '9223372036854775807', '9223372036854775806'],
    [
      'const: { a: [9223372036854775807] }',
      '{"a":[9223372036854775807]}',
      '{"a":[9223372036854775806]}',
    ],
    ['enum: [9223372036854775807]', '9223372036854775807', '9223372036854775808'],
    [
      'enum: [9223372036854775806, 9223372036854775807]',
      '9223372036854775807',
      '9223372036854775805',
    ],
    ['enum: [9007199254740993, 9007199254740992]', '9007199254740992', '9007199254740994'],
    ['maximum: 9223372036854775807', '9223372036854775807', '9223372036854775808'],
    ['{"maximum": 9223372036854775807}', '9223372036854775807', '9223372036854775808'],
    ['minimum: -9223372036854775808', '-9223372036854775808', '-9223372036854775809'],
    ['exclusiveMaximum: 9007199254740993', '9007199254740992', '9007199254740993'],
    ['multipleOf: 9007199254740993', '18014398509481986', '18014398509481984'],
    ['maximum: 0x7FFFFFFFFFFFFFFF', '9223372036854775807', '9223372036854775808'],
    ['maximum: 0o777777777777777777777', '9223372036854775807', '9223372036854775808'],
    ['maximum: +9223372036854775807', '9223372036854775807', '9223372036854775808'],
    ['maximum: 9223372036854775807.', '9223372036854775807', '9223372036854775808'],
    ['maximum: 9223372036854775807.e+0', '9223372036854775807', '9223372036854775808'],
    ['minimum: .30000000000000000001', '0.4', '0.3'],
    ['minimum: -.29999999999999999999', '0', '-0.3'],
    ['exclusiveMaximum: 0.30000000000000000001', '0.3', '0.31'],
    ['const: 0x10', '16', '10'],
    ['format: int32', '2147483647', '99999999999999999999'],
    ['format: int64', '9223372036854775807', '9223372036854775808'],
    ['format: int64', '-9223372036854775808', '1e30'],
    ['format: uuid', '9007199254740993', '"9007199254740993"'],
    [
      'allOf: [{ minimum: &most 9223372036854775807 }, { maximum: *most }]',
      '9223372036854775807',
      '9223372036854775806',
    ],
    [
      '{ x: &b { minimum: 9223372036854775807 }, allOf: [*b, { $ref: "#/allOf/0" }] }',
      '9223372036854775807',
      '9223372036854775806',
    ],
  ])('%s accepts %s and not %s', (schema, right, wrong) => {
    expect([accepts(schema, right), accepts(schema, wrong)]).toEqual([true, false]);
  });

  test.each<[string, string, string]>([
    [
      '{ properties: { a: { minimum: 1 }, b: { example: 1.000000000000000001 } } }',
      '{"a":1,"b":1e5}',
      '{"a":0,"b":1e5}',
    ],
    [
      '{ properties: { a: { exclusiveMinimum: 1 }, b: { example: 0.99999999999999999999 } } }',
      '{"a":2,"b":1e5}',
      '{"a":1,"b":1e5}',
    ],
    [
      '{ description: "not 9007199254740993", maximum: 9007199254740992 }',
      '9007199254740992',
      '9007199254740993',
    ],
    [
      '{ properties: { a: { minimum: 9223372036854775806 }, b: { minimum: 9223372036854775807 } } }',
      '{"a":9223372036854775806}',
      '{"b":9223372036854775806}',
    ],
    ['{ maximum: 5, x-stated-digits: { /maximum: "900000000000000000000" } }', '1e0', '6e0'],
  ])(
    '%s, whatever number is close to one of its limits, accepts %s and not %s',
    (schema, right, wrong) => {
      expect([accepts(schema, right), accepts(schema, wrong)]).toEqual([true, false]);
    },
  );

  test('a description of millions of digits is no number', () => {
    const schema = `{"maximum": 5, "description": "${'1'.repeat(7_000_000)}"}`;
    expect([accepts(schema, '5e0'), accepts(schema, '6e0')]).toEqual([true, false]);
  });

  test('also if they stand below what a schema does not evaluate', () => {
    const schema = {
      items: {
        anyOf: [{ properties: { price: { minimum: 1 } } }],
        unevaluatedProperties: false,
      },
    };
    expect(exact(schema, '[{"price":12345678901.1234567}]')).toBe(true);
    const conditional = {
      properties: {
        w: {
          if: { properties: { n: { exclusiveMinimum: 5 } } },
          then: { properties: { n: true, x: true } },
          else: { properties: { n: true, y: true } },
          unevaluatedProperties: false,
        },
      },
    };
    expect(exact(conditional, '{"w":{"n":9007199254740993,"x":1}}')).toBe(true);
    expect(exact(conditional, '{"w":{"n":9007199254740993,"y":1}}')).toBe(false);
  });

  test('and a limit is reported as it is stated', () => {
    const text = '9223372036854775808';
    const expected = (schema: string): string | undefined =>
      faultsOfStated(schema, Number(text), text).listed[0]?.expected;
    expect(expected('maximum: 9223372036854775807')).toBe('a number <= 9223372036854775807');
    expect(expected('enum: [1, 9223372036854775807]')).toBe('one of 1, 9223372036854775807');
    expect(expected('const: 9223372036854775807')).toBe('9223372036854775807');
    expect(expected('multipleOf: 9007199254740993')).toBe('a multiple of 9007199254740993');
  });

  test('a body whose pointers would take too much is decided by doubles, or not at all', () => {
    const text = `{"${'k'.repeat(1_000_000)}":[${'0,'.repeat(100_000)}9007199254740993]}`;
    const items = (type: string): object => ({ additionalProperties: { items: { type } } });
    const said = (schema: object): SchemaFaults => faultsOf(schema, JSON.parse(text), text);
    expect(said(items('integer'))).toEqual({ listed: [], isComplete: true });
    expect(said(items('string'))).toEqual({ listed: [], isComplete: false });
  });

  test('of thousands of ids none is taken for another', () => {
    const ids = Array.from({ length: 3_000 }, (_, at) =>
      String(9_007_199_254_740_993n + BigInt(at)),
    );
    const text = `[${ids.join()}]`;
    expect(exact({ uniqueItems: true }, text)).toBe(true);
    expect(exact({ uniqueItems: true }, `[${ids.join()},${ids[7]}]`)).toBe(false);
  });
});

describe('a number that is too large for a double', () => {
  test.each<[schema: object, text: string, isValid: boolean]>([
    [{ enum: ['a', null] }, '1e999', false],
    [{ const: null }, '1e999', false],
    [{ uniqueItems: true }, '[null,1e999]', true],
    [{ items: { maximum: 1e17 } }, '[9007199254740993,1e999]', false],
    [{ items: { minimum: 1e17 } }, '[9007199254740993000,1e999]', true],
    [{ items: { exclusiveMinimum: 1e17 } }, '[9007199254740993000,-1e999]', false],
  ])('%j judges %s as plain ajv does', (schema, text, isValid) => {
    const { listed, isComplete } = faultsOf(schema, JSON.parse(text), text);
    expect([listed.length === 0, isComplete]).toEqual([isValid, true]);
  });
});

test.each<[constant: unknown, value: object, isValid: boolean]>([
  [{ constructor: { a: 1 } }, { constructor: { a: 1 } }, true],
  [{ toString: 'a' }, { toString: 'a' }, true],
  [{ toString: 'a' }, { toString: 'b' }, false],
  [{ a: 1 }, { valueOf: 2 }, false],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
  [1, { toString: 1 }, false],
])(
  'const %j says what it says of %j, whatever its members are called',
  (constant, value, isValid) => {
    for (const schema of [{ const: constant }, { enum: [constant] }]) {
      expect(faultsOf(schema, value).listed.length === 0).toBe(isValid);
      expect(faultsOf(schema, value, JSON.stringify(value)).listed.length === 0).toBe(isValid);
    }
  },
);
