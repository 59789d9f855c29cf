/** Names of the runs of one report by what they are, which is the same whatever their records are named. */

import { kindOf } from '../contracts/release/release-runs.ts';
import type { BrokenBy, RunJson } from '../contracts/run/run.ts';

/** What a run is: its kind, of a load with the scenario. */
export function kindWords(run: RunJson): string {
  const { load } = run;
  return load === undefined ? kindOf(run) : `load ${load.scenario}`;
}

/** How a run asked: by a profile, which a load and a probe of limits have none of. */
export function modeWords(run: Pick<RunJson, 'kind' | 'limits' | 'load' | 'profile'>): string {
  const kind = kindOf(run);
  return kind === 'check' ? run.profile : kind;
}

/** By what else than a rule a run does not conform, and which APIs were out; a few words each. */
export function marksOf({ outages = [], brokenBy = [] }: Marked): string[] {
  const others = brokenBy.filter((by) => by !== 'rule');
  return [
    ...(others.length === 0 ? [] : [`broken: ${others.join(' and ')}`]),
    ...outages.map((api) => `${api} was out`),
  ];
}

interface Marked {
  readonly outages?: readonly string[];
  readonly brokenBy?: readonly BrokenBy[];
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
