import { expect, test } from 'vitest';
import type { FanOut, LimitEstimate } from '../../contracts/run/load/limit-measurement.ts';
import type { Reported } from './sender.ts';
import { failuresCounted, type Exhausted } from './failures-count.ts';

const TEN: LimitEstimate = {
  verdict: 'identified',
  algorithms: ['fixed-window'],
  limit: 10,
  windowSeconds: 5,
};

/** Plain requests that were answered, then one that was rejected. */
const until = (admitted: number, status = 200): Reported[] =>
  Array.from(
    { length: admitted + 1 },
    (_, at) =>
      ({
        outcome: at < admitted ? 'admitted' : 'rejected',
        status: at < admitted ? status : 429,
      }) as Reported,
  );

const fan = (kind: FanOut['kind'], outcome: 'admitted' | 'rejected', times = 3): FanOut => ({
  kind,
  trials: Array.from({ length: times }, () => ({
    before: 'rejected',
    outcome,
    after: 'rejected',
    admitted: 0,
  })),
  ...(outcome === 'admitted' ? { chance: 0.001 } : {}),
  admittedBefore: 0,
  witnesses: [],
});

const after = (failed: number, admitted: number, seconds = 0.1): Exhausted => ({
  failed,
  admitted,
  seconds,
});
const ROUTE = [fan('other-route', 'rejected')];

test.each([
  [7, 'counted'],
  [10, 'not-counted'],
  [8, 'undecided'],
])('after 3 failures %i of 10 are let in: %s', (admitted, expected) => {
  expect(failuresCounted(until(10), after(3, admitted), ROUTE, TEN)).toBe(expected);
  expect(failuresCounted(until(10), after(0, admitted), ROUTE, TEN)).toBe('undecided');
  const open: LimitEstimate = { ...TEN, verdict: 'ambiguous' };
  expect(failuresCounted(until(10), after(3, admitted), ROUTE, open)).toBe('undecided');
});

test.each<[string, readonly FanOut[], string]>([
  ['another route shares the bucket', ROUTE, 'not-counted'],
  ['each route has its own', [fan('other-route', 'admitted')], 'undecided'],
  ['too little is known of another route', [fan('other-route', 'rejected', 1)], 'undecided'],
  ['nothing is known of another route', [fan('trailing-slash', 'rejected')], 'undecided'],
  [
    'each method has its own',
    [fan('other-route', 'rejected'), fan('other-method', 'admitted')],
    'undecided',
  ],
])('failures that took nothing, where %s: %s', (_, fanOut, expected) => {
  expect(failuresCounted(until(10), after(3, 10), fanOut, TEN)).toBe(expected);
  expect(failuresCounted(until(10), after(3, 7), fanOut, TEN)).toBe('counted');
});

test('plain requests that fail until a limit refuses them count', () => {
  expect(failuresCounted(until(10, 400), undefined, [], TEN)).toBe('counted');
  expect(failuresCounted(until(10), undefined, [], TEN)).toBe('undecided');
  expect(failuresCounted(until(0), undefined, [], TEN)).toBe('undecided');
});

test.each([
  [10, 'not-counted', 'not-counted'],
  [9, 'not-counted', 'undecided'],
  [8, 'undecided', 'undecided'],
  [7, 'counted', 'counted'],
  [6, 'counted', 'undecided'],
])('of %i let in, one may have been taken before: %s, or by none: %s', (admitted, one, none) => {
  const before = { ...fan('other-address', 'rejected'), admittedBefore: 1 };
  const exhausted = after(3, admitted);
  expect(failuresCounted(until(10), exhausted, [...ROUTE, before], TEN)).toBe(one);
  const apart = { ...fan('other-address', 'admitted'), admittedBefore: 1 };
  expect(failuresCounted(until(10), exhausted, [...ROUTE, apart], TEN)).toBe(none);
});

test('what others may have taken hides what as few failures took', () => {
  const before = { ...fan('other-address', 'rejected'), admittedBefore: 1 };
  expect(failuresCounted(until(10), after(1, 9), [...ROUTE, before], TEN)).toBe('undecided');
});

test('what came back meanwhile may be what the failures took', () => {
  const bucket: LimitEstimate = {
    ...{ verdict: 'identified', algorithms: ['token-bucket'], burst: 10, refillPerSecond: 2 },
  };
  const counted = (admitted: number, seconds: number): string =>
    failuresCounted(until(10), after(3, admitted, seconds), ROUTE, bucket);
  expect(counted(8, 0.4)).toBe('counted');
  expect(counted(11, 0.4)).toBe('not-counted');
  for (const admitted of [7, 10]) expect(counted(admitted, 1.5)).toBe('undecided');
});
