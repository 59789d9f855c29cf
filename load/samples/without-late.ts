import type { LoadRow } from '../../contracts/run/load/load-run.ts';
import { LatencyHistogram } from './latency-histogram.ts';

/**
 * The latency in milliseconds that such a share of answers did not exceed, if those that left late were the
 * slowest of all: its rank among all is lower by as many. 0 where all may have been late.
 *
 * @throws {NotAHistogram} when the row holds something else in place of one
 */
export function latencyWithoutLate(
  { latency: { count }, histogram }: Pick<LoadRow, 'latency' | 'histogram'>,
  share: number,
  late: number,
): number {
  if (count <= late) return 0;
  return LatencyHistogram.decode(histogram).quantileMs(Math.max(0, share - late / count));
}
