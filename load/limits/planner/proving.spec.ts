import { describe, expect, test } from 'vitest';
import { aloneAhead, gridAhead } from '../models/ahead.ts';
import type { Candidate } from '../models/index.ts';
import { learn, prior, weighed } from '../estimate/posterior.ts';
import {
  fixedWindow,
  slidingCounter,
  slidingLog,
  type TestLimiter,
} from '../simulated/limiters.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';
import type { Step } from './experiment.ts';
import { opensMs, restToProve, stepsToProve } from './proving.ts';

const WINDOW_MS = 10_000;

/** What is known of a class after single requests at these times, ms. */
function seen(limiter: TestLimiter, name: string, atMs: readonly number[], tripMs = 4) {
  const posterior = weighed(
    atMs.reduce((now, ms) => {
      const outcome = limiter.decide(ms, ms).admitted ? 'admitted' : 'rejected';
      const times = { sentMs: ms - tripMs / 2, receivedMs: ms + tripMs / 2 };
      return learn(now, [{ ...times, outcome } satisfies ProbeEvent]);
    }, prior()),
  );
  const [best] = posterior.alternatives
    .filter(({ candidate }) => candidate.class === name)
    .sort((a, b) => b.probability - a.probability);
  if (best === undefined) throw new Error(`${name} is ruled out`);
  const timing = { nowMs: atMs.at(-1) ?? 0, slackMs: 5, reportsHold: false };
  return { best, events: posterior.transcript.events, timing };
}

/** What is to be done next to prove a class. */
function afterAsking(...asked: Parameters<typeof seen>): Step[] {
  const { best, events, timing } = seen(...asked);
  return stepsToProve(best, events, timing);
}

const burst = (fromMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => fromMs + 5 * index);

test('a log is used up once more as soon as all of it is there again', () => {
  // Used up, two are back; the rest of the first burst is over a window after it.
  const asked = [0, ...burst(2000, 10), 9990, 10_010, 10_015];
  const [first, second] = afterAsking(slidingLog(10, WINDOW_MS), 'sliding-log', asked);
  expect(first?.count).toBe(1);
  // The one that came back at ten seconds is free again at twenty.
  expect(first?.atMs).toBeGreaterThanOrEqual(20_000);
  expect(first?.atMs).toBeLessThan(21_000);
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeLessThan(0.4 * WINDOW_MS);
});

test('a greater limit need not be there to the last request', () => {
  const asked = [...burst(0, 60), ...burst(4000, 41), 9990, 10_010, 10_015];
  const [first] = afterAsking(slidingLog(100, WINDOW_MS), 'sliding-log', asked);
  // All but the two that were let in last are free again when the first burst is.
  expect(first?.atMs).toBeGreaterThanOrEqual(14_000);
  expect(first?.atMs).toBeLessThan(15_500);
});

test('a counter that weighs the window before is used up before that weighs nothing', () => {
  const limiter = slidingCounter(50, WINDOW_MS, 0);
  const asked = [0, ...burst(2000, 50), ...[10_000, 10_100, 10_210, 10_300, 10_405, 10_410]];
  const [first] = afterAsking(limiter, 'sliding-counter', asked);
  expect(first?.atMs).toBeLessThan(21_000);
});

test('a window is used up so late that the burst is over by its end', () => {
  const asked = [0, ...burst(200, 83), 9960, 10_040, ...burst(10_100, 5)];
  const limiter = fixedWindow(83, WINDOW_MS);
  // With answers that take so long a burst takes a third of the window.
  const late = afterAsking(limiter, 'fixed-window', asked, 40).at(-1);
  expect(20_040 - (late?.atMs ?? 0)).toBeGreaterThan(0.3 * WINDOW_MS);
  expect(20_040 - (late?.atMs ?? 0)).toBeLessThan(0.6 * WINDOW_MS);
});

test('of a window that was used up late already only what comes back is asked', () => {
  const asked = [0, ...burst(200, 20), 9960, 10_040, ...burst(18_800, 20)];
  const steps = afterAsking(fixedWindow(20, WINDOW_MS), 'fixed-window', asked);
  expect(steps).toHaveLength(1);
  expect(steps[0]?.atMs).toBeGreaterThan(20_040);
  expect(steps[0]?.atMs).toBeLessThan(20_300);
  // As many as no bucket has by then, and not all.
  expect(steps[0]?.count).toBeGreaterThan(20 * (0.13 + 0.1));
  expect(steps[0]?.count).toBeLessThan(14);
});

