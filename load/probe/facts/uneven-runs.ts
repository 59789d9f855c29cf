/** Whether a limit that fits no class was used up by others as well, as far as its runs show. */

import type { ProbeEvent } from '../../limits/index.ts';

/** Two runs are as good as equal if one is this part of the other at least. */
const ALIKE = 0.75;

/**
 * The fewest and the most requests that were admitted until one was rejected, among the longest runs that are nearly
 * as long as each other: a run that goes on into the next window is longer than all others. If they differ, somebody
 * else took the rest, or several processes count apart. Null if all are alike, and if there are fewer than two.
 */
export function unevenRuns(
  transcripts: readonly (readonly ProbeEvent[])[],
): { readonly least: number; readonly most: number } | null {
  const runs = transcripts.flatMap(runsOf).sort((a, b) => b - a);
  const from = runs.findIndex((run, at) => (runs[at + 1] ?? 0) >= ALIKE * run);
  const most = runs[from];
  if (most === undefined) return null;
  const least = Math.min(...runs.slice(from).filter((run) => run >= ALIKE * most));
  return least < most ? { least, most } : null;
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
