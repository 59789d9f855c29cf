/** What a service says is left, compared with what a candidate would still admit. */

import type { ProbeEvent } from '../transcript.ts';
import type { Candidate, LimiterClass } from './model.ts';

/** How much less likely a candidate is that contradicts a service whose word came true so far. */
const MISFIT = 0.03;
/** Of parts of requests, services tell as many as they like to round to. */
const ROUNDED: ReadonlySet<LimiterClass> = new Set(['token-bucket', 'sliding-counter']);

/**
 * How likely a candidate, as it is after an admission, makes what the service says is left; 1 where it
 * says nothing.
 */
export function fitOfReport(candidate: Candidate, { outcome, report }: ProbeEvent): number {
  const { left } = candidate;
  if (outcome !== 'admitted' || report?.remaining === undefined || left === undefined) return 1;
  const slack = ROUNDED.has(candidate.class) ? 1 : 0;
  return report.remaining >= left.lo - slack && report.remaining <= left.hi + slack ? 1 : MISFIT;
}
