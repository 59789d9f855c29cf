import type { RunLoad } from '../contracts/run/load/load-run.ts';

/** Of what was offered: less was not served. */
const SERVED = 0.99;
/** Latency has left its plateau beyond so many times its level, and so much. */
const PLATEAU = { times: 1.5, ms: 5 } as const;

/**
 * The highest rate of a step below the breakpoint at which as much was served as was offered, and whose median is no
 * higher than that of the steps of lower rates; nothing where there is none.
 */
export function keptUp({
  steps,
  breakpoint,
}: Pick<RunLoad, 'steps' | 'breakpoint'>): Pick<RunLoad, 'keptUpPerSecond'> {
  const before = breakpoint === undefined ? steps : steps.slice(0, breakpoint.step);
  const kept = before.filter(({ counts, latency, offeredPerSecond }) => {
    const lower = steps.filter((one) => one.offeredPerSecond < offeredPerSecond);
    const levels = lower.flatMap((one) => (one.latency.count > 0 ? [one.latency.p50Ms] : []));
    const most = PLATEAU.times * Math.min(latency.p50Ms, ...levels) + PLATEAU.ms;
    return counts.sent > 0 && counts.served >= SERVED * counts.offered && latency.p50Ms <= most;
  });
  const perSecond = Math.max(0, ...kept.map(({ offeredPerSecond }) => offeredPerSecond));
  return perSecond === 0 ? {} : { keptUpPerSecond: perSecond };
}
