/** How much the classes that are left explain: a limiter of another kind is explained as well, by chance. */

import type { ProbeEvent } from '../transcript.ts';
import type { Posterior } from './posterior.ts';

/** How much likelier the outcomes must be than by habit, as a logarithm to base 10. */
const MIN_TOLD = 7;
/** Before anything was seen a change is as likely as not: as if each had been seen half a time. */
const SEEN_BEFORE = 0.5;

/**
 * Whether what is left makes the outcomes much likelier than they are for somebody who knows no limiter. Each
 * outcome that only narrows the parameters costs about as much as it explains; each that was foretold counts.
 * What the service says of itself, and says truly all along, tells more than that.
 */
export function isTelling(
  { weight, transcript, reportsHold }: Posterior,
  leastLog10: number = MIN_TOLD,
): boolean {
  return reportsHold || Math.log10(weight) - log10ByHabit(transcript.events) >= leastLog10;
}

/**
 * How likely the outcomes are for somebody who learns from them how often an admission follows an admission, and
 * a rejection a rejection; its logarithm to base 10.
 * Source: Krichevsky and Trofimov, "The performance of universal encoding" (1981).
 */
export function log10ByHabit(events: readonly ProbeEvent[]): number {
  const seen = {
    admitted: { same: SEEN_BEFORE, changed: SEEN_BEFORE },
    rejected: { same: SEEN_BEFORE, changed: SEEN_BEFORE },
  };
  let before: keyof typeof seen = 'admitted';
  let sum = 0;
  for (const { outcome } of events) {
    if (outcome === 'failed') continue;
    const counts = seen[before];
    const kind = outcome === before ? 'same' : 'changed';
    sum += Math.log10(counts[kind] / (counts.same + counts.changed));
    counts[kind] += 1;
    before = outcome;
  }
  return sum;
}
