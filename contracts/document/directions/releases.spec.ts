import { describe, expect, test } from 'vitest';
import { contractOfFiles, openapi, success } from '../contract-of.testkit.ts';
import {
  answerMisses,
  operationWith,
  READ,
  ref,
  requestMisses,
  TEXT,
  WRITE,
} from './directions.testkit.ts';

const MARKED = (name: string): object => ({ properties: { [name]: WRITE }, required: [name] });

describe('a mark in one branch of a choice', () => {
  const kind = (name: string): object => ({ kind: { const: name } });
  const CAT = { required: ['kind'], properties: { ...kind('cat'), key: WRITE } };
  const DOG = { required: ['kind', 'key'], properties: { ...kind('dog'), key: TEXT } };
  const OUTER = { required: ['kind', 'key'], properties: { kind: TEXT } };
  const IS_CAT = { properties: kind('cat'), required: ['kind'] };
  const MARKS = { properties: { key: WRITE } };

  test.each<[what: string, schema: object, schemas?: object]>([
    ['of oneOf, and required in another', { oneOf: [CAT, DOG] }],
    ['of oneOf by reference', { oneOf: [ref('Cat'), ref('Dog')] }, { Cat: CAT, Dog: DOG }],
    ['of anyOf, and required in another', { anyOf: [CAT, DOG] }],
    ['of oneOf, and required around', { ...OUTER, oneOf: [CAT, { properties: kind('dog') }] }],
    [
      'of oneOf in a schema that is a part, and required in another part',
      { allOf: [{ oneOf: [ref('Cat'), { properties: kind('dog') }] }, ref('Outer')] },
      { Cat: CAT, Outer: OUTER },
    ],
    ['then, and required around', { ...OUTER, if: IS_CAT, then: MARKS }],
    ['then, and required else', { if: IS_CAT, then: MARKS, else: DOG }],
    ['else, and required around', { ...OUTER, if: { not: IS_CAT }, else: MARKS }],
    [
      'for a member that is there, and required around',
      { ...OUTER, dependentSchemas: { purrs: MARKS }, anyOf: [{ required: ['purrs'] }, DOG] },
    ],
    [
      'of oneOf in a branch of oneOf, and required in another',
      { oneOf: [{ ...IS_CAT, oneOf: [MARKS, false] }, DOG] },
    ],
    [
      'of oneOf, if all that another branch says is that it is required',
      { oneOf: [CAT, { required: ['key'] }] },
    ],
    [
      'of oneOf in a branch that requires it',
      { oneOf: [{ ...OUTER, oneOf: [CAT, { properties: kind('dog') }] }, false] },
    ],
    [
      'of oneOf in a branch of oneOf, and required around',
      { ...OUTER, oneOf: [{ ...IS_CAT, oneOf: [MARKS, false] }, { properties: kind('dog') }] },
    ],
    [
      'of anyOf in a branch of a branch, and required around',
      {
        ...OUTER,
        oneOf: [
          { anyOf: [{ ...IS_CAT, anyOf: [MARKS, false] }, false] },
          { properties: kind('dog') },
        ],
      },
    ],
    [
      'of anyOf in branches that all take what the one between does not',
      { ...OUTER, anyOf: [{ anyOf: [{ ...IS_CAT, anyOf: [MARKS] }, true] }] },
    ],
    [
      'of a branch whose member is required by a shared part',
      {
        oneOf: [
          { allOf: [ref('Keyed'), CAT] },
          { allOf: [ref('Keyed'), { properties: kind('dog') }] },
        ],
      },
      { Keyed: { required: ['key'] } },
    ],
  ])(
    '%s: what takes the branch needs no member, and what does not needs it',
    async (_, schema, schemas) => {
      const operation = await operationWith(schema, schemas);
      expect(answerMisses(operation, { kind: 'cat', purrs: true })).toEqual([]);
      expect(answerMisses(operation, { kind: 'dog', key: 'a' })).toEqual([]);
      expect(answerMisses(operation, { kind: 'dog' })).not.toEqual([]);
    },
  );

  test('is so in requests, and in items', async () => {
    const cat = { ...CAT, properties: { ...kind('cat'), key: READ } };
    const operation = await operationWith({ type: 'array', items: { oneOf: [cat, DOG] } });
    expect(requestMisses(operation, [{ kind: 'cat' }])).toEqual([]);
    expect(requestMisses(operation, [{ kind: 'cat' }, { kind: 'dog' }])).not.toEqual([]);
  });

  test('says nothing of another schema that is made of the same part', async () => {
    const [HAS_K, HAS_Z] = [{ required: ['k'] }, { required: ['z'] }];
    const allOf = [ref('Keyed')];
    const operation = await operationWith(
      { properties: { a: ref('A'), b: ref('B') } },
      {
        Keyed: { required: ['key'] },
        A: { allOf, oneOf: [{ ...MARKS, ...HAS_K }, HAS_Z] },
        B: { allOf, oneOf: [{ ...MARKS, ...HAS_Z }, HAS_K] },
      },
    );
    expect(answerMisses(operation, { a: { k: 1 }, b: { z: 1 } })).toEqual([]);
    expect(answerMisses(operation, { a: { z: 1 } })).not.toEqual([]);
    expect(answerMisses(operation, { b: { k: 1 } })).not.toEqual([]);
  });

  const HAS_A = { required: ['a'] };
  const MARKS_A = { properties: { a: WRITE } };
  test.each<[what: string, base: object, version?: string]>([
    ['anyOf', { anyOf: [HAS_A, { required: ['b'] }] }],
    ['oneOf', { oneOf: [HAS_A, { required: ['b'] }] }],
    ['then', { if: { required: ['c'] }, then: HAS_A }],
    ['dependentSchemas', { dependentSchemas: { c: HAS_A } }],
    ['a reference', { allOf: [ref('Required')] }],
    ['a reference of 3.0 that may be null', { nullable: true, allOf: [ref('Required')] }, '3.0.3'],
  ])(
    'a schema that others mark requires what it did by itself: in %s',
    async (_, base, version) => {
      const operation = await operationWith(
        { type: 'object', properties: { alone: ref('Base'), marked: ref('Marked') } },
        {
          Base: { type: 'object', ...base },
          Required: { type: 'object', ...HAS_A },
          Marked: { allOf: [ref('Base'), MARKS_A] },
        },
        version,
      );
      expect(answerMisses(operation, { marked: { c: 1 } })).toEqual([]);
      expect(answerMisses(operation, { alone: { c: 1 } })).not.toEqual([]);
      expect(answerMisses(operation, { alone: { a: 'a', c: 1 } })).toEqual([]);
    },
  );

  test('needs what it needs if it is not a part', async () => {
    const schemas = { Keyed: { required: ['key'] }, Cat: { allOf: [ref('Keyed'), CAT] } };
    const operation = await operationWith(
      { properties: { cat: ref('Cat'), other: ref('Keyed') } },
      schemas,
    );
    expect(answerMisses(operation, { cat: { kind: 'cat' } })).toEqual([]);
    expect(answerMisses(operation, { other: {} })).not.toEqual([]);
  });

  test.each<[what: string, schema: object, schemas: object, valid: object, invalid: unknown[]]>([
    [
      'a branch that is made of it',
      { ...ref('Base'), oneOf: [ref('Cat'), { required: ['barks'] }] },
      {
        Base: { type: 'object', required: ['key'] },
        Cat: { oneOf: [ref('Base'), ref('Sub')] },
        Sub: { ...MARKS, required: ['purrs'] },
      },
      { key: 'a' },
      [5, { barks: 1 }],
    ],
    [
      'branches of two choices that are made of each other',
      {
        allOf: [ref('One'), ref('Two'), { oneOf: [ref('A'), false] }, { oneOf: [ref('B'), false] }],
      },
      {
        One: { type: 'object', required: ['key'] },
        Two: { type: 'object', required: ['lock'] },
        A: { allOf: [ref('Two'), MARKS] },
        B: { allOf: [ref('One'), { properties: { lock: WRITE } }] },
      },
      { key: 'a', lock: 'a' },
      [5],
    ],
  ])('is judged if what is required is in %s', async (_, schema, schemas, valid, invalid) => {
    const operation = await operationWith(schema, schemas);
    expect(operation.faultsOf(200, valid)).toEqual({ listed: [], isComplete: true });
    for (const value of invalid) expect(answerMisses(operation, value)).not.toEqual([]);
  });
});

