import type { Scenario } from './scenarios/scenario.ts';
import { parseThreshold, type Threshold } from './thresholds.ts';

/**
 * What is compared with a run where nobody says otherwise: that no answer was wrong, and that the
 * generator did what it should, and what the scenario keeps. Nothing is said of latencies, of which the
 * interface promises nothing, nor of errors beyond a usual day; a search for the breakpoint needs something
 * to break.
 *
 * @param isJudged whether answers are judged at all
 */
export function usualThresholds(
  { endsWhenBroken, keeps = [] }: Pick<Scenario, 'endsWhenBroken' | 'keeps'>,
  isJudged: boolean,
): readonly Threshold[] {
  return [
    ...(isJudged ? ['violations==0'] : []),
    'dropped==0',
    ...(endsWhenBroken ? ['p99<1s', 'errors<5%', 'throttled<50%'] : keeps),
  ].map(parseThreshold);
}

/**
 * The thresholds of a run: those that somebody wrote, and the usual ones of what nobody wrote any for.
 */
export function withUsual(
  written: readonly Threshold[],
  usual: readonly Threshold[],
): readonly Threshold[] {
  const key = ({ operation = '', metric }: Threshold): string => `${operation}:${metric}`;
  const taken = new Set(written.map(key));
  return [...written, ...usual.filter((one) => !taken.has(key(one)))];
}
