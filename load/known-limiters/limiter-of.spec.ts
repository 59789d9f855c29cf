import { expect, test } from 'vitest';
import { limiterOf, NoSuchLimiter } from './limiter-of.ts';
import type { LimiterTruth } from './truth.ts';

test.each<[LimiterTruth, string]>([
  [{ class: 'fixed-window', limit: 3 }, 'class fixed-window needs seconds'],
  [{ class: 'penalty-block', limit: 3, seconds: 1 }, 'needs countedSeconds'],
  [{ class: 'token-bucket', limit: 3, seconds: 1 }, 'needs perSecond'],
  [{ class: 'interval-refill', limit: 3, refill: 1, seconds: 3 }, 'needs intervalSeconds'],
  [{ class: 'shaping-with-reject', limit: 3, perSecond: 1 }, 'needs atOnce'],
  [{ class: 'stacked', limit: 3, seconds: 1 }, 'needs parts'],
  [{ class: 'none', limit: 3, seconds: 1 }, 'is no class'],
])('no limiter is made of %j', (truth, reason) => {
  expect(() => limiterOf(truth)).toThrow(NoSuchLimiter);
  expect(() => limiterOf(truth)).toThrow(reason);
});

const two: LimiterTruth = {
  class: 'stacked',
  limit: 6,
  seconds: 10,
  parts: [
    { class: 'clock-window', limit: 2, seconds: 1 },
    { class: 'fixed-window', limit: 6, seconds: 10 },
  ],
};

test.each([
  [false, [2, 2, 2, 0]],
  // Three of four in each second count in the outer one as well.
  [true, [2, 2, 0, 0]],
])('what the inner of two limits rejects counts in the outer one: %s', (countsAll, admitted) => {
  const limiter = limiterOf(two, { countsAll });
  const perSecond = [0, 1000, 2000, 3000].map((from) => {
    const decisions = [0, 1, 2].map((step) => limiter.decide(from + step, from + step));
    return decisions.filter((one) => one.admitted).length;
  });
  expect(perSecond).toEqual(admitted);
});

test('each of two limits may have a clock of its own', () => {
  const admits = (phaseMs?: number): boolean[] => {
    const own = phaseMs === undefined ? {} : { phaseMs };
    const limiter = limiterOf(two, { phaseMs: 500, parts: [own, {}] });
    return [300, 301, 302, 600].map((at) => limiter.decide(at, at).admitted);
  };
  expect(admits()).toEqual([true, true, false, true]);
  expect(admits(0)).toEqual([true, true, false, false]);
});