test.each<[what: string, schema: object]>([
  ['if', { if: { required: ['key'] }, else: { required: ['x'] } }],
  ['not', { not: { not: { required: ['key'] } } }],
])(
  'what asks in %s for a member that is marked around it is right if it is with the member',
  async (_, schema) => {
    const operation = await operationWith({ ...schema, properties: { key: WRITE, x: {} } });
    expect(answerMisses(operation, {})).toEqual([]);
    expect(requestMisses(operation, {})).not.toEqual([]);
  },
);

test('a choice of two that hold whatever is required is refused', async () => {
  const CARD = { if: MARKED('cvc'), then: { required: ['expiry'] } };
  const operation = await operationWith(
    { oneOf: [ref('Card'), { required: ['iban'] }] },
    { Card: { type: 'object', ...CARD } },
  );
  expect(answerMisses(operation, { expiry: 1 })).toEqual([]);
  expect(answerMisses(operation, { iban: 1 })).toEqual([]);
  expect(answerMisses(operation, { expiry: 1, iban: 1 })).not.toEqual([]);
});

test('a mark for all members that no other keyword names releases those that are required', async () => {
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    const operation = await operationWith({
      ...{ type: 'object', properties: { c: {} }, required: ['ab', 'c'] },
      [keyword]: WRITE,
    });
    expect(answerMisses(operation, { c: 1 })).toEqual([]);
    expect(answerMisses(operation, {})).toEqual(['/c']);
  }
});

test('a mark beside a reference to a schema that stands elsewhere releases nothing there', async () => {
  const item = {
    ...{ type: 'object', required: ['id'] },
    properties: { next: { ...{ type: 'object', required: ['at'] }, properties: { at: {} } } },
  };
  const at = '#/paths/~1x/get/responses/200/content/application~1json/schema/items';
  const other = (to: string, name: string): object => ({
    allOf: [{ $ref: to }, { properties: { [name]: WRITE } }],
  });
  const get = (schema: object): object => ({ get: { responses: success(schema) } });
  const paths = {
    '/x': get({ type: 'array', items: item }),
    '/y': get(other(at, 'id')),
    '/z': get(other(`${at}/properties/next`, 'at')),
  };
  const contract = await contractOfFiles({ 'a.json': openapi('3.1.0', paths) });
  const misses = (path: string, json: unknown): string[] => {
    const operation = contract.find('ai', 'GET', path);
    return operation === undefined ? ['no operation'] : answerMisses(operation, json);
  };
  expect(misses('/x', [{ id: 1, next: { at: 1 } }])).toEqual([]);
  expect(misses('/x', [{ next: {} }]).sort()).toEqual(['/0/id', '/0/next/at']);
  expect(misses('/y', {})).toEqual([]);
  expect(misses('/y', { next: {} })).toEqual(['/next/at']);
  expect(misses('/z', {})).toEqual([]);
});
