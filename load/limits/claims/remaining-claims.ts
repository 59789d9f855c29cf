/** What remains by the fields of the answers, where it cannot be so under any limiter. */

import type { LimitEstimate } from '../../../contracts/run/load/limit-measurement.ts';
import type { ReportedEvent } from './reported-event.ts';
import { readingsByName, type ReportedReading } from './readings-by-name.ts';

/** This many admitted ones with the same number show that it does not count them. */
const MIN_ADMITTED = 5;
/** When this many answers of a kind have no field, it is no accident. */
const MIN_ANSWERS = 2;

/**
 * A sentence on each: a number below 0; one that stays the same until a request is rejected; fields that
 * admitted requests are answered with and rejected ones are not.
 *
 * @param events of one bucket, in the order of sending
 */
export function remainingClaims(
  events: readonly ReportedEvent[],
  { algorithms }: Pick<LimitEstimate, 'algorithms'>,
): string[] {
  const rejected = events.filter(({ outcome }) => outcome === 'rejected').length;
  return [...readingsByName(events)].flatMap(([name, reported]) => {
    const least = Math.min(...reported.flatMap(({ reading: { remaining } }) => remaining ?? []));
    // Who counts requests under way has as many left after each of them.
    const frozen = algorithms.includes('concurrency') ? undefined : frozenOf(reported, events);
    const isMissing =
      rejected >= MIN_ANSWERS &&
      admittedOf(reported) >= MIN_ANSWERS &&
      reported.every(({ event }) => event.outcome !== 'rejected');
    return [
      ...(Number.isFinite(least) && least < 0
        ? [`${name}: remaining falls below 0, to ${least}`]
        : []),
      ...(frozen === undefined ? [] : [`${name}: ${frozen}`]),
      ...(isMissing ? [`${name}: stated for admitted requests, and never for rejected ones`] : []),
    ];
  });
}

function admittedOf(reported: readonly ReportedReading[]): number {
  return reported.filter(({ event }) => event.outcome === 'admitted').length;
}

/** What the requests that were admitted before the first rejection were told, where all were told alike. */
export function frozenOf(
  reported: readonly ReportedReading[],
  events: readonly ReportedEvent[],
): string | undefined {
  const rejected = events.findIndex(({ outcome }) => outcome === 'rejected');
  if (rejected === -1) return undefined;
  const before = new Set(events.slice(0, rejected).filter(({ outcome }) => outcome === 'admitted'));
  const left = reported.flatMap(({ reading, event }) =>
    before.has(event) ? [reading.remaining] : [],
  );
  const [one] = left;
  const isSame = one !== undefined && left.every((other) => other === one);
  if (!isSame || left.length < MIN_ADMITTED) return undefined;
  return `remaining stays at ${one} while ${left.length} are admitted, until one is rejected`;
}
