import { join } from 'node:path';
import { member } from '../../contracts/wire/json.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { RecordCorrupt } from '../../target/record/record-error.ts';
import { isInRecord } from '../../target/record/packed.ts';
import { readRecordJson } from '../../target/record/record-reader.ts';
import { departureFrom, runSchema } from './run-schema.ts';
import { statusesIn } from '../throttle-status.ts';
import { writeWhole } from './write-whole.ts';

/** What load came to, beside the exchanges that the record keeps of it. */
export const LOAD_FILE = 'load.json';
/** The plot of a load run. */
export const LOAD_PLOT_FILE = 'load.svg';
/** Percentiles of what was served, as HdrHistogram writes them. */
export const LOAD_HISTOGRAM_FILE = 'load.hgrm';
/** A load run from moment to moment, as CSV. */
export const LOAD_SERIES_FILE = 'load.csv';
/** The plot of a load run among earlier ones. */
export const TREND_PLOT_FILE = 'trend.svg';

/** What a record of `assay load` holds; of a run that was killed there is nothing yet. */
export interface RecordedLoad {
  readonly load?: RunLoad;
  /** Statuses that were taken for throttled besides what the document says; absent if there are none. */
  readonly throttleStatuses?: readonly number[];
}

/**
 * Writes what load came to, in one step, since the run may be killed at any moment; a record that has the
 * file is one of `assay load`, so it is written before anything is sent.
 *
 * @throws RecordNotWritten when the system refuses
 */
export function writeLoad(dir: string, recorded: RecordedLoad): void {
  writeWhole(join(dir, LOAD_FILE), `${JSON.stringify({ schemaVersion: 1, ...recorded })}\n`);
}

/**
 * What a record holds of load; undefined when it is no record of `assay load`.
 *
 * @throws RecordCorrupt when the file is something else
 */
export function readLoad(dir: string): RecordedLoad | undefined {
  const file = join(dir, LOAD_FILE);
  if (!isInRecord(file)) return undefined;
  const value = readRecordJson(file);
  const load = member(value, 'load');
  if (member(value, 'schemaVersion') !== 1) {
    throw new RecordCorrupt(file, 1, 'this does not hold what load came to');
  }
  const statuses = statusesIn(file, value);
  const named = statuses.length === 0 ? {} : { throttleStatuses: statuses };
  if (load === undefined) return named;
  const fault = faultOf(load);
  if (fault === undefined) return { load: load as RunLoad, ...named };
  throw new RecordCorrupt(file, 1, `this does not hold what load came to: ${fault}`);
}

/** Where it departs from the published schema of run.json, if it does. */
function faultOf(load: unknown): string | undefined {
  const { load: validate } = runSchema();
  return validate(load) ? undefined : departureFrom(validate);
}
