import type { RunLoad } from '../contracts/run/load/load-run.ts';
import type { Threshold } from '../contracts/run/load/threshold.ts';
import type { Scenario } from './scenarios/scenario.ts';

/** Above this share of throttled requests a run measures the limiter. */
export const MAX_THROTTLED_SHARE = 0.05;

/**
 * Whether a load measured the limiter in place of the service: more of it was throttled than happens beside,
 * though neither its scenario is about that nor a threshold says how much there may be.
 */
export function limiterMet(
  load: Pick<RunLoad, 'whole' | 'moments'>,
  { expectsThrottling }: Pick<Scenario, 'expectsThrottling'>,
  thresholds: readonly Pick<Threshold, 'metric'>[],
): Pick<RunLoad, 'limiter'> {
  const { throttled, sent } = load.whole.counts;
  const isStated = thresholds.some(({ metric }) => metric === 'throttled');
  if (expectsThrottling === true || isStated || throttled <= MAX_THROTTLED_SHARE * sent) return {};
  const first = load.moments.find((moment) => moment.throttled > 0);
  const fromPerSecond = first === undefined ? 0 : first.offered / first.seconds;
  return { limiter: { throttled, sent, fromPerSecond } };
}
