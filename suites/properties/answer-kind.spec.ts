import { expect, test } from 'vitest';
import { exchangeOf, type ExchangeSketch } from '../../contracts/judging/exchange.testkit.ts';
import { answerKindOf } from './answer-kind.ts';

const kindOf = (sketch: ExchangeSketch, operation = 'zap.quote'): string =>
  answerKindOf(exchangeOf(sketch), operation);
const answering = (answered: unknown): ExchangeSketch => ({ answered });
const address = (digit: string): string => `0x${digit.repeat(40)}`;

test.each<[string, ExchangeSketch, ExchangeSketch]>([
  ['values', answering({ amount: '1', fee: 2 }), answering({ amount: '77', fee: 0 })],
  ['the order of members', answering({ a: 1, b: 2 }), answering({ b: 2, a: 1 })],
  [
    'names that are data',
    answering({ [address('a')]: { x: 1 } }),
    answering({ [address('b')]: { x: 1 } }),
  ],
  ['the length of a list', answering([1, 2, 3]), answering([1, 2, 3, 4, 5])],
  [
    'entries far down a list',
    answering([{ a: 1 }, { a: 1 }, { a: 1 }]),
    answering([{ a: 1 }, { a: 1 }, { a: 1 }, { b: 1 }]),
  ],
])('answers that differ in %s alone are of one kind', (_, one, other) => {
  expect(kindOf(one)).toBe(kindOf(other));
});

test.each<[string, ExchangeSketch, ExchangeSketch]>([
  ['their status', { status: 400 }, { status: 404 }],
  ['a member', answering({ a: 1 }), answering({ a: 1, b: 1 })],
  ['the type of a member', answering({ a: 1 }), answering({ a: '1' })],
  ['null and an object', answering({ a: null }), answering({ a: {} })],
  ['an empty list', answering({ a: [] }), answering({ a: [1] })],
  ['a text that names a kind', answering({ code: 'NO_ROUTE' }), answering({ code: 'INVALID' })],
  [
    'the order of steps',
    answering({ path: [{ action: 'swap' }, { action: 'bridge' }] }),
    answering({ path: [{ action: 'bridge' }, { action: 'swap' }] }),
  ],
  ['why there is none', { failure: 'timeout' }, { failure: 'closed' }],
])('answers that differ in %s are of two', (_, one, other) => {
  expect(kindOf(one)).not.toBe(kindOf(other));
});

test('an operation has kinds of its own, and a long answer goes by its length', () => {
  expect(kindOf({})).not.toBe(kindOf({}, 'zap.pools'));
  const long = (length: number): string => kindOf(answering('x'.repeat(length)));
  expect(long(40_000)).toBe('zap.quote 200 long 16');
  expect(long(40_000)).not.toBe(long(80_000));
});
