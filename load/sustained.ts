import type { LoadStepRow, RunLoad } from '../contracts/run/load/load-run.ts';

/** Of what was offered: less was not served. */
const SERVED = 0.99;
/** Latency has left its plateau beyond so many times its level, and so much. */
const PLATEAU = { times: 1.5, ms: 5 } as const;

/**
 * The highest rate of a step below the breakpoint at which, as at all lower ones, as much was served as was offered,
 * and whose median is no higher than that of the steps of lower rates; nothing if there is none.
 *
 * @param isWhole whether a step was sent to its end: of the beginning of one nobody knows whether it would last
 */
export function keptUp(
  { steps, breakpoint }: Pick<RunLoad, 'steps' | 'breakpoint'>,
  isWhole: (step: LoadStepRow, at: number) => boolean,
): Pick<RunLoad, 'keptUpPerSecond'> {
  const before = steps
    .slice(0, breakpoint?.step)
    .filter(isWhole)
    .sort((a, b) => a.offeredPerSecond - b.offeredPerSecond);
  let leastMs = Infinity;
  const lost = before.findIndex(({ counts, latency }) => {
    const { p50Ms = 0 } = latency;
    if (latency.count > 0) leastMs = Math.min(leastMs, p50Ms);
    const isServed = counts.sent > 0 && counts.served >= SERVED * counts.offered;
    return !isServed || p50Ms > PLATEAU.times * leastMs + PLATEAU.ms;
  });
  const kept = before.at(lost < 0 ? -1 : Math.max(0, lost - 1));
  return kept === undefined || lost === 0 ? {} : { keptUpPerSecond: kept.offeredPerSecond };
}
