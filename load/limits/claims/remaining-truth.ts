/** Whether what remains by the fields of the answers can be so, of the limit that was measured. */

import type {
  LimitEstimate,
  RemainingTruth,
} from '../../../contracts/run/load/limit-measurement.ts';
import { oneWindow, risingInWindow, RISES } from './in-window-claims.ts';
import { readingsByName, type ReportedReading } from './readings-by-name.ts';
import { frozenOf } from './remaining-claims.ts';
import type { ReportedEvent } from './reported-event.ts';

/** What is left may be said before or after a request is counted itself. */
const ITSELF = 1;
/** When this many answers promise more than there is, or less, it is no accident. */
const MIN_WRONG = 2;
/** Times of sending are early by this much, so that one after another seem to overlap, ms. */
const GRAIN_MS = 1;

/** Classes whose remaining requests only fall until the window ends. */
const FIXED: ReadonlySet<string> = new Set(['fixed-window', 'clock-window']);

/**
 * What the fields say is left of the measured limit, and what of it no correct limiter says: a number
 * that is below 0 at times, one that stays the same until a request is rejected, one that rises inside of
 * a fixed window, one after which fewer are admitted until one is rejected, and one after which more are
 * admitted in the same fixed window. Fields that state another limit than the measured one, or none and
 * more left than it has, may speak of another limit, so they tell nothing, unless their window is the measured
 * one and a rejection itself says that more are left.
 *
 * @param events of one bucket, in the order of sending
 * @returns undefined where no field speaks of the measured limit
 */
export function remainingTruth(
  events: readonly ReportedEvent[],
  estimate: LimitEstimate,
): RemainingTruth | undefined {
  const measured = estimate.burst ?? estimate.limit;
  if (measured === undefined) return undefined;
  const { algorithms } = estimate;
  const isFixed = algorithms.length > 0 && algorithms.every((name) => FIXED.has(name));
  const rising = new Set(isFixed ? risingInWindow(events, measured) : []);
  const all = [...readingsByName(events)].filter(
    ([, reported]) => isOf(reported, measured) || isOfItsWindow(reported, estimate.windowSeconds),
  );
  if (all.length === 0) return undefined;
  const wrong = all.flatMap(([name, reported]) => {
    const left = remainingIn(reported);
    const least = Math.min(...left);
    // The same number below 0 each time is a word for something else, such as no limit.
    const isBelow = least < 0 && left.some((other) => other !== least);
    // Who counts requests under way has as many left after each of them.
    const frozen = algorithms.includes('concurrency') ? undefined : frozenOf(reported, events);
    return [
      ...(isBelow ? [`${name}: remaining falls below 0, to ${least}`] : []),
      ...(frozen === undefined ? [] : [`${name}: ${frozen}`]),
      ...(rising.has(name) ? [`${name}: ${RISES}`] : []),
      // What stays or rises is said already.
      ...(frozen !== undefined || rising.has(name)
        ? []
        : [
            ...tooMany(reported, events, algorithms),
            ...(isFixed ? tooFew(reported, events, measured) : []),
          ].map((problem) => `${name}: ${problem}`)),
    ];
  });
  return { told: Math.max(...all.map(([, reported]) => remainingIn(reported).length)), wrong };
}

/** Numbers after which fewer were admitted than they say, although tokens only come back. */
function tooMany(
  reported: readonly ReportedReading[],
  events: readonly ReportedEvent[],
  algorithms: readonly string[],
): string[] {
  if (algorithms.includes('concurrency')) return [];
  const wrong = admittedWithLeft(reported).flatMap(({ event, left }) => {
    const rejected = events.find(
      (other) => other.outcome === 'rejected' && other.sentMs > event.receivedMs + GRAIN_MS,
    );
    if (rejected === undefined) return [];
    // All that may have been counted after it; the service may have taken those under way in any order.
    const others = events.filter(
      (other) =>
        ![event, rejected].includes(other) &&
        other.receivedMs > event.sentMs &&
        other.sentMs <= rejected.receivedMs,
    );
    return others.length < left - ITSELF ? [{ left, others: others.length }] : [];
  });
  const worst = wrong.sort((a, b) => b.left - b.others - (a.left - a.others))[0];
  return worst === undefined || wrong.length < MIN_WRONG
    ? []
    : [`remaining is ${worst.left} and one is rejected after ${worst.others} more requests`];
}

