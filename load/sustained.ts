import type { LoadStepRow, RunLoad } from '../contracts/run/load/load-run.ts';

/** Of what was offered: less was not served. */
const SERVED = 0.99;
/** Latency has left its plateau beyond so many times its level, and so much. */
const PLATEAU = { times: 2, ms: 5 } as const;

/**
 * The highest rate of a step at which as much was served as was offered, and whose median is no higher than that
 * of the steps of lower rates; nothing where there is none.
 */
export function keptUp(steps: readonly LoadStepRow[]): Pick<RunLoad, 'keptUpPerSecond'> {
  const kept = steps.filter((step) => {
    const { counts, latency, offeredPerSecond } = step;
    const lower = steps.filter((one) => one.offeredPerSecond < offeredPerSecond);
    const levels = lower.flatMap((one) => (one.latency.count > 0 ? [one.latency.p50Ms] : []));
    const most = PLATEAU.times * Math.min(latency.p50Ms, ...levels) + PLATEAU.ms;
    return counts.sent > 0 && counts.served >= SERVED * counts.offered && latency.p50Ms <= most;
  });
  const perSecond = Math.max(0, ...kept.map(({ offeredPerSecond }) => offeredPerSecond));
  return perSecond === 0 ? {} : { keptUpPerSecond: perSecond };
}
