import type { Scenario } from './scenarios/scenario.ts';
import { parseThreshold, type Threshold } from './thresholds.ts';

/**
 * What is held against a run where nobody says otherwise: that no answer was wrong, and that the
 * generator did what it should. Nothing is said of latencies and errors, of which the interface promises
 * nothing; a search for the breakpoint needs something to break.
 *
 * @param isJudged whether answers are judged at all
 */
export function usualThresholds(
  { endsWhenBroken }: Pick<Scenario, 'endsWhenBroken'>,
  isJudged: boolean,
): readonly Threshold[] {
  return [
    ...(isJudged ? ['violations==0'] : []),
    'dropped==0',
    ...(endsWhenBroken ? ['p99<1s', 'errors<5%', 'throttled<50%'] : []),
  ].map(parseThreshold);
}
