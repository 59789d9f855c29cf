/** What a run came to as a whole. */

import type { Judge, RuleResult, Verdict } from '../../contracts/judging/judge.ts';
import type { FailOn } from '../../contracts/judging/rule-choice.ts';
import { brokenThresholds } from '../../contracts/run/load/load-outcome.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { metricOf } from '../../contracts/run/load/threshold.ts';
import type { BrokenBy, Outcome, RunReplayed } from '../../contracts/run/run.ts';
import type { RunFacts } from './run-facts.ts';

/**
 * A broken must decides at once. Without one the run must have been through, and each API have
 * served something: a service that answers nothing but errors proves nothing. A limit that was
 * measured to the end is what its run was for, though no rule may speak of it.
 */
export function outcomeOf(
  results: readonly RuleResult[],
  openEnded: boolean,
  wasMeasured: boolean,
  failOn: FailOn,
): Outcome {
  const failing: readonly Verdict[] = failOn === 'should' ? ['fail', 'warn'] : ['fail'];
  if (results.some(({ verdict }) => failing.includes(verdict))) return 'does-not-conform';
  const decided =
    wasMeasured || results.some(({ verdict }) => ['pass', 'warn', 'waived'].includes(verdict));
  return openEnded || !decided ? 'undecided' : 'conforms';
}

/** By what a run does not conform; none of another. */
export function brokenByOf(
  outcome: Outcome,
  { load }: { readonly load?: RunLoad | undefined },
  byRules: Outcome,
): BrokenBy[] {
  if (outcome !== 'does-not-conform') return [];
  const metrics = (load === undefined ? [] : brokenThresholds(load)).map(({ expression }) =>
    metricOf(expression) === 'slower' ? ('slower' as const) : ('threshold' as const),
  );
  return [...new Set([...(byRules === 'does-not-conform' ? ['rule' as const] : []), ...metrics])];
}

/** Whether rules of the configuration that could fail the run are without a verdict of their own. */
export function isOwnOpen({ notAtHand = [], choice }: RunFacts, { ownCrashes }: Judge): boolean {
  const failing = choice.failOn === 'should' ? ['must', 'should'] : ['must'];
  return ownCrashes.length > 0 || notAtHand.some(({ level }) => failing.includes(level));
}

/** Whether an outage says nothing of the finding that a replay was to show again: an answer showed it then. */
export function isOutOfReplay({ replayed }: Pick<RunFacts, 'replayed'>): boolean {
  const { then } = replayed ?? {};
  return then?.rate !== undefined && then.isFailed !== true;
}

/** What became of the finding that a replay was to show again. */
export function replayedOf(
  { replay, replayed, cutShort, regressions = [] }: RunFacts,
  results: readonly RuleResult[],
): RunReplayed | undefined {
  if (replay === undefined) return undefined;
  const { then } = replayed ?? {};
  const isShown = results.some(({ findings }) => findings.length > 0);
  const isOpen = cutShort || regressions.some((row) => row.verdict === 'unclear');
  // What no answer was judged by is not gone; of requests by themselves the drive says so.
  const isJudged = replay.includes('@requests:') || results.some(({ evidence }) => evidence > 0);
  const verdict = isShown ? 'shown' : isOpen || !isJudged ? 'unclear' : 'not-shown';
  return then === undefined ? { verdict } : { then, verdict };
}
