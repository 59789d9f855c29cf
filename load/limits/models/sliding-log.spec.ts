import { describe, expect, test } from 'vitest';
import { slidingLog as limiterOf } from '../simulated/limiters.testkit.ts';
import { chance } from '../simulated/simulation.testkit.ts';
import type { Candidate, Tracker } from './model.ts';
import { slidingLog } from './sliding-log.ts';

const LIMIT = 3;
const WINDOW_MS = 1_000;

describe.each([
  ['sliding-log', false],
  ['sliding-log-counting-rejects', true],
] as const)('a %s', (name, countsRejects) => {
  /** What is left of the true limit after each of the requests, one at each of the times, ms. */
  function followed(times: readonly number[]): Candidate[] {
    const limiter = limiterOf(LIMIT, WINDOW_MS, countsRejects);
    let tracker: Tracker = slidingLog(name);
    return times.flatMap((atMs) => {
      const outcome = limiter.decide(atMs, atMs).admitted ? 'admitted' : 'rejected';
      tracker = tracker.observe({ sentMs: atMs - 1, receivedMs: atMs + 1, outcome });
      return tracker.candidates().filter(({ limit }) => limit.lo <= LIMIT && limit.hi >= LIMIT);
    });
  }

  /** Used up, then asked right before and after its first request is a window old. */
  const CLOSE = [0, 10, 20, 999, 1_001, 2_400, 2_410, 2_420, 3_399, 3_401, 5_000];

  test('never rules its true window out, however requests come', () => {
    const random = chance(7);
    const runs = Array.from({ length: 20 }, () => {
      let atMs = 0;
      return Array.from({ length: 60 }, () => (atMs += Math.ceil(random() ** 2 * 900)));
    });
    for (const times of [CLOSE, ...runs]) {
      const candidates = followed(times);
      expect(candidates).toHaveLength(times.length);
      for (const { timeMs } of candidates) {
        expect([timeMs.lo <= WINDOW_MS, timeMs.hi >= WINDOW_MS]).toEqual([true, true]);
      }
    }
  });

  test('is known closely once it was asked right before the end of its window', () => {
    const { lo = 0 } = followed(CLOSE).at(-1)?.timeMs ?? {};
    expect(lo).toBeGreaterThan(990);
  });
});
