import { join } from 'node:path';
import type { RunLoad } from '../../../contracts/run/load/load-run.ts';
import { renderLoadPlot } from '../../../reports/plots/load-plot.ts';
import { renderLoadSeries } from '../../../reports/plots/load-series.ts';
import { LatencyHistogram } from '../../../load/samples/latency-histogram.ts';
import {
  LOAD_HISTOGRAM_FILE,
  LOAD_PLOT_FILE,
  LOAD_SERIES_FILE,
  writeLoad,
} from '../../record/load-record.ts';
import { writeWhole } from '../../record/write-whole.ts';

/**
 * Writes what load came to into its record, a plot of it, and the same for other viewers.
 *
 * @param throttleStatuses those that count as throttled besides what the document says
 * @throws RecordNotWritten when the system refuses
 */
export function keepLoad(
  dir: string,
  load: RunLoad,
  throttleStatuses: readonly number[] = [],
): void {
  writeLoad(dir, { load, ...(throttleStatuses.length === 0 ? {} : { throttleStatuses }) });
  const files = {
    [LOAD_PLOT_FILE]: renderLoadPlot(load),
    [LOAD_SERIES_FILE]: renderLoadSeries(load),
    [LOAD_HISTOGRAM_FILE]: LatencyHistogram.decode(load.whole.histogram).percentiles(),
  };
  for (const [name, text] of Object.entries(files)) writeWhole(join(dir, name), text);
}
