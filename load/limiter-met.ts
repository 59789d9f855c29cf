import type { RunLoad } from '../contracts/run/load/load-run.ts';
import { isMostlyLimiter } from '../contracts/run/load/selected-row.ts';
import type { Threshold } from '../contracts/run/load/threshold.ts';
import type { Scenario } from './scenarios/scenario.ts';

/** Says of a run that its scenario is about throttling, or a threshold says how much of it there may be. */
export function mayThrottle(
  { expectsThrottling }: Pick<Scenario, 'expectsThrottling'>,
  thresholds: readonly Pick<Threshold, 'metric'>[],
): RunLoad['mayThrottle'] {
  const isStated = thresholds.some(({ metric }) => metric === 'throttled');
  return expectsThrottling === true || isStated ? true : undefined;
}

/**
 * Whether a load measured the limiter in place of the service: more of it was throttled than happens beside,
 * though that was not expected.
 */
export function limiterMet(
  load: Pick<RunLoad, 'whole' | 'moments' | 'mayThrottle'>,
): Pick<RunLoad, 'limiter'> {
  const { throttled, sent } = load.whole.counts;
  if (load.mayThrottle === true || !isMostlyLimiter(load.whole.counts)) return {};
  const first = load.moments.find((moment) => moment.throttled > 0);
  const fromPerSecond = first === undefined ? 0 : first.offered / first.seconds;
  return { limiter: { throttled, sent, fromPerSecond } };
}
