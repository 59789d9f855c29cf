/** Limiters that are no single class, as they are met: what is said of them must not be sure and wrong. */

import { ADMITTED as yes } from '../../../fixtures/known-limiters/limiter.ts';
import { chance } from './simulation.testkit.ts';
import {
  bursty,
  clockWindow,
  fixedWindow,
  stacked,
  tokenBucket,
  type TestLimiter,
} from './limiters.testkit.ts';

/** A bucket of n that fills in a window, and no more than n in each window from a first request. */
export function bucketInWindow(n: number, windowMs: number): TestLimiter {
  let tokens = n;
  let last: number | null = null;
  let start = -Infinity;
  let used = 0;
  return {
    decide: (at) => {
      tokens = Math.min(n, tokens + (n * (at - (last ?? at))) / windowMs);
      last = at;
      if (at - start >= windowMs) [start, used] = [at, 0];
      if (tokens < 1 || used >= n) {
        const waitMs = used >= n ? start + windowMs - at : ((1 - tokens) * windowMs) / n;
        return { admitted: false, waitMs };
      }
      tokens -= 1;
      used += 1;
      return yes;
    },
  };
}

/** A rate over two periods that counts all requests, refused ones as well. */
export function rateOfAll(n: number, periodMs: number): TestLimiter {
  let slot = -1;
  let [before, now] = [0, 0];
  return {
    decide: (at) => {
      const at1 = Math.floor(at / periodMs);
      if (at1 !== slot) [slot, before, now] = [at1, at1 === slot + 1 ? now : 0, 0];
      now += 1;
      const rate = now + before * (1 - (at - slot * periodMs) / periodMs);
      return rate <= n ? yes : { admitted: false, waitMs: periodMs };
    },
  };
}

/** A bucket whose rate rises from a third to all of it while it is used. */
export function warmingUp(n: number, perSecond: number, warmMs: number): TestLimiter {
  let tokens = n / 3;
  let last = 0;
  let since = 0;
  return {
    decide: (at) => {
      if (at - last > warmMs) since = at;
      const part = Math.min(1, 1 / 3 + (at - since) / warmMs);
      tokens = Math.min(n * part, tokens + ((at - last) * perSecond * part) / 1000);
      last = at;
      if (tokens < 1) return { admitted: false, waitMs: 1000 / perSecond };
      tokens -= 1;
      return yes;
    },
  };
}

/** Shared with others, who send at random about so many requests in a second. */
export function shared(inner: TestLimiter, perSecond: number, seed: number): TestLimiter {
  const random = chance(seed);
  let nextMs = 0;
  return {
    decide: (at, doneAt) => {
      while (nextMs < at) {
        inner.decide(nextMs, nextMs);
        nextMs -= (Math.log(1 - random()) * 1000) / perSecond;
      }
      return inner.decide(at, doneAt);
    },
  };
}

/** Delays by more and more from some request of a window on, as express-slow-down does. */
export function slowingDown(free: number, windowMs: number, stepMs: number): TestLimiter {
  let start = -Infinity;
  let hits = 0;
  return {
    decide: (at) => {
      if (at - start >= windowMs) [start, hits] = [at, 0];
      hits += 1;
      return { ...yes, delayMs: Math.max(0, hits - free) * stepMs };
    },
  };
}

/** Two replicas with memories of their own, taken in turns at random. */
export function replicas(one: TestLimiter, other: TestLimiter, seed: number): TestLimiter {
  const random = chance(seed);
  return { decide: (at, doneAt) => (random() < 0.5 ? one : other).decide(at, doneAt) };
}

/** A counter that ends once so long nothing came: with each request, or each that it lets in, it lasts anew. */
export function outliving(n: number, idleMs: number, admittedOnly: boolean): TestLimiter {
  let [count, endMs] = [0, -Infinity];
  return {
    decide: (at) => {
      if (at >= endMs) count = 0;
      const admitted = count < n;
      if (admitted || !admittedOnly) endMs = at + idleMs;
      if (!admitted) return { admitted, waitMs: endMs - at };
      count += 1;
      return yes;
    },
  };
}

