import type { RunLoad } from '../contracts/run/load/load-run.ts';
import { MAX_THROTTLED_SHARE } from '../contracts/run/load/selected-row.ts';
import type { Threshold } from '../contracts/run/load/threshold.ts';
import type { Scenario } from './scenarios/scenario.ts';

/** Whether a scenario is about throttling, or a threshold says how much of it there may be. */
export function mayThrottle(
  { expectsThrottling }: Pick<Scenario, 'expectsThrottling'>,
  thresholds: readonly Pick<Threshold, 'metric'>[],
): boolean {
  return expectsThrottling === true || thresholds.some(({ metric }) => metric === 'throttled');
}

/**
 * Whether a load measured the limiter in place of the service: more of it was throttled than happens beside,
 * though neither its scenario is about that nor a threshold says how much there may be.
 */
export function limiterMet(
  load: Pick<RunLoad, 'whole' | 'moments'>,
  scenario: Pick<Scenario, 'expectsThrottling'>,
  thresholds: readonly Pick<Threshold, 'metric'>[],
): Pick<RunLoad, 'limiter'> {
  const { throttled, sent } = load.whole.counts;
  if (mayThrottle(scenario, thresholds) || throttled <= MAX_THROTTLED_SHARE * sent) return {};
  const first = load.moments.find((moment) => moment.throttled > 0);
  const fromPerSecond = first === undefined ? 0 : first.offered / first.seconds;
  return { limiter: { throttled, sent, fromPerSecond } };
}
