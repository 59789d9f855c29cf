import { describe, expect, test } from 'vitest';
import type { SlippagePair } from './largest-of-kinds.ts';
import { largestOfKinds, pairBeside } from './largest-of-kinds.ts';

const PAIRS: readonly [SlippagePair, ...SlippagePair[]] = [
  [0.5, 1.9],
  [1, 2.37],
  [0.3, 3],
];

test('of each kind the largest amount is chosen, the first of equal ones', () => {
  const served = [
    { kind: 'across', name: 'a', amount: 23_000n },
    { kind: 'near', name: 'b', amount: 0n },
    { kind: 'across', name: 'c', amount: 250_000_000n },
    { kind: 'near', name: 'd', amount: 0n },
    { kind: 'across', name: 'e', amount: 10n },
  ];
  const chosen = largestOfKinds(
    served,
    ({ kind }) => kind,
    ({ amount }) => amount,
  );
  expect(chosen.map(({ name }) => name)).toEqual(['c', 'b']);
});

describe('a pair of slippages', () => {
  test.each([
    [0, 3, PAIRS[0]],
    [1, 3, PAIRS[1]],
    [5, 1, PAIRS[2]],
    [6, undefined, PAIRS[0]],
  ])('comes in turn %i', (turn, asked, expected) => {
    expect(pairBeside(PAIRS, turn, asked)).toEqual(expected);
  });

  test.each([
    [0, 0.5, PAIRS[1]],
    [1, 2.37, PAIRS[2]],
    [2, 3, PAIRS[0]],
  ])('is the next one where turn %i holds the %f that was asked', (turn, asked, expected) => {
    expect(pairBeside(PAIRS, turn, asked)).toEqual(expected);
  });

  test('is the first if all hold what was asked', () => {
    expect(pairBeside([[1, 2]], 3, 2)).toEqual([1, 2]);
  });
});
