/**
 * What a limiter of known values admits and rejects at most, compared with a transcript by counting alone.
 * Each function answers the place of the first event that the limiter cannot have answered so; -1 where
 * it can have answered all. The time of a decision is free from `sentMs` to `receivedMs`.
 */

import type { Interval } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';

/** Sums of parts of tokens are not exact. */
const ROUNDED = 1e-6;

/** A log of so many requests of a window. */
export interface LogValues {
  readonly limit: number;
  readonly windowMs: Interval;
  readonly countsRejects: boolean;
}

/** A request is admitted with fewer than the limit in the window before it, and only then. */
export function outsideLog(
  events: readonly ProbeEvent[],
  { limit, windowMs, countsRejects }: LogValues,
): number {
  return events.findIndex((event, at) => {
    const { outcome, sentMs, receivedMs } = event;
    if (outcome === 'failed') return false;
    const [least, most] = [receivedMs - windowMs.lo, sentMs - windowMs.hi];
    let count = outcome === 'admitted' && !countsRejects ? 1 : 0;
    for (const [index, other] of events.entries()) {
      if (index === at || other.sentMs > receivedMs) continue;
      const isCounted = countsRejects || other.outcome === 'admitted';
      // Of those that were decided at the same time, as many are taken as make it possible.
      const isBefore = other.receivedMs <= (countsRejects ? sentMs : receivedMs);
      if (outcome === 'rejected') {
        if ((isCounted || other.outcome === 'failed') && other.receivedMs > most) count += 1;
      } else if (isCounted && other.outcome !== 'failed' && isBefore && other.sentMs > least) {
        count += 1;
      }
    }
    if (outcome === 'rejected') return count < limit;
    return countsRejects ? count >= limit : count > limit;
  });
}

/** Between two rejections no stretch of time shorter than this holds more admissions. */
export function beyondCount(events: readonly ProbeEvent[], most: number, withinMs: number): number {
  return events.findIndex(({ outcome, receivedMs }, at) => {
    if (outcome !== 'admitted') return false;
    const run = events.slice(0, at + 1);
    const rejectedAt = run.findLastIndex((other) => other.outcome === 'rejected');
    const within = run
      .slice(rejectedAt + 1)
      .filter(
        (other) =>
          other.outcome === 'admitted' &&
          other.sentMs > receivedMs - withinMs &&
          other.receivedMs <= receivedMs,
      );
    return within.length > most;
  });
}

/** A bucket: tokens that it holds, and come in so many ms at least and at most, `refill` at a time. */
export interface BucketValues {
  readonly limit: number;
  readonly refill: number;
  readonly everyMs: Interval;
  /** Whether tokens come in steps; evenly where they do not. */
  readonly inSteps: boolean;
}

/**
 * From any request on no more is admitted than the bucket holds and what comes, and none is rejected
 * while a token is left since the bucket was full at some request before.
 */
export function outsideBucket(
  events: readonly ProbeEvent[],
  { limit, refill, everyMs, inSteps }: BucketValues,
): number {
  /** Tokens that have surely come in a time, and that may have. */
  const come = (timeMs: number, intervalMs: number, more: number): number =>
    refill * (inSteps ? Math.floor(Math.max(0, timeMs) / intervalMs) + more : timeMs / intervalMs);
  const before: { readonly event: ProbeEvent; readonly admitted: number; readonly used: number }[] =
    [];
  let [admitted, used] = [0, 0];
  for (const [at, event] of events.entries()) {
    const { outcome, sentMs, receivedMs } = event;
    if (outcome !== 'rejected') before.push({ event, admitted, used });
    if (outcome === 'admitted') admitted += 1;
    if (outcome !== 'rejected') used += 1;
    if (outcome === 'failed') continue;
    const isPossible =
      outcome === 'admitted'
        ? before.every(
            (from) =>
              admitted - from.admitted <=
              limit + come(receivedMs - from.event.sentMs, everyMs.lo, 1) + ROUNDED,
          )
        : before.some(
            (from) =>
              limit - (used - from.used) + come(sentMs - from.event.receivedMs, everyMs.hi, 0) <
              1 + ROUNDED,
          );
    if (!isPossible) return at;
  }
  return -1;
}

/** A request is rejected only beside as many others as may be under way. */
export function aloneAmong(events: readonly ProbeEvent[], limit: number): number {
  return events.findIndex((event) => {
    if (event.outcome !== 'rejected') return false;
    const beside = events.filter(
      (other) =>
        other !== event &&
        other.outcome !== 'rejected' &&
        other.sentMs <= event.receivedMs &&
        other.receivedMs >= event.sentMs,
    );
    return beside.length < limit;
  });
}
