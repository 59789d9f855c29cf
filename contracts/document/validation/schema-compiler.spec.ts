import { describe, expect, test } from 'vitest';
import { documentLimits } from '../contract-limits.ts';
import { contractOf, success } from '../contract-of.testkit.ts';
import type { SchemaFaults } from '../schema.ts';
import { SchemaCompiler } from './schema-compiler.ts';
import { loadContract } from '../../service/load-contract.ts';

const URL_OF_FILE = 'file:///schemas.json';
const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });

/** What both compilers say of a value; of one with a text, that for schemas of others. */
function faultsOf(schema: object, value: unknown, text?: string): SchemaFaults {
  const [foreign, own] = (['foreign', 'own'] as const).map((origin) => {
    const compiler = new SchemaCompiler(origin);
    const files = new Map([[URL_OF_FILE, schema]]);
    compiler.add({
      source: URL_OF_FILE,
      url: URL_OF_FILE,
      files,
      hasDirections: false,
      ...{ sha256s: [], hasLongNumbers: false },
      limits: documentLimits([]),
    });
    return compiler.compile(`${URL_OF_FILE}#`)(value, text);
  });
  if (text === undefined) expect(own).toEqual(foreign);
  if (foreign === undefined) throw new Error('no verdict');
  return foreign;
}

function places(schema: object, value: unknown, text?: string): string[] {
  return faultsOf(schema, value, text).listed.map(
    ({ pointer, expected, times }) => `${pointer}: ${expected}${times > 1 ? ` (${times})` : ''}`,
  );
}

describe('a value that one branch of a choice takes is valid', () => {
  const shapes = {
    A: { type: 'object', required: ['a'], properties: { a: {} } },
    B: { type: 'object', required: ['b'], properties: { b: {} } },
    Shape: { oneOf: [ref('A'), ref('B')] },
    Pet: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
    Cat: { allOf: [ref('Pet'), { properties: { kind: { const: 'cat' } } }] },
    Dog: { allOf: [ref('Pet'), { properties: { kind: { const: 'dog' } } }] },
  };
  test.each<[string, object, unknown]>([
    ['null beside a shape', { anyOf: [ref('Shape'), { type: 'null' }] }, null],
    ['a cat', { oneOf: [ref('Cat'), ref('Dog')] }, { kind: 'cat' }],
    ['a dog', { oneOf: [ref('Cat'), ref('Dog')] }, { kind: 'dog' }],
  ])('%s', (_, schema, value) => {
    expect(places({ ...schema, $defs: shapes }, value)).toEqual([]);
  });
});

test('a missing field is found beside a member that a condition refuses', async () => {
  const contract = await loadContract();
  const operation = contract.operation('zap.quote');
  const entry = { amount: '1', amountUSD: '1', asset: {}, dust: false };
  const json = {
    status: 'success',
    data: { amountOut: '1', approvalData: {}, path: [{ input: [entry] }] },
  };
  const found = operation?.faultsOf(200, json).listed.map(({ pointer }) => pointer);
  expect(found).toContain('/data/path/0/input/0/asset/symbol');
});

test('a schema of thousands of members is held against a value', () => {
  const members = Array.from({ length: 5_000 }, (_, at): [string, object] => [
    `m${at}`,
    { type: 'integer' },
  ]);
  const schema = {
    properties: { a: ref('Large') },
    $defs: { Large: { properties: Object.fromEntries(members) } },
  };
  expect(places(schema, { a: { m4999: 1 } })).toEqual([]);
  expect(places(schema, { a: { m4999: 'x' } })).toEqual(['/a/m4999: an integer']);
});

