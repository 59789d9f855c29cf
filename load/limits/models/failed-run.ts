/** What failed requests before the first rejection can have been: counted or not. */

import type { ProbeEvent } from '../transcript.ts';

/** Of failed requests, which may have been counted or not, so many may be unlike the others. */
const MAX_UNLIKE = 4;

/** One way in which failed requests can have been taken. */
export interface CountedRun {
  /** The requests that were counted, in order. */
  readonly counted: readonly ProbeEvent[];
  /** Whether all failed requests were taken alike: one service has one habit. */
  readonly isAlike: boolean;
}

/**
 * The ways in which a run of admissions and failures can have been counted: of each number of failures
 * one, and only those numbers with which nearly all of them, or nearly none, were counted. Followed event
 * by event their number would grow with each failure; this is at most ten.
 */
export function countedRuns(run: readonly ProbeEvent[]): CountedRun[] {
  const failed = run.filter(({ outcome }) => outcome === 'failed').length;
  const ways: CountedRun[] = [];
  for (let more = 0; more <= failed; more += 1) {
    if (more > MAX_UNLIKE && failed - more > MAX_UNLIKE) continue;
    let left = more;
    const counted = run.filter(({ outcome }) => {
      if (outcome !== 'failed') return true;
      left -= 1;
      return left >= 0;
    });
    if (counted.length > 0) ways.push({ counted, isAlike: more === 0 || more === failed });
  }
  return ways;
}
