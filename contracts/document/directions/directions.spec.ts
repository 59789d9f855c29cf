import { describe, expect, test } from 'vitest';
import { cpuClock } from '../../cpu-clock.testkit.ts';
import { ContractError } from '../contract-error.ts';
import {
  answerMisses,
  contractWith,
  operationWith,
  READ,
  ref,
  requestMisses,
  TEXT,
  WRITE,
} from './directions.testkit.ts';

/** All that say: an object with a name, with an id in answers and a key in requests. */
const SAYINGS: [what: string, schema: object, schemas: object, version?: string][] = [
  [
    'at once',
    { required: ['id', 'name', 'key'], properties: { id: READ, name: TEXT, key: WRITE } },
    {},
  ],
  [
    'by references to what has the mark',
    { required: ['id', 'name', 'key'], properties: { id: ref('Id'), name: TEXT, key: ref('Key') } },
    { Id: { allOf: [ref('Other')] }, Other: READ, Key: WRITE },
  ],
  [
    'beside references of 3.0',
    {
      required: ['id', 'name', 'key'],
      properties: {
        id: { ...ref('Text'), readOnly: true },
        name: TEXT,
        key: { nullable: true, allOf: [ref('Key')] },
      },
    },
    { Text: TEXT, Key: WRITE },
    '3.0.3',
  ],
  [
    'in another branch than the one that requires it',
    { allOf: [ref('Required'), { properties: { id: READ, key: WRITE } }] },
    { Required: { allOf: [{ required: ['id', 'name', 'key'] }] } },
  ],
  [
    'around the branch that requires it',
    { properties: { id: READ, key: WRITE }, allOf: [{ required: ['id', 'name', 'key'] }] },
    {},
  ],
  [
    'in a branch, required by what holds it',
    { required: ['id', 'name', 'key'], allOf: [ref('Base')] },
    { Base: { properties: { id: READ, key: WRITE } } },
  ],
  [
    'in a branch of which one is to be taken',
    { oneOf: [ref('A'), ref('B')] },
    {
      A: {
        required: ['id', 'name', 'key'],
        properties: { id: READ, key: WRITE, kind: { const: 'a' } },
      },
      B: { required: ['kind', 'more'], properties: { kind: { const: 'b' } } },
    },
  ],
];

describe.each(SAYINGS)('a member for one side only: %s', (_, schema, schemas, version) => {
  test('requests need none that is readOnly, answers none that is writeOnly', async () => {
    const operation = await operationWith({ type: 'object', ...schema }, schemas, version);
    expect(requestMisses(operation, { name: 'n', key: 'k' })).toEqual([]);
    expect(requestMisses(operation, { id: 'i', name: 'n', key: 'k' })).toEqual([]);
    expect(answerMisses(operation, { id: 'i', name: 'n' })).toEqual([]);
    expect(requestMisses(operation, { id: 'i', name: 'n' })).toHaveLength(1);
    expect(answerMisses(operation, { name: 'n', key: 'k' })).toHaveLength(1);
    expect(answerMisses(operation, { id: 'i', key: 'k' })).toHaveLength(1);
  });
});

test('what may be null in OpenAPI 3.0 asks for the other members alone', async () => {
  const marked = { nullable: true, required: ['key', 'name'], allOf: [ref('Key')] };
  const schemas = { Key: { required: ['name'], properties: { key: WRITE } } };
  const operation = await operationWith(marked, schemas, '3.0.3');
  expect(answerMisses(operation, null)).toEqual([]);
  expect(answerMisses(operation, { name: 'n' })).toEqual([]);
  expect(new Set(answerMisses(operation, {}))).toEqual(new Set(['/name']));
  expect(requestMisses(operation, { name: 'n' })).toEqual(['/key']);
});

test('a member that another one makes necessary is needed in its direction alone', async () => {
  const operation = await operationWith({
    properties: { key: WRITE, at: {}, name: TEXT },
    dependentRequired: { at: ['key', 'name'] },
  });
  expect(answerMisses(operation, { at: 1, name: 'n' })).toEqual([]);
  expect(answerMisses(operation, { at: 1 })).toEqual(['/name']);
  expect(requestMisses(operation, { at: 1 }).sort()).toEqual(['/key', '/name']);
  expect(requestMisses(operation, {})).toEqual([]);
});

