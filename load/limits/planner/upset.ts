/** A class that became all but certain by one rejection: another limit may have rejected there. */

import { runsOf, WHOLE_RUN } from '../estimate/coincidence.ts';
import type { ClassEstimate } from '../estimate/estimate.ts';
import type { LimiterClass } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';

/** A class that nearly nothing spoke for, and how many events there were when one rejection left it alone. */
export interface Upset {
  readonly class: LimiterClass;
  readonly count: number;
}

/** Less than this is unlikely, more than that all but certain. */
const UNLIKELY = 0.1;
const CERTAIN = 0.9;

/**
 * The upset, where one request or burst made one of what was unlikely before; the one before where it did not.
 *
 * @param before the classes when they were weighed last; none where they were not yet
 * @param burst what came since
 */
export function upsetBy(
  upset: Upset | null,
  before: readonly ClassEstimate[],
  [best]: readonly ClassEstimate[],
  events: readonly ProbeEvent[],
  burst: readonly ProbeEvent[],
): Upset | null {
  if (best === undefined || best.probability < CERTAIN || before.length === 0) return upset;
  const was = before.find((one) => one.class === best.class)?.probability ?? 0;
  const isByRejection = burst.some(({ outcome }) => outcome === 'rejected');
  return was < UNLIKELY && isByRejection ? { class: best.class, count: events.length } : upset;
}

/** Whether the class was an upset, and its limit was not used up since. */
export function isUpset(
  upset: Upset | null,
  { class: name, limit, windowSeconds }: ClassEstimate,
  events: readonly ProbeEvent[],
): boolean {
  if (upset?.class !== name) return false;
  const runs = runsOf(events.slice(upset.count), name, limit.hi, 1000 * (windowSeconds?.lo ?? 0));
  return !runs.some(({ admitted }) => admitted >= WHOLE_RUN * limit.hi);
}