/** Each misfit by name; a new one for each seed. */
export const MISFITS: Readonly<Record<string, (seed: number) => TestLimiter>> = {
  'bucket in a window, 5 in 1 s': () => bucketInWindow(5, 1000),
  'bucket in a window, 20 in 2 s': () => bucketInWindow(20, 2000),
  'bucket in a window, 100 in 60 s': () => bucketInWindow(100, 60_000),
  'bursty 5 in 1 s and 5 in 5 s': () => bursty(fixedWindow(5, 1000), fixedWindow(5, 5000)),
  'bursty 20 in 2 s and 20 in 10 s': () => bursty(fixedWindow(20, 2000), fixedWindow(20, 10_000)),
  'bursty 10 in 1 s and 30 in 60 s': () => bursty(fixedWindow(10, 1000), fixedWindow(30, 60_000)),
  '10 in 1 s and 25 in 60 s': () => stacked(fixedWindow(10, 1000), fixedWindow(25, 60_000)),
  '5 at once, 1/s, and 20 in 60 s': () => stacked(tokenBucket(5, 1), fixedWindow(20, 60_000)),
  '20 in 10 s of the clock and 50 in 60 s': () =>
    stacked(clockWindow(20, 10_000, 3456), clockWindow(50, 60_000, 3456)),
  'rate of all, 20 in 10 s': () => rateOfAll(20, 10_000),
  'warming up': () => warmingUp(30, 5, 20_000),
  'shared window, 30 in 10 s': (seed) => shared(fixedWindow(30, 10_000), 0.5, seed),
  'shared bucket, 20 at 2/s': (seed) => shared(tokenBucket(20, 2), 0.5, seed),
  'restarted by each request, 8 in 3 s': () => outliving(8, 3000, false),
  'restarted by each that is let in, 8 in 3 s': () => outliving(8, 3000, true),
  'restarted by each request, 40 in 5 s': () => outliving(40, 5000, false),
  'slowing down': () => slowingDown(5, 60_000, 200),
  'two replicas, 10 in 10 s each': (seed) =>
    replicas(fixedWindow(10, 10_000), fixedWindow(10, 10_000), seed),
};

/** A service with so many workers, each of which takes so long for a request: it is slow, no more. */
export function workers(count: number, workMs: number): TestLimiter {
  const free = Array<number>(count).fill(-Infinity);
  return {
    decide: (at) => {
      const next = free.indexOf(Math.min(...free));
      const doneMs = Math.max(at, free[next] ?? at) + workMs;
      free[next] = doneMs;
      return { ...yes, delayMs: doneMs - at };
    },
  };
}

/** Answers that take up to so much longer, at random. */
export function jittery(inner: TestLimiter, mostMs: number, seed: number): TestLimiter {
  const random = chance(seed);
  return {
    decide: (at, doneAt) => ({ ...inner.decide(at, doneAt), delayMs: mostMs * random() }),
  };
}

/** Stands still for so long, each so often, as a collector of garbage does. */
export function pausing(inner: TestLimiter, pauseMs: number, everyMs: number): TestLimiter {
  return {
    decide: (at, doneAt) => {
      const since = at % everyMs;
      return { ...inner.decide(at, doneAt), delayMs: Math.max(0, pauseMs - since) };
    },
  };
}

/** The more are under way at once, the longer all of them take. */
export function contended(stepMs: number): TestLimiter {
  let running: number[] = [];
  return {
    decide: (at) => {
      running = running.filter((end) => end > at);
      const delayMs = stepMs * (1 + running.length) ** 2;
      running.push(at + delayMs);
      return { ...yes, delayMs };
    },
  };
}

/** A share of a processor: work waits for the next slice of time once that of this one is used up. */
export function timeSliced(shareMs: number, sliceMs: number, workMs: number): TestLimiter {
  let freeMs = 0;
  let used = new Map<number, number>();
  return {
    decide: (at) => {
      let now = Math.max(at, freeMs);
      let slice = Math.floor(now / sliceMs);
      if ((used.get(slice) ?? 0) + workMs > shareMs) {
        slice += 1;
        now = slice * sliceMs;
      }
      used = new Map([[slice, (used.get(slice) ?? 0) + workMs]]);
      freeMs = now + workMs;
      return { ...yes, delayMs: freeMs - at };
    },
  };
}
