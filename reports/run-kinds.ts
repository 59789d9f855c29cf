/** Runs of one report told apart by what they are, which is the same whatever their records are named. */

import { kindOf } from '../contracts/release/release-runs.ts';
import type { RunJson } from '../contracts/run/run.ts';

/** What a run is: its kind, of a load with the scenario. */
export function kindWords(run: RunJson): string {
  const { load } = run;
  return load === undefined ? kindOf(run) : `load ${load.scenario}`;
}

/** Names of which the second that is the same, and each further one, has its number. */
export function numbered(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} ${times}`;
  });
}
