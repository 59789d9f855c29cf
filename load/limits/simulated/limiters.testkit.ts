/**
 * Limiters for specs of the estimator, with a line each: the plain ones are simulated by the class and parameters that
 * they have in truth, and written without a glance at `models/`.
 */
import { type Habits, limiterOf } from '../../../fixtures/known-limiters/limiter-of.ts';
import {
  ADMITTED,
  type Limiter as TestLimiter,
  rejected,
} from '../../../fixtures/known-limiters/limiter.ts';
import { stacked as bothOf } from '../../../fixtures/known-limiters/buckets.ts';
import type { TrueClass } from '../../../fixtures/known-limiters/truth.ts';

export type { Limiter as TestLimiter } from '../../../fixtures/known-limiters/limiter.ts';

const windowed = (name: TrueClass, limit: number, ms: number, habits?: Habits): TestLimiter =>
  limiterOf({ class: name, limit, seconds: ms / 1000 }, habits);

export function fixedWindow(n: number, windowMs: number): TestLimiter {
  return windowed('fixed-window', n, windowMs);
}

/** @param epochMs the wall clock at 0 */
export function clockWindow(n: number, windowMs: number, epochMs: number): TestLimiter {
  return windowed('clock-window', n, windowMs, { phaseMs: -epochMs });
}

export function slidingLog(n: number, windowMs: number, countRejects = false): TestLimiter {
  return windowed(countRejects ? 'sliding-log-counting-rejects' : 'sliding-log', n, windowMs);
}

/** @param epochMs the wall clock at 0 */
export function slidingCounter(n: number, windowMs: number, epochMs: number): TestLimiter {
  return windowed('sliding-counter', n, windowMs, { phaseMs: -epochMs });
}

export function tokenBucket(capacity: number, perSecond: number): TestLimiter {
  return limiterOf({ class: 'token-bucket', limit: capacity, perSecond });
}

export function intervalRefill(capacity: number, refill: number, everyMs: number): TestLimiter {
  const intervalSeconds = everyMs / 1000;
  return limiterOf({ class: 'interval-refill', limit: capacity, refill, intervalSeconds });
}

export function penalty(n: number, windowMs: number, blockMs: number): TestLimiter {
  const [countedSeconds, seconds] = [windowMs / 1000, blockMs / 1000];
  return limiterOf({ class: 'penalty-block', limit: n, seconds, countedSeconds });
}

export function restartOnReject(n: number, windowMs: number): TestLimiter {
  return windowed('restart-on-reject', n, windowMs);
}

export function concurrency(n: number): TestLimiter {
  return limiterOf({ class: 'concurrency', limit: n });
}

/** So many pass at once, those beyond wait for their turn, and none is rejected. */
export function shaper(burst: number, perSecond: number): TestLimiter {
  return delaying(burst + 1, perSecond, Infinity);
}

/**
 * A leaky queue as nginx's `limit_req` has it: `free` pass at once, those beyond wait for their turn,
 * and with `queue` waiting the next is rejected.
 */
export function delaying(free: number, perSecond: number, queue: number): TestLimiter {
  return limiterOf({
    class: 'shaping-with-reject',
    limit: free + queue,
    atOnce: free,
    perSecond,
  });
}

/** Both must admit; the outer one counts only what the inner one lets through. */
export function stacked(inner: TestLimiter, outer: TestLimiter): TestLimiter {
  return bothOf(inner, outer, false);
}

/** Either may admit: a burst on top of a rate, as some libraries have it. */
export function bursty(rate: TestLimiter, burst: TestLimiter): TestLimiter {
  return {
    decide: (at, doneMs) => {
      const first = rate.decide(at, doneMs);
      if (first.admitted) return first;
      const second = burst.decide(at, doneMs);
      return second.admitted ? second : rejected(Math.min(first.waitMs, second.waitMs));
    },
  };
}

/** No limit at all. */
export function unlimited(): TestLimiter {
  return { decide: () => ADMITTED };
}

/**
 * So many pass in a window that opens with the first of them; others wait for the next window, as
 * behind tower's `rate_limit` with a buffer. With `queue` waiting the next is rejected.
 */
export function heldWindow(n: number, windowMs: number, queue?: number): TestLimiter {
  let [opens, left] = [-Infinity, 0];
  return {
    decide: (at) => {
      if (at >= opens + windowMs) [opens, left] = [at, n];
      const ahead = Math.max(0, Math.ceil((opens - at) / windowMs));
      const waiting = ahead === 0 ? 0 : (ahead - 1) * n + n - left;
      const waits = left === 0 || ahead > 0;
      if (waits && waiting >= (queue ?? Infinity)) return rejected(opens + windowMs - at);
      if (left === 0) [opens, left] = [opens + windowMs, n];
      left -= 1;
      return { ...ADMITTED, delayMs: Math.max(0, opens - at) };
    },
  };
}
