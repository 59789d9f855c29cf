import type { LoadRow } from '../../contracts/run/load/load-run.ts';
import { addedUp } from './counts.ts';
import { LatencyHistogram } from './latency-histogram.ts';

/**
 * The latency in milliseconds that such a share of requests did not exceed, if those that left late were the
 * slowest of all: its rank among all is lower by as many. 0 where all may have been late.
 *
 * @param of those that were served, or all that were not throttled
 * @throws {NotAHistogram} when the row holds something else in place of one
 */
export function latencyWithoutLate(
  { histogram, errorsHistogram }: Pick<LoadRow, 'histogram' | 'errorsHistogram'>,
  of: 'served' | undefined,
  share: number,
  late: number,
): number {
  const texts = of === 'served' ? [histogram] : [histogram, errorsHistogram ?? []].flat();
  const all = addedUp(texts.map((text) => LatencyHistogram.decode(text)));
  if (all.count <= late) return 0;
  return all.quantileMs(Math.max(0, share - late / all.count));
}
