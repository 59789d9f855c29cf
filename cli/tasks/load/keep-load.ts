import { join } from 'node:path';
import type { RunLoad } from '../../../contracts/run/load/load-run.ts';
import { renderLoadPlot } from '../../../reports/plots/load-plot.ts';
import { LOAD_PLOT_FILE, writeLoad } from '../../record/load-record.ts';
import { writeWhole } from '../../record/write-whole.ts';

/**
 * Writes what load came to into its record, and the plot of it.
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
  writeWhole(join(dir, LOAD_PLOT_FILE), renderLoadPlot(load));
}
