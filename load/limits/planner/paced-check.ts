/** A client that keeps below what was found: if it is rejected, something else limits it as well. */

import type { ClassEstimate } from '../estimate/estimate.ts';
import type { Step } from './experiment.ts';

/** It sends so many requests: those of one window and a little more, within these bounds. */
const PART_MORE = 1.1;
const LEAST = 8;
const MOST = 30;
/** And takes so much longer for each of them than would be allowed. */
const SLOWER = 1.1;

/**
 * The single requests of such a client; none for a class that no such client meets.
 *
 * @param fullMs when as much is there again as there ever is
 */
export function pacedSteps(found: ClassEstimate, nowMs: number, fullMs: number): Step[] {
  const { windowSeconds, limit } = found;
  if (found.class === 'concurrency' || windowSeconds === undefined) return [];
  // The window of a penalty is hardly ever known: a client that is too fast for it learns it.
  const seconds = found.class === 'penalty' ? windowSeconds.lo : windowSeconds.hi;
  const spacingMs = (SLOWER * 1000 * seconds) / limit.value;
  const count = Math.max(LEAST, Math.ceil(PART_MORE * Math.min(limit.value, MOST)));
  const fromMs = found.class === 'token-bucket' ? nowMs + spacingMs : Math.max(nowMs, fullMs);
  return Array.from({ length: count }, (_, index) => ({
    atMs: fromMs + index * spacingMs,
    count: 1,
  }));
}
