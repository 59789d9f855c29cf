import type { LoadBaseline, LoadTrend } from '../../contracts/run/load/load-trend.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { summed } from '../sums.ts';
import { standingSlower } from './judge-trend.ts';
import { LEAST_JUMP, MIN_NIGHTS } from './jumps.ts';

/** How many percentiles became slower. */
export interface SlowerCount {
  /** For certain. */
  readonly least: number;
  /** At the most; infinite if a comparison that was asked for could not be made. */
  readonly most: number;
}

const NOT_COMPARED: SlowerCount = { least: 0, most: Infinity };

/**
 * What comparisons with earlier runs say: series that stand slower, and rows that are slower than the baseline. A
 * jump of one night that nothing confirms may be one more. A trend knows how far nights scatter, so it counts without a control
 * too; two runs alone do not, so a row without rounds beside a control may be the machine's, and does not
 * count for certain.
 *
 * @returns undefined while there are too few nights to conclude anything
 */
export function slowerCount({
  trend,
  baseline,
}: Pick<RunLoad, 'trend' | 'baseline'>): SlowerCount | undefined {
  const counts = [
    trend === undefined ? undefined : countOfTrend(trend),
    baseline === undefined ? undefined : countOfBaseline(baseline),
  ].filter((count) => count !== undefined);
  if (counts.length === 0) return undefined;
  return summed(['least', 'most'], counts);
}

function countOfTrend(trend: LoadTrend): SlowerCount | undefined {
  if (trend.refused.length > 0) return NOT_COMPARED;
  const known = new Set(standingSlower(trend));
  const open = trend.series.filter((one) => one.jump !== undefined && !known.has(one));
  const isWatched = trend.series.some(({ nights }) => nights > MIN_NIGHTS);
  return isWatched ? { least: known.size, most: known.size + open.length } : undefined;
}

function countOfBaseline({ refused, rows }: LoadBaseline): SlowerCount {
  if (refused.length > 0 || rows.every(({ verdict }) => verdict === 'unknown')) {
    return NOT_COMPARED;
  }
  const slower = rows.filter(({ verdict, cause }) => verdict === 'slower' && cause !== 'control');
  // Of too few answers nobody knows; if they took hardly longer, nobody would ask.
  const open = rows.filter(
    ({ verdict, baselineMs = Infinity, runMs = 0 }) =>
      verdict === 'unknown' && Math.log(runMs / baselineMs) >= LEAST_JUMP,
  );
  return {
    // Of rounds the control beside them did not move.
    least: slower.filter(({ method }) => method === 'rounds').length,
    most: slower.length + open.length,
  };
}
