/** Simulated limiters that count the requests of a time. */

import { ADMITTED, rejected, type Limiter } from './limiter.ts';

/** What a window that opens with a request does on rejections. */
export type OnReject = 'nothing' | 'restart' | { readonly blockMs: number };

/** A window of its own for the client, from the first request after the last one ended. */
export function ownWindow(limit: number, windowMs: number, onReject: OnReject): Limiter {
  let opensMs = -Infinity;
  let lastsMs = windowMs;
  let left = limit;
  return {
    decide: (atMs) => {
      if (atMs - opensMs >= lastsMs) [opensMs, lastsMs, left] = [atMs, windowMs, limit];
      if (left > 0) {
        left -= 1;
        return ADMITTED;
      }
      if (onReject === 'restart') opensMs = atMs;
      else if (onReject !== 'nothing' && left === 0) {
        // Once: later rejections neither lengthen the block nor begin another.
        [opensMs, lastsMs, left] = [atMs, onReject.blockMs, -1];
      }
      return rejected(opensMs + lastsMs - atMs);
    },
  };
}

/** A count for each stretch of a clock. @param phaseMs where on the probe's clock a stretch begins */
export function clockWindow(limit: number, windowMs: number, phaseMs: number): Limiter {
  const counts = new Map<number, number>();
  return {
    decide: (atMs) => {
      const slot = Math.floor((atMs - phaseMs) / windowMs);
      const count = counts.get(slot) ?? 0;
      if (count >= limit) return rejected((slot + 1) * windowMs + phaseMs - atMs);
      counts.set(slot, count + 1);
      return ADMITTED;
    },
  };
}

/** The moments of the last requests; rejected ones among them where they count as well. */
export function slidingLog(limit: number, windowMs: number, countsRejects: boolean): Limiter {
  let log: readonly number[] = [];
  return {
    decide: (atMs) => {
      log = log.filter((ms) => ms > atMs - windowMs);
      const admitted = log.length < limit;
      if (admitted || countsRejects) log = [...log, atMs];
      if (admitted) return ADMITTED;
      return rejected((log[log.length - limit] ?? atMs) + windowMs - atMs);
    },
  };
}

/** How two stretches are counted as one. */
export interface CounterHabits {
  /** Whether a whole place must be free, or any part of one. */
  readonly whole: boolean;
  readonly countsRejects: boolean;
  /** Where on the probe's clock a stretch begins; from the first request on where absent. */
  readonly phaseMs?: number;
}

/** The present stretch, and of the one before the part that a window of the same length still has. */
export function slidingCounter(limit: number, windowMs: number, habits: CounterHabits): Limiter {
  let { phaseMs } = habits;
  let [slot, before, now] = [0, 0, 0];
  const counted = (atMs: number, fromMs: number): number => {
    const x = (atMs - fromMs) / windowMs - slot;
    if (x >= 2) return 0;
    return x >= 1 ? now * (2 - x) : before * (1 - x) + now;
  };
  return {
    decide: (atMs) => {
      const fromMs = (phaseMs ??= atMs);
      const at = Math.floor((atMs - fromMs) / windowMs);
      if (at > slot) [slot, before, now] = [at, at === slot + 1 ? now : 0, 0];
      const fits = (ms: number): boolean =>
        counted(ms, fromMs) + (habits.whole ? 1 : 0) <= limit - (habits.whole ? 0 : 1e-9);
      const admitted = fits(atMs);
      if (admitted || habits.countsRejects) now += 1;
      if (admitted) return ADMITTED;
      let [lo, hi] = [0, 2 * windowMs];
      for (let halving = 0; halving < 40; halving += 1) {
        const middle = (lo + hi) / 2;
        if (fits(atMs + middle)) hi = middle;
        else lo = middle;
      }
      return rejected(hi);
    },
  };
}
