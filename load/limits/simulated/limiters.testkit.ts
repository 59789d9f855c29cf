/**
 * Limiters with exact clocks and known parameters, written without a glance at `models/`: what they do
 * is the truth that the estimator is compared with.
 */

/** One decision of a limiter. */
export interface Answer {
  readonly admitted: boolean;
  /** After a rejection: how long until a request would be admitted, ms, when none comes before. */
  readonly waitMs: number;
  /** How long the service holds the request back, ms. */
  readonly delayMs?: number;
}

/** A service's limiter for one client. `atMs` never goes back; the request is done at `doneMs`. */
export interface TestLimiter {
  decide(atMs: number, doneMs: number): Answer;
}

const yes: Answer = { admitted: true, waitMs: 0 };
const no = (waitMs: number): Answer => ({ admitted: false, waitMs: Math.max(0, waitMs) });

export function fixedWindow(n: number, windowMs: number): TestLimiter {
  let start = -Infinity;
  let hits = 0;
  return {
    decide: (at) => {
      if (at - start >= windowMs) [start, hits] = [at, 0];
      hits += 1;
      return hits <= n ? yes : no(start + windowMs - at);
    },
  };
}

/** @param epochMs the wall clock at 0 */
export function clockWindow(n: number, windowMs: number, epochMs: number): TestLimiter {
  let slot = -1;
  let hits = 0;
  return {
    decide: (at) => {
      const now = Math.floor((at + epochMs) / windowMs);
      if (now !== slot) [slot, hits] = [now, 0];
      hits += 1;
      return hits <= n ? yes : no((slot + 1) * windowMs - at - epochMs);
    },
  };
}

export function slidingLog(n: number, windowMs: number, countRejects = false): TestLimiter {
  let log: number[] = [];
  return {
    decide: (at) => {
      log = log.filter((time) => at - time < windowMs);
      if (log.length < n) {
        log.push(at);
        return yes;
      }
      if (countRejects) log.push(at);
      return no((log[log.length - n] ?? at) + windowMs - at);
    },
  };
}

export function slidingCounter(n: number, windowMs: number, epochMs: number): TestLimiter {
  const counts = new Map<number, number>();
  const weight = (at: number): number => {
    const x = (at + epochMs) / windowMs;
    const slot = Math.floor(x);
    return (counts.get(slot - 1) ?? 0) * (1 - (x - slot)) + (counts.get(slot) ?? 0);
  };
  return {
    decide: (at) => {
      if (weight(at) < n) {
        const slot = Math.floor((at + epochMs) / windowMs);
        counts.set(slot, (counts.get(slot) ?? 0) + 1);
        return yes;
      }
      let [lo, hi] = [0, 2 * windowMs];
      for (let i = 0; i < 50; i += 1) {
        const mid = (lo + hi) / 2;
        if (weight(at + mid) < n) hi = mid;
        else lo = mid;
      }
      return no(hi);
    },
  };
}

export function tokenBucket(capacity: number, perSecond: number): TestLimiter {
  let tokens = capacity;
  let last: number | null = null;
  return {
    decide: (at) => {
      tokens = Math.min(capacity, tokens + ((at - (last ?? at)) * perSecond) / 1000);
      last = at;
      if (tokens >= 1 - 1e-9) {
        tokens -= 1;
        return yes;
      }
      return no(((1 - tokens) * 1000) / perSecond);
    },
  };
}

export function intervalRefill(capacity: number, refill: number, everyMs: number): TestLimiter {
  let tokens = capacity;
  let origin: number | null = null;
  let filled = 0;
  return {
    decide: (at) => {
      origin ??= at;
      const due = Math.floor((at - origin) / everyMs);
      tokens = Math.min(capacity, tokens + (due - filled) * refill);
      filled = due;
      if (tokens >= 1) {
        tokens -= 1;
        return yes;
      }
      return no(origin + (due + 1) * everyMs - at);
    },
  };
}

export function penalty(n: number, windowMs: number, blockMs: number): TestLimiter {
  let inner = fixedWindow(n, windowMs);
  let until = -Infinity;
  return {
    decide: (at) => {
      if (at < until) return no(until - at);
      if (inner.decide(at, at).admitted) return yes;
      until = at + blockMs;
      inner = fixedWindow(n, windowMs);
      return no(blockMs);
    },
  };
}

export function restartOnReject(n: number, windowMs: number): TestLimiter {
  let start = -Infinity;
  let hits = 0;
  return {
    decide: (at) => {
      if (at - start >= windowMs) [start, hits] = [at, 0];
      hits += 1;
      if (hits <= n) return yes;
      start = at;
      return no(windowMs);
    },
  };
}

export function concurrency(n: number): TestLimiter {
  let running: number[] = [];
  return {
    decide: (at, doneAt) => {
      running = running.filter((end) => end > at);
      if (running.length >= n) return no(1);
      running.push(doneAt);
      return yes;
    },
  };
}

export function shaper(burst: number, perSecond: number): TestLimiter {
  let free = -Infinity;
  const gap = 1000 / perSecond;
  return {
    decide: (at) => {
      free = Math.max(free + gap, at - burst * gap);
      return { admitted: true, waitMs: 0, delayMs: Math.max(0, free - at) };
    },
  };
}

/** Both must admit; the outer one counts only what the inner one lets through. */
export function stacked(inner: TestLimiter, outer: TestLimiter): TestLimiter {
  return {
    decide: (at, doneAt) => {
      const first = inner.decide(at, doneAt);
      return first.admitted ? outer.decide(at, doneAt) : first;
    },
  };
}

/** Either may admit: a burst on top of a rate, as some libraries have it. */
export function bursty(rate: TestLimiter, burst: TestLimiter): TestLimiter {
  return {
    decide: (at, doneAt) => {
      const first = rate.decide(at, doneAt);
      if (first.admitted) return first;
      const second = burst.decide(at, doneAt);
      return second.admitted ? second : no(Math.min(first.waitMs, second.waitMs));
    },
  };
}

/** No limit at all. */
export function unlimited(): TestLimiter {
  return { decide: () => yes };
}

/**
 * A leaky queue as nginx's `limit_req` has it: `free` pass at once, those beyond wait for their turn,
 * and with `queue` waiting the next is rejected.
 */
export function delaying(free: number, perSecond: number, queue: number): TestLimiter {
  let excess = 0;
  let last = -Infinity;
  return {
    decide: (at) => {
      // The first request of an idle client adds nothing.
      const now = Math.max(-1, excess - ((at - last) * perSecond) / 1000) + 1;
      if (now > free - 1 + queue) return no(((now - free + 1 - queue) * 1000) / perSecond);
      [excess, last] = [now, at];
      return { ...yes, delayMs: (Math.max(0, now - free + 1) * 1000) / perSecond };
    },
  };
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
      if (waits && waiting >= (queue ?? Infinity)) return no(opens + windowMs - at);
      if (left === 0) [opens, left] = [opens + windowMs, n];
      left -= 1;
      return { ...yes, delayMs: Math.max(0, opens - at) };
    },
  };
}