describe('a body that is looked at in parts', () => {
  const item = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const list = (count: number, wrong: (at: number) => boolean): object[] =>
    Array.from({ length: count }, (_, at) => ({ id: wrong(at) ? 'x' : at }));

  test('has each fault counted, at the place of the first', () => {
    const schema = { properties: { list: { items: item } } };
    const { listed, isComplete } = faultsOf(schema, {
      list: list(20_000, (at) => at % 7_000 === 6_999),
    });
    expect(listed).toEqual([
      { pointer: '/list/6999/id', expected: 'an integer', facet: undefined, times: 2 },
    ]);
    expect(isComplete).toBe(true);
  });

  test('is not broken by what only its parts break', () => {
    const schema = {
      required: ['total'],
      properties: {
        total: { type: 'integer' },
        list: { items: item, minItems: 20_000, contains: { properties: { id: { const: 3 } } } },
        map: { minProperties: 9_000, required: ['k8999'], additionalProperties: item },
      },
      if: { properties: { list: { maxItems: 10_000 } } },
      then: { properties: { list: { items: { required: ['never'] } } } },
      oneOf: [{ properties: { list: { minItems: 15_000 } } }, { required: ['never'] }],
    };
    const map = Object.fromEntries(list(9_000, () => false).map((value, at) => [`k${at}`, value]));
    const body = { total: 'many', list: list(20_000, () => false), map };
    expect(places(schema, { ...body, total: 1 })).toEqual([]);
    expect(places(schema, body)).toEqual(['/total: an integer']);
  });

  test('keeps the fault that decided, where no part shows it', () => {
    const schema = { properties: { list: { items: item, maxItems: 10_000 } } };
    expect(faultsOf(schema, { list: list(20_000, () => false) })).toEqual({
      listed: [{ pointer: '/list', expected: 'at most 10000 items', facet: undefined, times: 1 }],
      isComplete: true,
    });
  });

  test('is not looked at by position behind its first part', () => {
    const schema = {
      properties: { list: { prefixItems: [{ required: ['first'] }], items: item } },
    };
    const body = { list: [{ first: 1 }, ...list(20_000, (at) => at === 15_000)] };
    expect(faultsOf(schema, body)).toEqual({
      listed: [{ pointer: '/list/15001/id', expected: 'an integer', facet: undefined, times: 1 }],
      isComplete: false,
    });
  });

  test('with a fault in each item is listed in part', async () => {
    const contract = await loadContract();
    const pools = Array.from({ length: 40_000 }, () => ({}));
    const faults = contract
      .operation('zap.pools')
      ?.faultsOf(200, { status: 'success', data: { pools } });
    expect(faults?.isComplete).toBe(false);
    expect(faults?.listed.map(({ pointer }) => pointer)).toContain('/data/pools/0/address');
  });
});

describe('numbers are judged by their digits', () => {
  test.each<[string, object, string, string[]]>([
    ['a price', { multipleOf: 0.01 }, '8.69', []],
    ['a large amount', { multipleOf: 1 }, '1e21', []],
    ['half a cent', { multipleOf: 0.01 }, '8.695', ['/n: a multiple of 0.01']],
    [
      'a digit beyond doubles',
      { multipleOf: 10 },
      '12345678901234567891',
      ['/n: a multiple of 10'],
    ],
    ['its multiple', { multipleOf: 10 }, '12345678901234567890', []],
    [
      'one above the maximum',
      { maximum: 9007199254740992 },
      '9007199254740993',
      ['/n: a number <= 9007199254740992'],
    ],
    ['the maximum', { maximum: 9007199254740992 }, '9007199254740992', []],
    [
      'one below the minimum',
      { minimum: -9007199254740992 },
      '-9007199254740993',
      ['/n: a number >= -9007199254740992'],
    ],
    ['the exclusive bound', { exclusiveMinimum: 9007199254740992 }, '9007199254740993', []],
    ['another constant', { const: 9007199254740992 }, '9007199254740993', ['/n: 9007199254740992']],
    [
      'none of a list',
      { enum: [9007199254740992] },
      '9007199254740993',
      ['/n: one of 9007199254740992'],
    ],
    ['a fraction', { type: 'integer' }, '9007199254740992.5', ['/n: an integer']],
    ['a small fraction', { type: 'integer' }, '1.00000000000000000001', ['/n: an integer']],
    ['an integer with a point', { type: 'integer' }, '9007199254740993.0', []],
    ['an integer with an exponent', { type: 'integer' }, '1e400', []],
    ['two of one list', { uniqueItems: true }, '[9007199254740993, 9007199254740992]', []],
    [
      'one twice',
      { uniqueItems: true },
      '[9007199254740993, 9007199254740993.0]',
      ['/n: must NOT have duplicate items'],
    ],
  ])('%s', (_, schema, number, expected) => {
    const text = `{"n": ${number}}`;
    expect(places({ properties: { n: schema } }, JSON.parse(text), text)).toEqual(expected);
  });

  test('in texts that only look like numbers nothing is lost', () => {
    const text = '{"a": "x: 12345678901234567891", "n": 1}';
    expect(places({ properties: { n: { const: 1 } } }, JSON.parse(text), text)).toEqual([]);
  });
});

test('what no schema evaluates is found in each item of a list, whatever came before', async () => {
  const named = { type: 'object', properties: { name: {} } };
  const aged = { type: 'object', properties: { age: {} } };
  const contract = await contractOf(
    {
      '/x': {
        get: {
          responses: success({
            items: {
              anyOf: [
                { $ref: '#/components/schemas/Named', required: ['name'] },
                { $ref: '#/components/schemas/Aged' },
              ],
              unevaluatedProperties: false,
            },
          }),
        },
      },
    },
    { schemas: { Named: named, Aged: aged } },
  );
  const operation = contract.find('ai', 'GET', '/x');
  const pointers = (json: unknown): unknown[] =>
    operation?.faultsOf(200, json).listed.map(({ pointer }) => pointer) ?? [];
  expect(pointers([{ name: 1, age: 1 }, { age: 1 }, {}])).toEqual([]);
  expect(
    pointers([
      { name: 1, age: 1 },
      { age: 1, more: 1 },
    ]),
  ).toEqual(['/1/more']);
});