test('a window that nobody would choose is asked shortly before its end as well', () => {
  const lengthMs = 7300;
  const asked = [0, ...burst(200, 20), 7290, 7310, 7320];
  const name = 'fixed-window';
  const late = afterAsking(fixedWindow(20, lengthMs), name, asked).at(-1);
  const endMs = 7310 + lengthMs;
  // It must have been closed for a good part of the window by then.
  expect(endMs - (late?.atMs ?? 0)).toBeGreaterThan(0.3 * lengthMs);
  const usedUp = [...asked, ...burst(late?.atMs ?? 0, 19)];
  const [before, back] = afterAsking(fixedWindow(20, lengthMs), name, usedUp);
  expect(before).toMatchObject({ count: 1 });
  expect(before?.atMs).toBeGreaterThan(endMs - 0.1 * lengthMs);
  expect(before?.atMs).toBeLessThan(endMs - 10);
  expect(back?.atMs).toBeGreaterThan(endMs);
});

describe('where a window was used up late and is open again', () => {
  const usedUp = [0, ...burst(200, 20), 9960, 10_040, ...burst(18_800, 20)];
  const rest = (asked: readonly number[]): Step | null => {
    const { best, events, timing } = seen(fixedWindow(20, WINDOW_MS), 'fixed-window', asked);
    return restToProve(best, events, timing);
  };

  test('a few requests more are asked for at once', () => {
    const step = rest([...usedUp, 20_060]);
    expect(step?.atMs).toBe(20_060);
    expect(step?.count).toBeGreaterThan(3);
    expect(step?.count).toBeLessThan(10);
  });

  test('none are where a bucket had time to fill, or where it is proven', () => {
    expect(rest([...usedUp, 26_000])).toBeNull();
    expect(rest([...usedUp, ...burst(20_060, 12)])).toBeNull();
  });

  test('none are of another class', () => {
    const { best, events, timing } = seen(slidingLog(20, WINDOW_MS), 'sliding-log', usedUp);
    expect(restToProve(best, events, timing)).toBeNull();
  });
});

test('a counter of rejections is asked right before it opens, and after what that puts off', () => {
  const given = { limit: 10, lengthMs: WINDOW_MS, beginMs: 0, current: 11, previous: 0 };
  const candidate: Candidate = {
    ...{ class: 'sliding-counter-counting-rejects', limit: { lo: 10, hi: 10 }, open: 'no' },
    ...{ timeMs: { lo: WINDOW_MS, hi: WINDOW_MS }, base: { lo: 0, hi: 0 }, factor: 1 },
    ahead: () => gridAhead({ ...given, strict: false, countsRejects: true }),
  };
  const events = burst(0, 11).map((ms, at): ProbeEvent => {
    return { sentMs: ms - 2, receivedMs: ms + 2, outcome: at < 10 ? 'admitted' : 'rejected' };
  });
  const timing = { nowMs: 60, slackMs: 5, reportsHold: false };
  const steps = stepsToProve({ candidate, probability: 1, pointMasses: [] }, events, timing);
  const [before, after] = steps.map(({ atMs }) => atMs);
  expect(steps.map(({ count }) => count)).toEqual([1, 1]);
  // Of eleven one must be over, and with the one that asks before, two.
  expect(before).toBeGreaterThan(10_500);
  expect(before).toBeLessThan(10_909);
  expect(after).toBeGreaterThan(11_818);
  expect(after).toBeLessThan(12_000);
});

test('a counter is open when a place of the window before is free, not at the end of that window', () => {
  const grid = { limit: 10, lengthMs: 1000, beginMs: 0, current: 10, previous: 0 } as const;
  expect(opensMs(gridAhead({ ...grid, strict: true }), 500, 5)).toBeCloseTo(1100);
  expect(opensMs(aloneAhead(), 500, 5)).toBeUndefined();
});