test('a text in the place of names that have to be there is refused at its own place', async () => {
  const schema = { properties: { key: WRITE }, dependentRequired: { key: 'key' } };
  await expect(contractWith(schema)).rejects.toThrow(/json\/schema that does not compile/);
});

test('in members, lists and maps it is the same', async () => {
  const pet = { type: 'object', required: ['id'], properties: { id: READ } };
  const operation = await operationWith(
    { properties: { a: ref('Pet') }, items: ref('Pet'), additionalProperties: ref('Pet') },
    { Pet: pet },
  );
  for (const value of [{ a: {} }, { b: {} }, [{}]]) {
    expect(requestMisses(operation, value)).toEqual([]);
    expect(answerMisses(operation, value)).toHaveLength(1);
  }
});

test('a schema that others share is asked for what each of them asks', async () => {
  const schemas = {
    Base: { type: 'object', required: ['id'], properties: { id: TEXT } },
    Pet: { allOf: [ref('Base'), { properties: { id: { readOnly: true } } }] },
    Order: { allOf: [ref('Base')] },
  };
  const operation = await operationWith(
    { properties: { pet: ref('Pet'), order: ref('Order'), base: ref('Base') } },
    schemas,
  );
  expect(requestMisses(operation, { pet: {} })).toEqual([]);
  expect(requestMisses(operation, { order: {}, base: {} })).toEqual(['/order/id', '/base/id']);
  expect(answerMisses(operation, { pet: {} })).toEqual(['/pet/id']);
});

test('what is looser makes nothing around it stricter', async () => {
  const one = { required: ['id'], properties: { id: READ } };
  const schema = {
    oneOf: [one, { required: ['name'] }],
    not: { ...one, required: ['id', 'no'] },
    properties: { again: { $ref: '#/components/schemas/A/oneOf/0' } },
  };
  const operation = await operationWith(ref('A'), { A: schema });
  expect(requestMisses(operation, { name: 'n' })).toEqual([]);
  expect(requestMisses(operation, { no: 1 })).toEqual([]);
  expect(answerMisses(operation, { id: 'i', name: 'n' })).toHaveLength(1);
  expect(answerMisses(operation, { again: {}, name: 'n' })).toEqual(['/again/id']);
});

test('members by patterns of names, and all others, have marks as well', async () => {
  const operation = await operationWith({
    type: 'object',
    required: ['key1', 'key2', 'name'],
    properties: { name: TEXT, key2: TEXT },
    patternProperties: { '^key': WRITE, '^name': TEXT },
    additionalProperties: READ,
  });
  expect(answerMisses(operation, { name: 'n' })).toEqual([]);
  expect(answerMisses(operation, {})).toEqual(['/name']);
  expect(requestMisses(operation, { name: 'n' }).sort()).toEqual(['/key1', '/key2']);
  const others = await operationWith({
    required: ['id', 'name', 'key1'],
    properties: { name: TEXT },
    patternProperties: { '^key': TEXT },
    additionalProperties: READ,
  });
  expect(requestMisses(others, {}).sort()).toEqual(['/key1', '/name']);
  expect(answerMisses(others, { name: 'n', key1: 'k' })).toEqual(['/id']);
});

test('a document without such members is compiled once', async () => {
  const operation = await operationWith({ required: ['id'], properties: { id: TEXT } });
  expect(requestMisses(operation, {})).toEqual(['/id']);
  expect(answerMisses(operation, {})).toEqual(['/id']);
});

test('a field or an example with such a name is no mark', async () => {
  const schema = {
    required: ['a', 'readOnly'],
    properties: { a: { ...TEXT, examples: [{ readOnly: true }] }, readOnly: { const: true } },
  };
  const operation = await operationWith(schema);
  expect(requestMisses(operation, {})).toEqual(['/a', '/readOnly']);
});

test('schemas without end that are made of one another are refused', async () => {
  const parts = Array.from({ length: 3_000 }, () => ref('S0'));
  const chain = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, at) => [
      `S${at}`,
      at === 2_999 ? { properties: { a: READ } } : { allOf: [ref(`S${at + 1}`)] },
    ]),
  );
  const cpuMs = cpuClock();
  const loading = contractWith({ items: { anyOf: parts } }, chain);
  await expect(loading).rejects.toThrow(ContractError);
  expect(cpuMs()).toBeLessThan(20_000);
});
