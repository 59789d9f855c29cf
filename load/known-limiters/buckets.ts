/** Simulated limiters of tokens and of places, and two limiters at once. */

import { ADMITTED, rejected, type Limiter } from './limiter.ts';

/** Tokens that come one by one, continuously. */
export function tokenBucket(capacity: number, perSecond: number): Limiter {
  // The moment at which the bucket is full again tells all.
  let fullMs = -Infinity;
  const tokenMs = 1000 / perSecond;
  return {
    decide: (atMs) => {
      const next = Math.max(fullMs, atMs) + tokenMs;
      const excessMs = next - atMs - capacity * tokenMs;
      if (excessMs > 1e-6) return rejected(excessMs);
      fullMs = next;
      return ADMITTED;
    },
  };
}

/** Tokens that come some at a time, in steps from the first request on. */
export function intervalRefill(capacity: number, refill: number, intervalMs: number): Limiter {
  let firstMs: number | undefined;
  let [steps, tokens] = [0, capacity];
  return {
    decide: (atMs) => {
      const fromMs = (firstMs ??= atMs);
      const due = Math.floor((atMs - fromMs) / intervalMs);
      tokens = Math.min(capacity, tokens + (due - steps) * refill);
      steps = due;
      if (tokens < 1) return rejected(fromMs + (due + 1) * intervalMs - atMs);
      tokens -= 1;
      return ADMITTED;
    },
  };
}

/** A number of requests at once, whatever came before. */
export function places(limit: number): Limiter {
  let busyUntilMs: readonly number[] = [];
  return {
    decide: (atMs, doneMs) => {
      busyUntilMs = busyUntilMs.filter((ms) => ms > atMs);
      if (busyUntilMs.length >= limit) return rejected(1);
      busyUntilMs = [...busyUntilMs, doneMs];
      return ADMITTED;
    },
  };
}

/**
 * A meter that leaks: what it holds beyond `free` is held back until its turn, what would make it hold
 * more than `most` is rejected. The first request of an empty one is not counted.
 */
export function leakyMeter(most: number, free: number, perSecond: number): Limiter {
  let held: number | undefined;
  let lastMs = 0;
  return {
    decide: (atMs) => {
      const leaked = ((atMs - lastMs) * perSecond) / 1000;
      const next = held === undefined ? 0 : Math.max(0, held - leaked + 1);
      if (next > most + 1e-9) return rejected(((next - most) * 1000) / perSecond);
      [held, lastMs] = [next, atMs];
      const delayMs = Math.max(0, ((next - free) * 1000) / perSecond);
      return { ...ADMITTED, delayMs };
    },
  };
}

/** Both must admit. @param all whether the outer one counts what the inner one rejects as well */
export function stacked(inner: Limiter, outer: Limiter, all: boolean): Limiter {
  return {
    decide: (atMs, doneMs) => {
      const first = inner.decide(atMs, doneMs);
      if (!first.admitted && !all) return first;
      const second = outer.decide(atMs, doneMs);
      if (first.admitted && second.admitted) return ADMITTED;
      return { ...rejected(Math.max(first.waitMs, second.waitMs)), byOuter: first.admitted };
    },
  };
}
