/** What a limiter of known parameters would do next: for choosing the probe that tells most. */

/** One limiter from now on. Mutable; `copy` before trying something out. */
export interface Ahead {
  /** Sends up to `count` requests at once, until one is rejected; answers how many are admitted. */
  take(atMs: number, count: number): number;
  /** Times after `fromMs` at which more would be admitted: the first few, and when it is full. */
  changes(fromMs: number): readonly number[];
  copy(): Ahead;
}

/** The windows that open with a request; with a rejection, they may open anew or block. */
export interface WindowAhead {
  readonly limit: number;
  readonly windowMs: number;
  /** When the present window ends; -Infinity when there is none. */
  readonly endMs: number;
  readonly left: number;
  /** Whether the window is a block. */
  readonly blocked?: boolean;
  /** What a rejection does: nothing, the window starts anew, or it blocks for a time. */
  readonly onReject: 'nothing' | 'restart' | { readonly blockMs: number };
}

export function windowAhead(given: WindowAhead): Ahead {
  const { limit, windowMs, onReject } = given;
  let { endMs: end, left: rest, blocked = false } = given;
  return {
    take: (atMs, count) => {
      if (atMs >= end) [end, rest, blocked] = [atMs + windowMs, limit, false];
      const admitted = Math.min(count, rest);
      rest -= admitted;
      if (admitted < count && onReject !== 'nothing') {
        if (onReject === 'restart') [end, rest] = [atMs + windowMs, 0];
        else if (!blocked) [end, rest, blocked] = [atMs + onReject.blockMs, 0, true];
      }
      return admitted;
    },
    changes: (fromMs) => (end > fromMs ? [end] : []),
    copy: () => windowAhead({ ...given, endMs: end, left: rest, blocked }),
  };
}

/** Windows of a grid; `previous` is the count before, where it still weighs. */
export interface GridAhead {
  readonly limit: number;
  readonly lengthMs: number;
  readonly beginMs: number;
  readonly current: number;
  /** Null where only the present window counts. */
  readonly previous: number | null;
  /** Whether a whole place must be free. */
  readonly strict: boolean;
  /** Whether rejections count as well. */
  readonly countsRejects?: boolean;
  /** Whether windows begin with the first request after two without any. */
  readonly anew?: boolean;
}

export function gridAhead(given: GridAhead): Ahead {
  const { limit, lengthMs, strict } = given;
  let { beginMs, current, previous } = given;
  const forward = (atMs: number): void => {
    const passed = Math.floor((atMs - beginMs) / lengthMs);
    if (passed <= 0) return;
    if (previous !== null) previous = passed === 1 ? current : 0;
    current = 0;
    beginMs = given.anew === true && passed > 1 ? atMs : beginMs + passed * lengthMs;
  };
  return {
    take: (atMs, count) => {
      forward(atMs);
      const weighed = (previous ?? 0) * (1 - Math.max(0, atMs - beginMs) / lengthMs);
      const free = limit - current - weighed;
      const rest = Math.max(0, strict ? Math.floor(free + 1e-9) : Math.ceil(free - 1e-9));
      const admitted = Math.min(count, rest);
      current += admitted + (given.countsRejects === true && admitted < count ? 1 : 0);
      return admitted;
    },
    changes: (fromMs) => {
      const endMs = beginMs + lengthMs;
      if (previous === null) return [endMs, endMs + lengthMs].filter((at) => at > fromMs);
      const slack = strict ? 1 : 0;
      // A window whose own count is too great admits nothing more before its end.
      const due = (counted: number, now: number, from: number): number => {
        const part = Math.max(0, counted + now - limit + slack) / Math.max(1, counted);
        return part <= 1 ? from + lengthMs * part : endMs;
      };
      const times = [0, 1].flatMap((more) => [
        due(previous ?? 0, current + more, beginMs),
        due(current, more, endMs),
      ]);
      return [...times, endMs, endMs + lengthMs].filter((at) => at > fromMs);
    },
    copy: () => gridAhead({ ...given, beginMs, current, previous }),
  };
}

/** A log of the counted requests, oldest first. */
export function logAhead(
  limit: number,
  windowMs: number,
  counted: readonly number[],
  countsRejects: boolean,
): Ahead {
  let log = counted.slice(-limit);
  return {
    take: (atMs, count) => {
      const kept = log.filter((ms) => ms > atMs - windowMs);
      const admitted = Math.min(count, limit - kept.length);
      const added = admitted + (countsRejects && admitted < count ? 1 : 0);
      log = [...kept, ...Array.from({ length: added }, () => atMs)].slice(-limit);
      return admitted;
    },
    changes: (fromMs) => {
      const full = log.length >= limit ? log : [];
      const times = [full[0], full[1], log.at(-1)].flatMap((ms) =>
        ms === undefined ? [] : [ms + windowMs],
      );
      return times.filter((at) => at > fromMs);
    },
    copy: () => logAhead(limit, windowMs, log, countsRejects),
  };
}

/**
 * Tokens that fall `refill` at a time, `everyMs` apart: `evenly`, in steps of a `clock`, or in steps
 * that begin `anew` with a request that finds the bucket full.
 */
export interface BucketAhead {
  readonly capacity: number;
  readonly refill: number;
  readonly everyMs: number;
  readonly tokens: number;
  /** When `tokens` was so, and with steps a refill fell. */
  readonly atMs: number;
  readonly steps: 'evenly' | 'clock' | 'anew';
}

export function bucketAhead(given: BucketAhead): Ahead {
  const { capacity, refill, everyMs } = given;
  const steps = given.steps !== 'evenly';
  let { tokens, atMs: last } = given;
  return {
    take: (atMs, count) => {
      const passed = Math.max(0, (atMs - last) / everyMs);
      const refills = steps ? Math.floor(passed) : passed;
      tokens = Math.min(capacity, tokens + refills * refill);
      last = given.steps === 'anew' && tokens === capacity ? atMs : last + refills * everyMs;
      const admitted = Math.min(count, Math.max(0, Math.floor(tokens + 1e-9)));
      tokens -= admitted;
      return admitted;
    },
    changes: (fromMs) => {
      const after = (more: number): number => {
        const refills = more / refill;
        return last + (steps ? Math.ceil(refills - 1e-9) : refills) * everyMs;
      };
      const whole = Math.floor(tokens + 1e-9);
      const times = [1, 2, capacity - whole].map((more) => after(whole + more - tokens));
      const next = steps ? last + Math.ceil((fromMs - last) / everyMs + 1e-9) * everyMs : fromMs;
      return [...times, next, next + everyMs].filter((at) => at > fromMs);
    },
    copy: () => bucketAhead({ ...given, tokens, atMs: last }),
  };
}

/** Admits whatever comes alone. */
export function aloneAhead(): Ahead {
  return { take: (_, count) => count, changes: () => [], copy: aloneAhead };
}
