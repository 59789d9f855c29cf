import type { Scenario } from './scenarios/scenario.ts';
import { parseThreshold, type Threshold } from '../contracts/run/load/threshold.ts';

/**
 * What is compared with a run where nobody says otherwise: that no answer was wrong, and that the
 * generator did what it should, and what the scenario keeps. Nothing is said of latencies, of which the
 * interface promises nothing, nor of errors beyond a usual day. A search for the breakpoint needs something
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
    ...(endsWhenBroken ? ['p99{of:served}<1s', 'errors<5%', 'throttled<50%'] : keeps),
  ].map(parseThreshold);
}

/**
 * The thresholds of a run: those that somebody wrote, and the usual ones of what nobody wrote any for. One on
 * all steps takes the place of those on some.
 */
export function withUsual(
  written: readonly Threshold[],
  usual: readonly Threshold[],
): readonly Threshold[] {
  const isTaken = (one: Threshold): boolean =>
    written.some(
      ({ metric, operation, step }) =>
        metric === one.metric &&
        operation === one.operation &&
        (step === undefined || step === one.step),
    );
  return [...written, ...usual.filter((one) => !isTaken(one))];
}
