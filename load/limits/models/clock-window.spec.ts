import { expect, test } from 'vitest';
import { clockWindow as clockLimiter } from '../simulated/limiters.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';
import { clockWindow } from './clock-window.ts';
import type { Tracker } from './model.ts';
import { track } from './track.ts';

/** Sends at these times, a millisecond each, until the end or so many rejections. */
function follow(limit: number, windowMs: number, times: readonly number[]): Tracker {
  // At 1,225 s a window of 411.408 s begins.
  const limiter = clockLimiter(limit, windowMs, 1_243_448);
  return times.reduce<Tracker>((now, sentMs) => {
    const { admitted } = limiter.decide(sentMs, sentMs + 1);
    const outcome: ProbeEvent['outcome'] = admitted ? 'admitted' : 'rejected';
    return now.observe({ sentMs: sentMs - 0.4, receivedMs: sentMs + 0.6, outcome });
  }, track(clockWindow));
}

/** A number of requests within a second. */
const burst = (fromMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => fromMs + index);

const holds = (tracker: Tracker, limit: number, windowMs: number): boolean =>
  tracker
    .candidates()
    .some(
      (one) =>
        one.limit.lo <= limit &&
        one.limit.hi >= limit &&
        one.timeMs.lo <= windowMs &&
        one.timeMs.hi >= windowMs,
    );

test('a long window with a great limit is kept, though it may have begun with any request of the burst', () => {
  const times = [
    ...burst(0, 928),
    2300,
    // Windows later, and over another boundary.
    ...burst(1_216_300, 2),
    1_232_300,
    ...burst(1_235_800, 5),
  ];
  expect(holds(follow(926, 411_408, times), 926, 411_408)).toBe(true);
});

test('that a window began within a burst stays as unlikely as the burst is short', () => {
  const tracker = follow(50, 60_000, [...burst(0, 51), 200_000, 200_001, 205_000, 210_000]);
  const worth = (limit: number): number =>
    Math.max(
      ...tracker
        .candidates()
        .filter((one) => one.limit.lo === limit && one.timeMs.hi > 60_000)
        .map(({ likelihood = 1, timeMs, boundaryMs = { lo: 0, hi: Infinity } }) => {
          const width = boundaryMs.hi - boundaryMs.lo;
          return likelihood * Math.min(1, width / timeMs.lo);
        }),
    );
  expect(worth(50)).toBe(1);
  expect(worth(30)).toBeLessThan(0.02);
  expect(worth(30)).toBeGreaterThan(0);
});
