import type { LoadThreshold, RunLoad } from './load-run.ts';

/**
 * What a load run came to, the conformance of its answers apart: all thresholds held · one was broken
 * for certain · its figures do not count · whether it is slower than earlier runs could not be determined.
 */
export type LoadOutcome = 'held' | 'broken' | 'invalid' | 'undecided';

/**
 * Whether a broken threshold stays broken where the generator did not keep its schedule: a wrong answer
 * is wrong whenever it was asked for; a latency may be the generator's own.
 */
function isCertain({ expression, measured }: LoadThreshold): boolean {
  return measured !== undefined && expression.startsWith('violations');
}

/** Whether a threshold speaks of a comparison that was asked for and told nothing for certain. */
export function isUndecided({ expression, measured, held }: LoadThreshold): boolean {
  return !held && measured === undefined && expression.startsWith('slower');
}

/** What decides what a load run came to. */
type Decisive = Pick<RunLoad, 'thresholds' | 'invalid' | 'breakpoint'>;

/**
 * Thresholds that were broken for certain. Those that a search for the breakpoint ended with are what
 * it looked for, except for wrong answers, which nothing excuses.
 */
export function brokenThresholds({ thresholds, invalid, breakpoint }: Decisive): LoadThreshold[] {
  const broken = thresholds.filter(
    (one) =>
      !one.held &&
      !isUndecided(one) &&
      (isCertain(one) || breakpoint?.thresholds.includes(one.expression) !== true),
  );
  return invalid.length === 0 ? broken : broken.filter(isCertain);
}

/** What a load run came to. */
export function loadOutcome(load: Decisive): LoadOutcome {
  if (brokenThresholds(load).length > 0) return 'broken';
  if (load.invalid.length > 0) return 'invalid';
  return load.thresholds.some(isUndecided) ? 'undecided' : 'held';
}

/** Why a comparison that was asked for told nothing for certain, as a sentence. */
export function whyUndecided({ trend, baseline }: Pick<RunLoad, 'trend' | 'baseline'>): string {
  const refused = trend?.refused[0] ?? baseline?.refused[0];
  if (refused !== undefined) return refused;
  return baseline?.rows.every(({ verdict }) => verdict === 'unknown') === true
    ? 'The run or its baseline is too short.'
    : 'Against the baseline it may be the service that is slower, or the machine.';
}
