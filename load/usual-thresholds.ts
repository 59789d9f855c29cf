import { peakOf } from './scenarios/peak.ts';
import type { LoadStep, Scenario } from './scenarios/scenario.ts';
import { isChange, parseThreshold, type Threshold } from '../contracts/run/load/threshold.ts';

/**
 * What is compared with a run if nobody says otherwise: that no answer was wrong, and that the
 * generator did what it should, and what the scenario keeps. Nothing is said of latencies, of which the
 * interface promises nothing, nor of errors beyond a usual day. A search for the breakpoint needs something
 * to break.
 *
 * What a run is too short for is left out.
 *
 * @param isJudged whether answers are judged at all
 */
export function usualThresholds(
  { endsWhenBroken, keeps = [], steps }: Pick<Scenario, 'endsWhenBroken' | 'keeps' | 'steps'>,
  isJudged: boolean,
): readonly Threshold[] {
  return [
    ...(isJudged ? ['violations==0'] : []),
    'dropped==0',
    ...(endsWhenBroken ? ['p99{of:served}<1s', 'errors<5%', 'throttled<50%'] : keeps),
  ]
    .map(parseThreshold)
    .filter(({ metric }) => !isChange(metric) || isLongEnough(metric, steps));
}

/** Seconds that a part must last whose later half, or tenths, are compared. */
const MIN_SECONDS = 12;

function isLongEnough(metric: 'drift' | 'recovery', steps: readonly LoadStep[]): boolean {
  const peak = peakOf(steps);
  const compared =
    metric === 'drift'
      ? [Math.max(0, ...steps.map(({ seconds }) => seconds))]
      : [peak?.before ?? -1, peak?.after ?? -1].map((at) => steps[at]?.seconds ?? 0);
  return compared.every((seconds) => seconds >= MIN_SECONDS);
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
