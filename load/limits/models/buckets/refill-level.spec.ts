import { describe, expect, test } from 'vitest';
import {
  EMPTY,
  fullFrom,
  levelAt,
  refilled,
  taken,
  whereEmpty,
  whereExactly,
  whereFilled,
} from './refill-level.ts';

const capacity = { constant: 20, factor: 0 };
const any = { lo: 2, hi: 19 };

test.each([2, 5, 7, 19])('three refills of %i into 20, one taken after each', (q) => {
  let level = EMPTY;
  let tokens = 0;
  for (let i = 0; i < 3; i += 1) {
    level = taken(refilled(level, capacity, 1, any));
    tokens = Math.min(20, tokens + q) - 1;
  }
  expect(levelAt(level, q)).toBe(tokens);
});

describe('two refills into an empty bucket of 20', () => {
  const level = refilled(EMPTY, capacity, 2, any);

  test('leave a token with each refill', () => {
    expect(whereFilled(level, any)).toEqual(any);
    expect(whereEmpty(level, any)).toEqual([]);
  });

  test('of which seven are taken are 3.5 each at least', () => {
    let left = level;
    for (let i = 0; i < 7; i += 1) left = taken(left);
    expect(whereFilled(left, any)).toEqual({ lo: 4, hi: 19 });
    expect(whereEmpty(left, any)).toEqual([]);
  });

  test('of which eight are taken, and no more there, are four each', () => {
    let left = level;
    for (let i = 0; i < 8; i += 1) left = taken(left);
    expect(whereEmpty(left, any)).toEqual([{ lo: 4, hi: 4 }]);
  });

  test('fill it from ten on', () => {
    expect(fullFrom(EMPTY, capacity, 2)).toBe(10);
    expect(fullFrom(EMPTY, capacity, 0)).toBe(Infinity);
  });
});

describe('exactly so many tokens', () => {
  const level = refilled(EMPTY, capacity, 2, any);

  test.each<[number, readonly number[]]>([
    [8, [4]],
    [9, []],
    // From ten a refill on, two fill the bucket.
    [20, [10, 19]],
    [21, []],
  ])('%i after two refills', (tokens, expected) => {
    expect(
      whereExactly(level, tokens, any).flatMap(({ lo, hi }) => (lo === hi ? [lo] : [lo, hi])),
    ).toEqual(expected);
  });
});

test('a bucket without a token is empty, whatever a refill brings', () => {
  expect(whereEmpty(EMPTY, any)).toEqual([any]);
  expect(whereFilled(EMPTY, any)).toBeNull();
});

test('a bucket that grows with its refill is full only by more than that', () => {
  const growing = { constant: 5, factor: 1 };
  expect(fullFrom(EMPTY, growing, 1)).toBe(Infinity);
  expect(fullFrom(EMPTY, growing, 2)).toBe(5);
});
