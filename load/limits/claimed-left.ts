/**
 * What a service says is left, held against what was seen. Where its word came true all the way to the
 * first rejection it is evidence, though weaker than what was measured: it tells without another burst
 * how much came back.
 */

import type { ProbeEvent } from './transcript.ts';

/** Fewer admissions with a number say too little of the service. */
const LEAST_CLAIMS = 3;
/** The first number may fall short of what was admitted by this part: tokens come back meanwhile. */
const LEAST_PART = 0.75;

/** Whether the numbers of what is left came true: down to nothing when the first one was rejected. */
export function claimsHold(events: readonly ProbeEvent[]): boolean {
  const first = events.findIndex(({ outcome }) => outcome === 'rejected');
  if (first === -1) return false;
  const before = events.slice(0, first);
  const left = before.flatMap(({ claim }) => claim?.remaining ?? []);
  if (left.length < Math.max(LEAST_CLAIMS, before.length)) return false;
  const none = events.every(
    ({ outcome, claim }) => outcome !== 'rejected' || (claim?.remaining ?? 0) === 0,
  );
  const most = Math.max(...left);
  return (
    none && Math.min(...left) <= 1 && most < left.length && most >= LEAST_PART * (left.length - 1)
  );
}
