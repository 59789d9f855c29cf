/** Whether a limit that fits no class was used up by others as well, as far as its runs show. */

import type { ProbeEvent } from '../../limits/index.ts';

/** A run is as good as whole from this part of the longest one on. */
const WHOLE_RUN = 0.75;

/**
 * The fewest and the most requests that were admitted until one was rejected, among runs that are nearly as long as
 * the longest. Where they differ, somebody else took the rest, or several processes count apart. Null where all are
 * alike, and where there are fewer than two.
 */
export function unevenRuns(
  transcripts: readonly (readonly ProbeEvent[])[],
): { readonly least: number; readonly most: number } | null {
  const runs = transcripts.flatMap(runsOf);
  const most = Math.max(0, ...runs);
  const least = Math.min(...runs.filter((run) => run >= WHOLE_RUN * most));
  return runs.length > 1 && least < most ? { least, most } : null;
}

function runsOf(events: readonly ProbeEvent[]): number[] {
  const runs: number[] = [];
  let run = 0;
  for (const { outcome } of events) {
    if (outcome === 'admitted') run += 1;
    else if (outcome === 'rejected' && run > 0) {
      runs.push(run);
      run = 0;
    }
  }
  return runs;
}
