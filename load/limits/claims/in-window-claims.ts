/** What may not happen inside of a fixed window: more remains than before, or its end moves. */

import type { RateLimitReading } from '../../../contracts/wire/rate-limit-headers.ts';
import { resetUnit } from '../../../contracts/wire/rate-limit-reset.ts';
import type { ReportedEvent } from './reported-event.ts';
import { readingsByName, type ReportedReading } from './readings-by-name.ts';

/** A reset that is rounded to seconds, by a clock of its own, moves by no more than this. */
const STEADY_MS = 2000;
/** Times of sending are early by this much, so that one after another seem to overlap, ms. */
const GRAIN_MS = 1;

/**
 * Claims about one window, of which the rejections are sure to be: a window that admits no more has
 * admitted its limit, so those that were admitted last before were admitted in it.
 *
 * @param events of one bucket, in the order of sending
 * @param limit the measured one
 */
export function inWindowClaims(events: readonly ReportedEvent[], limit: number): string[] {
  return [...readingsByName(oneWindow(events, limit))].flatMap(([name, reported]) => {
    const driftMs = driftOf(reported);
    return [
      ...(rises(reported) ? [`${name}: ${RISES}`] : []),
      ...(driftMs > STEADY_MS
        ? [`${name}: reset drifts by ${Math.round(driftMs / 10) / 100} s`]
        : []),
    ];
  });
}

/** What is told of a series whose remaining requests rise. */
export const RISES = 'remaining rises inside a window';

/** The series, by their names, in which more remains within one window than before. */
export function risingInWindow(events: readonly ReportedEvent[], limit: number): string[] {
  const byName = [...readingsByName(oneWindow(events, limit))];
  return byName.filter(([, reported]) => rises(reported)).map(([name]) => name);
}

/** The requests of the window that ends with the first rejections. */
export function oneWindow(
  events: readonly ReportedEvent[],
  limit: number,
): readonly ReportedEvent[] {
  const rejected = events.findIndex(({ outcome }) => outcome === 'rejected');
  if (rejected === -1) return [];
  const again = events.findIndex(({ outcome }, at) => at > rejected && outcome === 'admitted');
  const before = events.slice(0, rejected).filter(({ outcome }) => outcome === 'admitted');
  const counted = before.slice(Math.max(0, before.length - limit));
  return [...counted, ...events.slice(rejected, again === -1 ? events.length : again)];
}

/**
 * Whether a later answer has more remaining than an earlier one. Only of requests that were not under
 * way at the same time is it known which one the service took first.
 */
function rises(reported: readonly ReportedReading[]): boolean {
  const counts = reported.flatMap(({ reading: { remaining }, event }) =>
    remaining === undefined ? [] : [{ remaining, event }],
  );
  const answered = [...counts].sort((a, b) => a.event.receivedMs - b.event.receivedMs);
  let [at, least] = [0, Infinity];
  for (const { remaining, event } of [...counts].sort((a, b) => a.event.sentMs - b.event.sentMs)) {
    for (; at < answered.length; at += 1) {
      const earlier = answered[at];
      if (earlier === undefined || earlier.event.receivedMs > event.sentMs + GRAIN_MS) break;
      least = Math.min(least, earlier.remaining);
    }
    if (remaining > least) return true;
  }
  return false;
}

/** How far apart two ends are at least, ms: each was told at some moment from sending to receipt. */
function driftOf(reported: readonly ReportedReading[]): number {
  let [latest, earliest] = [-Infinity, Infinity];
  for (const { reading, event } of reported) {
    const span = endOf(reading, event);
    if (span === undefined) continue;
    latest = Math.max(latest, span.fromMs);
    earliest = Math.min(earliest, span.toMs);
  }
  return Number.isFinite(latest) ? latest - earliest : 0;
}

/** The moment that a reset names, in ms since the epoch. */
function endOf(
  { family, reset }: RateLimitReading,
  { sentMs, receivedMs, receivedEpochMs }: ReportedEvent,
): { readonly fromMs: number; readonly toMs: number } | undefined {
  if (reset === undefined) return undefined;
  const { raw } = reset;
  switch (resetUnit(family, raw, receivedEpochMs)) {
    case 'seconds': {
      const toMs = receivedEpochMs + raw * 1000;
      return { fromMs: toMs - (receivedMs - sentMs), toMs };
    }
    case 'epoch-seconds':
      return { fromMs: raw * 1000, toMs: raw * 1000 };
    case 'epoch-milliseconds':
      return { fromMs: raw, toMs: raw };
  }
}