/** Numbers after which more were admitted in the same window than they say. */
function tooFew(
  reported: readonly ReportedReading[],
  events: readonly ReportedEvent[],
  measured: number,
): string[] {
  const window = oneWindow(events, measured).filter(({ outcome }) => outcome === 'admitted');
  const wrong = admittedWithLeft(reported).flatMap(({ event, left }) => {
    if (!window.includes(event)) return [];
    const later = window.filter(({ sentMs }) => sentMs > event.receivedMs + GRAIN_MS).length;
    return later > left + ITSELF ? [{ left, later }] : [];
  });
  const worst = wrong.sort((a, b) => b.later - b.left - (a.later - a.left))[0];
  return worst === undefined || wrong.length < MIN_WRONG
    ? []
    : [`remaining is ${worst.left} where ${worst.later} more are admitted in the same window`];
}

function admittedWithLeft(
  reported: readonly ReportedReading[],
): { readonly event: ReportedEvent; readonly left: number }[] {
  return reported.flatMap(({ reading: { remaining }, event }) =>
    remaining === undefined || event.outcome !== 'admitted' ? [] : [{ event, left: remaining }],
  );
}

/** Whether a series says what is left of a limit of so many requests. */
function isOf(reported: readonly ReportedReading[], measured: number): boolean {
  const left = remainingIn(reported);
  const stated = reported.flatMap(({ reading: { policies } }) =>
    policies.length === 0 ? [] : [policies.some(({ limit }) => limit === measured)],
  );
  if (left.length === 0) return false;
  return stated.length === 0 ? left.every((one) => one <= measured) : !stated.includes(false);
}

/** Windows are measured to a twentieth, and reported in whole seconds. */
const SAME_WINDOW = 0.05;
const WHOLE_SECOND = 1;

/**
 * Whether a series is of the measured window, whatever limit it states. Its longest wait is as long as that.
 * What is left rises again and again, as it never does of a wider limit. Rejections say that more is left.
 */
function isOfItsWindow(
  reported: readonly ReportedReading[],
  windowSeconds: number | undefined,
): boolean {
  const rejected = reported.filter(
    ({ reading: { remaining = 0 }, event }) => event.outcome === 'rejected' && remaining > ITSELF,
  );
  if (windowSeconds === undefined || rejected.length < MIN_WRONG) return false;
  const left = remainingIn(reported);
  const rises = left.filter((one, at) => one > (left[at - 1] ?? Infinity)).length;
  if (rises < MIN_WRONG) return false;
  const longest = Math.max(...reported.map(resetSecondsOf));
  return (
    longest >= windowSeconds * (1 - SAME_WINDOW) - WHOLE_SECOND / 2 &&
    longest <= windowSeconds * (1 + SAME_WINDOW) + WHOLE_SECOND
  );
}

/** Above it a number is a moment since the epoch, in seconds, and above the other one in milliseconds. */
const LEAST_EPOCH_SECONDS = 1e9;
const LEAST_EPOCH_MS = 1e12;

function resetSecondsOf({ reading: { reset }, event }: ReportedReading): number {
  const raw = reset?.raw ?? Infinity;
  if (raw < LEAST_EPOCH_SECONDS) return raw;
  return (raw < LEAST_EPOCH_MS ? raw : raw / 1000) - event.receivedEpochMs / 1000;
}

function remainingIn(reported: readonly ReportedReading[]): number[] {
  return reported.flatMap(({ reading: { remaining } }) => remaining ?? []);
}
