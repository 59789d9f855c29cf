import { describe, expect, test } from 'vitest';
import { contractOf, success } from '../contract-of.testkit.ts';
import { loadContract } from '../../service/load-contract.ts';
import { places, placesOfMembers } from './both-compilers.testkit.ts';

const ref = (name: string): object => ({ $ref: `#/$defs/${name}` });

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

test('a schema of thousands of members, whose code is read at its first use, is held against a value', () => {
  expect(placesOfMembers(2_000)).toEqual(['/a/m1999: an integer']);
});

test('what a reference beside a choice asks for is listed beside the choice', () => {
  const schema = {
    $ref: '#/$defs/P',
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
    $defs: { P: { properties: { v: { type: 'string' }, w: { type: 'string' } } } },
  };
  expect(places(schema, { v: 1, w: 1 })).toEqual([
    ': any of the 2 alternatives',
    '/v: a string',
    '/w: a string',
  ]);
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
