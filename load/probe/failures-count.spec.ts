import { expect, test } from 'vitest';
import type { FanOut, LimitEstimate } from '../../contracts/run/load/limit-measurement.ts';
import type { Reported } from './sender.ts';
import { failuresCounted, failuresInCycle } from './failures-count.ts';

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

test.each([
  [7, 'counted'],
  [10, 'not-counted'],
  [8, 'undecided'],
])('after 3 failures %i of 10 are let in: %s', (admitted, expected) => {
  expect(failuresInCycle(TEN, 3, until(admitted), 0.1)).toBe(expected);
  expect(failuresInCycle(TEN, 0, until(admitted), 0.1)).toBe('undecided');
  expect(failuresInCycle({ ...TEN, verdict: 'ambiguous' }, 3, until(admitted), 0.1)).toBe(
    'undecided',
  );
});

test.each<[string, readonly FanOut[], string]>([
  ['another route shares the bucket', [fan('other-route', 'rejected')], 'not-counted'],
  ['each route has its own', [fan('other-route', 'admitted')], 'undecided'],
  ['too little is known of another route', [fan('other-route', 'rejected', 1)], 'undecided'],
  ['nothing is known of another route', [fan('trailing-slash', 'rejected')], 'undecided'],
  [
    'each method has its own',
    [fan('other-route', 'rejected'), fan('other-method', 'admitted')],
    'undecided',
  ],
])('failures that took nothing, where %s: %s', (_, fanOut, expected) => {
  expect(failuresCounted(until(10), 'not-counted', fanOut, TEN)).toBe(expected);
  expect(failuresCounted(until(10), 'counted', fanOut, TEN)).toBe('counted');
});

test('plain requests that fail until a limit refuses them count', () => {
  expect(failuresCounted(until(10, 400), undefined, [], TEN)).toBe('counted');
  expect(failuresCounted(until(10), undefined, [], TEN)).toBe('undecided');
  expect(failuresCounted(until(0), undefined, [], TEN)).toBe('undecided');
});

test.each([
  [10, 'counted'],
  [9, 'counted'],
  [8, 'undecided'],
  [11, 'undecided'],
])('where a full bucket of 10, of which one may have been taken, let in %i: %s', (admitted, is) => {
  const before = { ...fan('other-address', 'rejected'), admittedBefore: 1 };
  const control = { admitted, seconds: 0.1 };
  expect(failuresCounted(until(10), 'counted', [before], TEN, control)).toBe(is);
  const apart = { ...fan('other-address', 'admitted'), admittedBefore: 1 };
  const alone = failuresCounted(until(10), 'counted', [apart], TEN, control);
  expect(alone).toBe(admitted === 10 ? 'counted' : 'undecided');
});

test('what came back meanwhile may be what the failures took', () => {
  const bucket: LimitEstimate = {
    ...{ verdict: 'identified', algorithms: ['token-bucket'], burst: 10, refillPerSecond: 2 },
  };
  expect(failuresInCycle(bucket, 3, until(8), 0.4)).toBe('counted');
  expect(failuresInCycle(bucket, 3, until(11), 0.4)).toBe('not-counted');
  for (const admitted of [7, 10]) {
    expect(failuresInCycle(bucket, 3, until(admitted), 1.5)).toBe('undecided');
  }
});
