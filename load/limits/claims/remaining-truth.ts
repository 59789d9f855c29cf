/** Whether what remains by the fields of the answers can be so, of the limit that was measured. */

import type {
  LimitEstimate,
  RemainingTruth,
} from '../../../contracts/run/load/limit-measurement.ts';
import { risingInWindow, RISES } from './in-window-claims.ts';
import { readingsByName, type ReportedReading } from './readings-by-name.ts';
import { frozenOf } from './remaining-claims.ts';
import type { ReportedEvent } from './reported-event.ts';

/** Classes whose remaining requests only fall until the window ends. */
const FIXED: ReadonlySet<string> = new Set(['fixed-window', 'clock-window']);

/**
 * What the fields say is left of the measured limit, and what of it no correct limiter says: a number
 * that is below 0 at times, one that stays the same until a request is rejected, one that rises inside of
 * a fixed window. Fields that state another limit than the measured one, or none and more left than it
 * has, may speak of another limit, so they tell nothing.
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
  const all = [...readingsByName(events)].filter(([, reported]) => isOf(reported, measured));
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
    ];
  });
  return { told: Math.max(...all.map(([, reported]) => remainingIn(reported).length)), wrong };
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

function remainingIn(reported: readonly ReportedReading[]): number[] {
  return reported.flatMap(({ reading: { remaining } }) => remaining ?? []);
}
