import { describe, expect, test } from 'vitest';
import { contractOfFiles, openapi, success } from '../contract-of.testkit.ts';

const TEXT = { type: 'string' };
const WRITE = { ...TEXT, writeOnly: true };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** The faults of answers by a schema. */
async function faultsBy(schema: object): Promise<(json: unknown, text?: string) => string[]> {
  const paths = { '/x': { get: { responses: success(schema) } } };
  const contract = await contractOfFiles({ 'a.json': openapi('3.1.0', paths, { schemas: USER }) });
  const operation = contract.find('ai', 'GET', '/x');
  if (operation === undefined) throw new Error('there is no such operation');
  return (json, text) => {
    const { listed } = operation.faultsOf(200, json, 'application/json', text);
    return listed.map(({ pointer, expected }) => `${pointer}: ${expected}`);
  };
}

const USER = { User: { type: 'object', required: ['key'], properties: { key: WRITE } } };
const T = { required: ['t'], properties: { t: TEXT } };
const needs = (...required: string[]): object => ({ required });
/** Refuses what has a key. */
const NO_KEY = { required: ['key'], properties: { key: WRITE } };

/** Of schemas with members for requests alone: what is wrong whether or not they are there. */
const DOUBTS: [what: string, schema: object, wrong: unknown[], right: unknown[]][] = [
  [
    'two branches of one choice hold, of which none has the member',
    { oneOf: [{ ...T, properties: { t: TEXT, user: ref('User') } }, needs('t', 'n')] },
    [{ t: 'a', n: 1 }, { t: 'a', n: 1, user: { key: 'k' } }, {}],
    [{ t: 'a' }, { t: 'a', user: {} }, { t: 1, n: 1 }, { t: 'a', n: 1, user: {} }],
  ],
  [
    'a `not` that holds without the member',
    { not: { ...needs('error'), properties: { user: ref('User') } } },
    [{ error: 1 }, { error: 1, user: { key: 'k' } }],
    [{}, { error: 1, user: {} }],
  ],
  [
    'a condition on the member, which is there',
    { if: NO_KEY, then: needs('x'), else: needs('y') },
    [{ key: 'k' }, { key: 'k', y: 1 }, {}, { key: 1, x: 1 }],
    [{ key: 'k', x: 1 }, { x: 1 }, { y: 1 }, { key: 1, y: 1 }],
  ],
  [
    'a condition without `else` beside what only looks like one',
    { if: NO_KEY, then: needs('x'), 'x-stated-else': needs('z') },
    [{ key: 'k' }, { key: 'k', z: 1 }],
    [{}, { key: 'k', x: 1 }],
  ],
  [
    'more items with the member than a list may have',
    { contains: ref('User'), maxContains: 1 },
    [[{ key: 'k' }, {}, { key: 'l' }], [], [1]],
    [[{ key: 'k' }, {}], [{}, {}], [{}]],
  ],
  [
    'a `not` of lists in which no other items may be',
    { not: { contains: ref('User'), maxContains: 5, unevaluatedItems: false } },
    [[{ key: 'k' }], [{ key: 'k' }, { key: 'l' }]],
    [[{ key: 'k' }, {}], [{ key: 'k' }, 1], []],
  ],
  [
    'a `not` in a `not`',
    { not: { anyOf: [{ not: ref('User') }, needs('n')] } },
    [1, { n: 1 }, { n: 1, key: 'k' }],
    [{}, { key: 'k' }],
  ],
  [
    'a choice of credentials, of which answers have some or none',
    {
      oneOf: [
        { ...needs('name', 'key'), properties: { key: WRITE } },
        { ...needs('token'), properties: { token: TEXT } },
        { ...needs('code'), properties: { code: WRITE } },
      ],
    },
    [
      { key: 'k', name: 'n', token: 't' },
      { token: 1, code: 1 },
    ],
    [{ token: 't' }, { name: 'n' }, { name: 'n', token: 't' }, {}, { code: 'c', name: 'n' }],
  ],
  [
    'lists of which some items have the member and others have not',
    { items: { oneOf: [ref('User'), needs('name')] } },
    [
      [{ name: 'n' }, { name: 'n', key: 'k' }],
      [1, { name: 'n', key: 'k' }],
    ],
    [[{ name: 'n' }, { key: 'k' }, {}]],
  ],
  [
    'members that some schema evaluates for certain or possibly',
    {
      anyOf: [{ ...needs('key'), properties: { key: WRITE, a: TEXT } }, { type: 'object' }],
      oneOf: [{ ...needs('key'), properties: { key: WRITE, b: TEXT } }, needs('c')],
      properties: { c: TEXT },
      unevaluatedProperties: false,
    },
    [{ d: 1 }, { c: 'c', key: 'k' }, { a: 1 }],
    [{ a: 'a', b: 'b', key: 'k' }, { a: 'a' }, { a: 'a', c: 'c' }],
  ],
];

describe.each(DOUBTS)('an answer by a schema with %s', (_, schema, wrong, right) => {
  test('is refused if it is wrong in any case', async () => {
    const faults = await faultsBy(schema);
    for (const value of wrong) {
      expect([value, faults(value).length > 0]).toEqual([value, true]);
    }
    for (const value of right) expect([value, faults(value)]).toEqual([value, []]);
  });
});

test('what is wrong in any case is reported as by other schemas', async () => {
  const choice = await faultsBy({ oneOf: [{ ...T, properties: { user: ref('User') } }, T] });
  expect(choice({ t: 't' })).toEqual([': exactly one of the 2 alternatives']);
  expect(choice({})).toEqual([': any of the 2 alternatives']);
  const condition = await faultsBy({ if: NO_KEY, then: needs('x') });
  expect(condition({ key: 'k' })).toEqual(['/x: required field']);
  const few = await faultsBy({ contains: NO_KEY, maxContains: 0 });
  expect(few([{ key: 'k' }])).toEqual([': at most 0 items of the kind that is counted']);
});

test('numbers beyond doubles are judged by their text', async () => {
  const faults = await faultsBy({ not: { ...NO_KEY, properties: { n: { minimum: 2 ** 53 } } } });
  const [below, above] = ['{"key":1,"n":9007199254740991}', '{"key":1,"n":9007199254740993}'];
  expect(faults(JSON.parse(below), below)).toEqual([]);
  expect(faults(JSON.parse(above), above)).toEqual([': must NOT be valid']);
});
