/** Names of the runs of one report by what they are, which is the same whatever their records are named. */

import { kindOf } from '../contracts/release/release-runs.ts';
import type { AtTimesRow, BrokenBy, RunJson } from '../contracts/run/run.ts';
import { shareWords } from './finding-words.ts';

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

/** More that was out, or did not serve at times, is counted. */
const MAX_NAMED = 3;

/** By what else than a rule a run does not conform, what was out, and what did not serve at times; a few words each. */
export function marksOf({ outages = [], brokenBy = [], atTimes = [] }: Marked): string[] {
  const others = brokenBy.filter((by) => by !== 'rule');
  return [
    ...(others.length === 0 ? [] : [`broken: ${others.join(' and ')}`]),
    ...fewOf(outages, (one) => `${one} was out`, 'out'),
    ...fewOf(atTimes, atTimesWords, 'at times'),
  ];
}

function fewOf<T>(all: readonly T[], wordsOf: (one: T) => string, what: string): string[] {
  const more = all.length - MAX_NAMED;
  return [
    ...all.slice(0, MAX_NAMED).map((one) => wordsOf(one)),
    ...(more > 0 ? [`${more} more ${what}`] : []),
  ];
}

type AtTimes = Pick<AtTimesRow, 'operation' | 'kind' | 'count' | 'of'>;

/** What an operation did not serve at times, with its rate and interval. */
export function atTimesWords({ operation, kind, count, of }: AtTimes): string {
  return `${operation} ${kind} ${count} of ${of} at times, ${shareWords(count, of)}`;
}

interface Marked {
  readonly outages?: readonly string[];
  readonly brokenBy?: readonly BrokenBy[];
  readonly atTimes?: readonly AtTimes[];
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
