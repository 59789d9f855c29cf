import { expect, test } from 'vitest';
import { slidingCounter as limiterOf } from '../../../fixtures/known-limiters/windows.ts';
import type { Tracker } from './model.ts';
import { slidingCounter } from './sliding-counter.ts';
import { track } from './track.ts';

const LIMIT = 7;
const WINDOW_MS = 10_000;
/** So short a round trip that nothing changes within it. */
const TRIP_MS = 0.001;

/** When asked, ms: used up early in a window of the clock, and from then on as often as more fits. */
const TIMES = [
  ...Array.from({ length: LIMIT + 1 }, (_, index) => 2000 + index),
  ...Array.from({ length: 40 }, (_, index) => 10_500 + 437 * index),
];

test.each([true, false])('what is left is what fits, with whole places: %s', (whole) => {
  const habits = { whole, countsRejects: false, phaseMs: 0 };
  const made = (upTo: number): ReturnType<typeof limiterOf> => {
    const limiter = limiterOf(LIMIT, WINDOW_MS, habits);
    for (const atMs of TIMES.slice(0, upTo)) limiter.decide(atMs, 0);
    return limiter;
  };
  let tracker: Tracker = track(slidingCounter);
  let [compared, reported] = [0, 0];
  for (const [index, atMs] of TIMES.entries()) {
    const { admitted } = made(index).decide(atMs, 0);
    const outcome = admitted ? 'admitted' : 'rejected';
    tracker = tracker.observe({ sentMs: atMs, receivedMs: atMs + TRIP_MS, outcome });
    if (!admitted || atMs < WINDOW_MS) continue;
    const after = made(index + 1);
    let fits = 0;
    while (after.decide(atMs, 0).admitted) fits += 1;
    const all = tracker
      .candidates()
      .flatMap(({ limit, left }) => (left === undefined || limit.lo !== LIMIT ? [] : [left]));
    compared += 1;
    expect(
      all.some(({ lo, hi }) => lo <= fits && fits <= hi),
      `${fits} fit at ${atMs}, and not ${JSON.stringify(all)}`,
    ).toBe(true);
    if (all.some(({ lo, hi }) => hi - lo <= 1)) reported += 1;
  }
  expect(compared).toBeGreaterThan(5);
  expect(reported).toBeGreaterThan(0);
});
