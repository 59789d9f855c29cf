/** What windows can have come and gone while nothing was rejected: worked out once, not event by event. */

import type { ProbeEvent } from '../transcript.ts';
import type { Interval } from './interval.ts';

/** One way in which the window that met the first rejection can have begun. */
export interface LastWindow {
  /** When its first request was decided. */
  readonly first: Interval;
  /** When the one before was decided; absent where that window is the first of all. */
  readonly before?: Interval;
  /** How many requests were counted in it. */
  readonly count: number;
  /** How many full windows before it there are at least, since none takes more than it took. */
  readonly windows: number;
  /** From the first request of all to the first one of this window, at most, ms. */
  readonly spanMs: number;
}

/** Of failed requests, which may have been counted or not, so many may be unlike the others. */
const MAX_FAILED = 4;

/**
 * Every last window under a run of admissions and failures that a rejection ended: its limit is what was
 * counted in it, and windows before took no more. Requests that went out at once stand in any order.
 */
export function lastWindows(run: readonly ProbeEvent[]): LastWindow[] {
  const [begin] = run;
  if (begin === undefined) return [];
  const ways: LastWindow[] = [];
  const all = run.filter(({ outcome }) => outcome === 'admitted').length;
  let [admitted, failed] = [0, 0];
  for (let from = run.length - 1; from >= 0; from -= 1) {
    const event = run[from] ?? begin;
    const isFailed = event.outcome === 'failed';
    if (isFailed) failed += 1;
    else admitted += 1;
    const before = run[from - 1];
    // What opens the window was counted.
    for (let more = isFailed ? 1 : 0; more <= failed; more += 1) {
      // A service that counts failures counts nearly all of them.
      if (more > MAX_FAILED && failed - more > MAX_FAILED) continue;
      const count = admitted + more;
      ways.push({
        first: { lo: event.sentMs, hi: event.receivedMs },
        ...(before === undefined ? {} : { before: { lo: before.sentMs, hi: before.receivedMs } }),
        count,
        windows: before === undefined ? 0 : Math.max(1, Math.ceil((all - admitted) / count)),
        spanMs: event.receivedMs - begin.sentMs,
      });
    }
  }
  return ways;
}
