/** What remains by the fields of the answers, where it cannot be so under any limiter. */

import type { LimitEstimate } from '../../contracts/limit-measurement.ts';
import type { ToldEvent } from './header-claims.ts';
import { toldByName, type ToldReading } from './told-by-name.ts';

/** As many admitted ones with the same number say that it does not count them. */
const LEAST_ADMITTED = 5;
/** That so many answers of a kind have no field is no accident. */
const LEAST_ANSWERS = 2;

/**
 * A sentence on each: a number below 0; one that stays the same until a request is rejected; fields that
 * admitted requests are answered with and rejected ones are not.
 *
 * @param events of one bucket, in the order of sending
 */
export function remainingClaims(
  events: readonly ToldEvent[],
  { algorithms }: Pick<LimitEstimate, 'algorithms'>,
): string[] {
  const rejected = events.filter(({ outcome }) => outcome === 'rejected').length;
  return [...toldByName(events)].flatMap(([name, told]) => {
    const least = Math.min(...told.flatMap(({ reading: { remaining } }) => remaining ?? []));
    // Who counts requests under way has as many left after each of them.
    const frozen = algorithms.includes('concurrency') ? undefined : frozenOf(told);
    const isMissing =
      rejected >= LEAST_ANSWERS &&
      admittedOf(told) >= LEAST_ANSWERS &&
      told.every(({ event }) => event.outcome !== 'rejected');
    return [
      ...(Number.isFinite(least) && least < 0
        ? [`${name}: remaining falls below 0, to ${least}`]
        : []),
      ...(frozen === undefined ? [] : [`${name}: ${frozen}`]),
      ...(isMissing ? [`${name}: told of admitted requests, and never of rejected ones`] : []),
    ];
  });
}

function admittedOf(told: readonly ToldReading[]): number {
  return told.filter(({ event }) => event.outcome === 'admitted').length;
}

/** Of the requests up to the first rejection, which one more has brought about. */
function frozenOf(told: readonly ToldReading[]): string | undefined {
  const first = told.findIndex(({ event }) => event.outcome === 'rejected');
  const until = first === -1 ? [] : told.slice(0, first + 1);
  const [one, ...more] = until.map(({ reading: { remaining } }) => remaining);
  const admitted = admittedOf(until);
  if (one === undefined || admitted < LEAST_ADMITTED || more.some((other) => other !== one)) {
    return undefined;
  }
  return `remaining stays at ${one} while ${admitted} are admitted and the next is rejected`;
}
