import { expect, test } from 'vitest';
import { answerMisses, operationWith, ref, WRITE } from './directions.testkit.ts';

const N = { type: 'object', required: ['key', 'name'] };
const MARKED_N = { type: 'object', properties: { key: WRITE } };

test.each<[what: string, base: object, derived: object, valueOf: (inner: object) => object]>([
  ['a member', { properties: { n: ref('N') } }, { properties: { n: MARKED_N } }, (n) => ({ n })],
  [
    'a member of a member',
    { properties: { n: { properties: { n: ref('N') } } } },
    { properties: { n: { properties: { n: MARKED_N } } } },
    (n) => ({ n: { n } }),
  ],
  ['items', { items: ref('N') }, { items: MARKED_N }, (n) => [n]],
  [
    'a member by its name and by a pattern',
    { properties: { n: ref('N') } },
    { patternProperties: { '^n$': MARKED_N } },
    (n) => ({ n }),
  ],
  [
    'a member that is one of all others elsewhere',
    { properties: { n: ref('N') } },
    { additionalProperties: MARKED_N },
    (n) => ({ n }),
  ],
  [
    'a member in a branch that is taken',
    { properties: { n: MARKED_N } },
    { oneOf: [{ properties: { n: ref('N') } }, { required: ['no'] }] },
    (n) => ({ n }),
  ],
])(
  'a mark in one of two schemas for %s releases it in the other, and nothing elsewhere',
  async (_, base, derived, valueOf) => {
    const operation = await operationWith(
      { properties: { marked: { allOf: [ref('Base'), derived] }, base: ref('Base'), n: ref('N') } },
      { Base: base, N },
    );
    expect(answerMisses(operation, { marked: valueOf({ name: 'n' }) })).toEqual([]);
    expect(answerMisses(operation, { marked: valueOf({ key: 'k' }) })).not.toEqual([]);
    expect(answerMisses(operation, { n: { name: 'n' } })).toEqual(['/n/key']);
    const isOfBase = JSON.stringify(base).includes('$ref');
    expect(answerMisses(operation, { base: valueOf({ name: 'n' }) }).length > 0).toBe(isOfBase);
  },
);
