import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clockWindow as clockLimiter,
  fixedWindow as ownLimiter,
} from '../simulated/limiters.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';
import { clockWindow } from './clock-window.ts';
import { lastWindows } from './first-run.ts';
import { fixedWindow } from './fixed-window.ts';
import type { Tracker } from './model.ts';
import { track } from './track.ts';

const admitted = (sentMs: number): ProbeEvent => ({
  sentMs,
  receivedMs: sentMs + 2,
  outcome: 'admitted',
});

test('a window may have begun with each request, and those before it took no more', () => {
  const ways = lastWindows([0, 100, 200].map(admitted));
  expect(ways.map(({ first, count, windows }) => [first.lo, count, windows])).toEqual([
    [200, 1, 2],
    [100, 2, 1],
    [0, 3, 0],
  ]);
});

test('a failed request is counted in one way, and not in another', () => {
  const failed: ProbeEvent = { ...admitted(100), outcome: 'failed' };
  const ways = lastWindows([admitted(0), failed, admitted(200)]);
  const from = (lo: number): number[] =>
    ways.filter(({ first }) => first.lo === lo).map(({ count }) => count);
  expect([from(0), from(100), from(200)]).toEqual([[2, 3], [2], [1]]);
});

describe('the truth is left after the first rejection', () => {
  const runs = fc.record({
    limit: fc.integer({ min: 2, max: 12 }),
    // At about the pace that is just allowed, then faster.
    pacer: fc.constantFrom(0.5, 0.9, 1.0, 1.01, 1.03),
    slow: fc.integer({ min: 0, max: 40 }),
    phaseMs: fc.integer({ min: 0, max: 999 }),
    failed: fc.option(fc.integer({ min: 0, max: 5 })),
  });

  test.each([
    ['fixed-window', () => track(fixedWindow), ownLimiter],
    ['clock-window', () => track(clockWindow), clockLimiter],
  ] as const)('%s', (_, first, limiter) => {
    fc.assert(
      fc.property(runs, ({ limit, pacer, slow, phaseMs, failed }) => {
        const truth = limiter(limit, 1000, phaseMs);
        let tracker: Tracker = first();
        let atMs = 0;
        for (let at = 0; at < slow + 20; at += 1) {
          atMs += at < slow ? (pacer * 1000) / limit : 10;
          const isAdmitted = truth.decide(atMs, atMs).admitted;
          const outcome = isAdmitted ? (at === failed ? 'failed' : 'admitted') : 'rejected';
          tracker = tracker.observe({ sentMs: atMs - 0.4, receivedMs: atMs + 0.5, outcome });
          if (!isAdmitted) break;
        }
        const holds = tracker
          .candidates()
          .some(
            (one) =>
              one.limit.lo <= limit &&
              one.limit.hi >= limit &&
              one.timeMs.lo <= 1000 &&
              one.timeMs.hi >= 1000,
          );
        expect(holds).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
