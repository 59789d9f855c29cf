import type { LoadMoment } from '../../contracts/run/load/load-run.ts';
import type { TrendPercentile } from '../../contracts/run/load/load-trend.ts';
import type { LatencyHistogram } from '../samples/latency-histogram.ts';
import { normalProbabilityAbove, studentBound } from './student.ts';

/** A percentile of one run, in logarithms of milliseconds. */
export interface QuantileInterval {
  readonly value: number;
  readonly least: number;
  readonly greatest: number;
}

/** Few batches that are long hold correlation better than many short ones (B. W. Schmeiser 1982). */
const BATCHES = 12;
/** Fewer say too little of how far they scatter. */
const MIN_BATCHES = 8;
const SHARES: Readonly<Record<TrendPercentile, number>> = { p50: 0.5, p95: 0.95, p99: 0.99 };

/**
 * The interval of a percentile of one run. Requests within a second, and seconds near each other, are
 * slow together, so the order statistics of independent requests would be far too sure. Instead the
 * share of requests above the percentile is taken in a dozen consecutive parts of the run, its standard
 * error is that of their mean (batch means; A. M. Law, Simulation Modeling and Analysis, section 9.5),
 * and the ends of that share's interval are turned into latencies by the histogram (R. S. Woodruff,
 * Journal of the American Statistical Association 47, 1952). It is never surer than independent requests
 * would be. Of a moment three percentiles are known, and the share above is read off between them. Rates that a scenario raises on purpose widen the interval.
 *
 * @param confidence two-sided, from 0.5 to 0.999999
 * @returns undefined when the run is too short, or so unsteady that an end lies beyond its worst latency
 */
export function quantileInterval(
  latencies: Pick<LatencyHistogram, 'count' | 'quantileMs'>,
  moments: readonly LoadMoment[],
  percentile: TrendPercentile,
  confidence: number,
): QuantileInterval | undefined {
  const share = SHARES[percentile];
  const ms = latencies.quantileMs(share);
  if (!(ms > 0)) return undefined;
  const parts = moments.flatMap((moment) => {
    if (moment.p50Ms === undefined || moment.p50Ms <= 0 || moment.admitted === 0) return [];
    return [{ count: moment.admitted, above: shareAbove(moment, ms) }];
  });
  const batches = inBatches(parts);
  if (batches.length < MIN_BATCHES) return undefined;
  const independent = Math.sqrt((share * (1 - share)) / Math.max(1, latencies.count));
  const error = Math.max(independent, standardError(batches));
  // Batches that follow each other show less of their own scatter than as many independent ones.
  const reach = studentBound(Math.floor((2 * batches.length) / 3) - 1, confidence) * error;
  if (share - reach <= 0 || share + reach >= 1) return undefined;
  const least = latencies.quantileMs(share - reach);
  const greatest = latencies.quantileMs(share + reach);
  if (!(least > 0)) return undefined;
  return { value: Math.log(ms), least: Math.log(least), greatest: Math.log(greatest) };
}

interface Part {
  readonly count: number;
  /** Share of its requests above the latency in question. */
  readonly above: number;
}

/** Consecutive parts put together, so that each holds about as many requests. */
function inBatches(parts: readonly Part[]): Part[] {
  const all = parts.reduce((sum, { count }) => sum + count, 0);
  const batches: Part[] = [];
  let [count, above, seen] = [0, 0, 0];
  for (const part of parts) {
    count += part.count;
    above += part.count * part.above;
    seen += part.count;
    if (seen < ((batches.length + 1) * all) / BATCHES) continue;
    batches.push({ count, above: above / count });
    [count, above] = [0, 0];
  }
  return batches;
}

/**
 * Of the share above over all batches, a ratio of two sums. Batches that follow the one before them count
 * with the covariances up to the first that is not positive (C. J. Geyer, Statistical Science 7, 1992).
 */
function standardError(batches: readonly Part[]): number {
  const all = batches.reduce((sum, { count }) => sum + count, 0);
  const mean = batches.reduce((sum, { count, above }) => sum + count * above, 0) / all;
  const deviations = batches.map(({ count, above }) => (count / all) * (above - mean));
  const products = (lag: number): number =>
    deviations.slice(lag).reduce((sum, one, at) => sum + one * (deviations[at] ?? 0), 0);
  let variance = products(0);
  for (let lag = 1; lag < batches.length / 4; lag += 1) {
    const covariance = products(lag);
    if (covariance <= 0) break;
    variance += 2 * covariance;
  }
  return Math.sqrt((variance * batches.length) / (batches.length - 1));
}

/** Of a standard normal distribution, at the percentiles that a moment keeps. */
const NORMAL = { p50: 0, p95: 1.6449, p99: 2.3263 } as const;

/**
 * About the share of a moment's requests above a latency: between its percentiles, and beyond them, its
 * latencies are taken for lognormal.
 */
function shareAbove({ p50Ms = 0, p95Ms = 0, p99Ms = 0 }: LoadMoment, ms: number): number {
  if (p99Ms <= p50Ms) return ms < p50Ms ? 1 : 0;
  const [low, high, from, to] =
    ms < p95Ms || p99Ms <= p95Ms
      ? ([p50Ms, Math.max(p95Ms, p50Ms * 1.0001), NORMAL.p50, NORMAL.p95] as const)
      : ([p95Ms, p99Ms, NORMAL.p95, NORMAL.p99] as const);
  const part = Math.log(ms / low) / Math.log(high / low);
  return normalProbabilityAbove(from + part * (to - from));
}
