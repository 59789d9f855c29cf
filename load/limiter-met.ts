import type { RunLoad } from '../contracts/run/load/load-run.ts';
import { limiterOf } from '../contracts/run/load/selected-row.ts';
import { metricOf, type Threshold } from '../contracts/run/load/threshold.ts';
import { builtinScenarios } from './scenarios/builtin.ts';

/** Says of a run that its scenario is about throttling, or a threshold says how much of it there may be. */
export function mayThrottle(
  { expectsThrottling }: { readonly expectsThrottling?: boolean },
  thresholds: readonly Pick<Threshold, 'metric'>[],
): RunLoad['mayThrottle'] {
  const isStated = thresholds.some(({ metric }) => metric === 'throttled');
  return expectsThrottling === true || isStated ? true : undefined;
}

const BUILTIN = builtinScenarios({ usual: {}, keyed: {} });

/** Whether a record is of a scenario that is about throttling: those of earlier versions say so by its name alone. */
export function isAboutThrottling({
  mayThrottle: isExpected,
  scenario,
  thresholds,
}: Pick<RunLoad, 'mayThrottle' | 'scenario' | 'thresholds'>): boolean {
  const isStated = thresholds.some(({ expression }) => metricOf(expression) === 'throttled');
  return (isExpected === true && !isStated) || BUILTIN[scenario]?.expectsThrottling === true;
}

/**
 * Whether a load measured the limiter in place of the service: more of it was throttled than happens beside,
 * though that was not expected.
 */
export function limiterMet(
  load: Pick<RunLoad, 'whole' | 'moments' | 'mayThrottle'>,
): Pick<RunLoad, 'limiter'> {
  const limiter = load.mayThrottle === true ? undefined : limiterOf(load.whole);
  if (limiter === undefined) return {};
  const first = load.moments.find((moment) => moment.throttled > 0);
  const fromPerSecond = first === undefined ? 0 : first.offered / first.seconds;
  return { limiter: { ...limiter, fromPerSecond } };
}
