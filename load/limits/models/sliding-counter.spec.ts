import { describe, expect, test } from 'vitest';
import { requestRate } from '../simulated/library-limiters.testkit.ts';
import { slidingCounter as limiterOf, type TestLimiter } from '../simulated/limiters.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';
import { gridAhead } from './ahead.ts';
import { initial, judged, kappaOf } from './counter-state.ts';
import { gridFrom } from './grid.ts';
import type { Candidate, Model, Tracker } from './model.ts';
import { slidingCounter, slidingCounterCountingRejects } from './sliding-counter.ts';
import { track } from './track.ts';

/** What is left of a model after so many requests at each of the times. */
function after<S>(
  model: Model<S>,
  limiter: TestLimiter,
  sent: readonly [number, number][],
): Tracker {
  let tracker = track(model);
  for (const [fromMs, count] of sent) {
    for (let at = 0; at < count; at += 1) {
      const atMs = fromMs + at;
      const outcome = limiter.decide(atMs, atMs).admitted ? 'admitted' : 'rejected';
      const event: ProbeEvent = { sentMs: atMs - 0.3, receivedMs: atMs + 0.3, outcome };
      tracker = tracker.observe(event);
    }
  }
  return tracker;
}

function holds(tracker: Tracker, limit: number, ms: number): boolean {
  return tracker.candidates().some((one) => one.limit.lo === limit && has(one, ms));
}

function has({ timeMs }: Candidate, ms: number): boolean {
  return timeMs.lo <= ms && timeMs.hi >= ms;
}

/** Counts rejections as well, in windows that follow each other from the first request on. */
function inSteps(limit: number, windowMs: number): TestLimiter {
  const counts = new Map<number, number>();
  return {
    decide: (at) => {
      const slot = Math.floor(at / windowMs);
      const past = at / windowMs - slot;
      const [before = 0, now = 0] = [counts.get(slot - 1), counts.get(slot)];
      counts.set(slot, now + 1);
      return { admitted: before * (1 - past) + now + 1 <= limit, waitMs: 0 };
    },
  };
}

/** A burst, then one request after another until after the second boundary. */
const WATCHED: readonly [number, number][] = [
  [0, 1],
  [200, 25],
  ...Array.from({ length: 8 }, (_, at): [number, number] => [400 + 190 * at, 1]),
];

describe('a counter over two windows', () => {
  test('is held where rejections do not count', () => {
    expect(holds(after(slidingCounter, limiterOf(20, 1000, 300), WATCHED), 20, 1000)).toBe(true);
  });

  test('is held where rejections count, from the first request on', () => {
    const tracker = after(slidingCounterCountingRejects, requestRate(20, 1000), WATCHED);
    expect(holds(tracker, 20, 1000)).toBe(true);
  });

  test('begins anew with a request after two windows without any', () => {
    const pause: [number, number][] = [
      [0, 21],
      // A clock would have had a boundary in between.
      [5730, 1],
      [6600, 25],
      [6760, 1],
      [7150, 1],
      [7350, 1],
    ];
    const tracker = after(slidingCounterCountingRejects, requestRate(20, 1000), pause);
    expect(holds(tracker, 20, 1000)).toBe(true);
  });

  test('may keep the steps that began with the first request, and needs no clock for that', () => {
    const tracker = after(slidingCounterCountingRejects, inSteps(20, 1000), [
      [0, 21],
      [2900, 25],
      [3050, 1],
      // Windows that began at 2900 would reject this.
      [3300, 1],
    ]);
    const own = tracker.candidates().filter(({ boundaryMs }) => boundaryMs === undefined);
    expect(own.some((one) => one.limit.lo === 20 && has(one, 1000))).toBe(true);
  });
});

describe('the next request of a window is due when enough of the one before it is over', () => {
  const counted = { ...initial(false, false, 'clock'), limit: 20, previous: 20 };

  test.each([
    // 20 × (1 − e) + 1 is below 20 after a twentieth of the window, and at most 19 after two of them.
    [false, 1, 1 / 20],
    [true, 1, 2 / 20],
    [false, 10, 10 / 20],
    [true, 19, 1],
    [false, 21, 21 / 20],
  ])('strict: %s, with %i of this window: after %d of it', (strict, current, part) => {
    expect(kappaOf({ ...counted, strict, current })).toBeCloseTo(part, 9);
  });

  test('rejections put it off where they count', () => {
    const grid = gridFrom({ lo: 0, hi: 0 }, 100, { lo: 1000, hi: 1000 });
    const at: ProbeEvent = { sentMs: 40, receivedMs: 40.5, outcome: 'rejected' };
    const decided = { lo: 40, hi: 40.5 };
    const plain = { ...counted, current: 1 };
    expect(judged(plain, grid, at, decided)?.current).toBe(1);
    expect(judged({ ...plain, countsRejects: true }, grid, at, decided)?.current).toBe(2);
  });
});

describe('the counter from now on', () => {
  const given = { limit: 20, lengthMs: 1000, beginMs: 0, current: 0, previous: 19 } as const;

  test.each([
    // 19 × (1 − 0.3) = 13.3: 6.7 places, of which the last one is a part.
    [false, 300, 7],
    [true, 300, 6],
    // 19 × (1 − 1/19) = 18: two places.
    [false, 1000 / 19, 2],
    [true, 1000 / 19, 2],
  ])('strict: %s, at %d ms it admits %i', (strict, atMs, admitted) => {
    expect(gridAhead({ ...given, strict }).take(atMs, 99)).toBe(admitted);
  });

  test('a rejection takes a place where it counts', () => {
    const after = (countsRejects: boolean): number => {
      const ahead = gridAhead({ ...given, strict: false, countsRejects });
      ahead.take(300, 99);
      return ahead.take(1500, 99);
    };
    // 7 or 8 before: 20 less half of them.
    expect([after(false), after(true)]).toEqual([17, 16]);
  });

  test('windows begin anew after two without a request', () => {
    const take = (anew: boolean): number => {
      const ahead = gridAhead({ ...given, strict: false, anew });
      ahead.take(2900, 20);
      return ahead.take(3500, 99);
    };
    expect([take(false), take(true)]).toEqual([10, 0]);
  });

  test('what is left is told by the part of the last window that still counts', () => {
    const grid = gridFrom({ lo: 0, hi: 0 }, 100, { lo: 1000, hi: 1000 });
    const state = { ...initial(false, false, 'clock'), limit: 20, previous: 20, current: 1, grid };
    const left = (atMs: number): Candidate['left'] =>
      slidingCounter.candidate({ ...state, atMs: { lo: atMs, hi: atMs } }).left;
    // 20 − 1 − 20 × 0.497 = 9.06.
    expect(left(503)).toEqual({ lo: 9, hi: 10 });
    expect(left(1000)).toEqual({ lo: 19, hi: 19 });
  });

  test('of one request it is another class, but where a part of a request fills a place', () => {
    const grid = gridFrom({ lo: 0, hi: 0 }, 100, { lo: 1000, hi: 1000 });
    const likelihood = (strict: boolean, limit: number): number | undefined =>
      slidingCounter.candidate({ ...initial(strict, false, 'clock'), limit, grid }).likelihood;
    expect([likelihood(false, 1), likelihood(false, 2), likelihood(true, 1)]).toEqual([
      0, 0.8, 0.8,
    ]);
  });
});
