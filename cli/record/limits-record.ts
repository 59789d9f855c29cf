import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, member } from '../../contracts/wire/json.ts';
import type { MeasuredLimit } from '../../contracts/run/run.ts';
import { RecordCorrupt } from '../../target/record/record-error.ts';
import { isInRecord } from '../../target/record/packed.ts';
import { readRecordJson } from '../../target/record/record-reader.ts';
import { writeWhole } from './write-whole.ts';
import { statusesIn } from '../throttle-status.ts';

/** What a probe measured, beside the exchanges of its record. */
export const LIMITS_FILE = 'limits.json';
/** The plot of a probe. */
export const PLOT_FILE = 'limits.svg';

/**
 * Writes what was measured so far, in one step, since the run may be killed at any moment; a record that
 * has it is one of `assay limits`.
 *
 * @param throttleStatuses rejections besides 429, so that whoever judges the record knows them as well
 * @throws RecordNotWritten when the system refuses
 */
export function writeLimits(
  dir: string,
  limits: readonly MeasuredLimit[],
  throttleStatuses: readonly number[],
): void {
  const named = throttleStatuses.length === 0 ? {} : { throttleStatuses };
  writeWhole(
    join(dir, LIMITS_FILE),
    `${JSON.stringify({ schemaVersion: 1, ...named, limits }, undefined, 2)}\n`,
  );
}

/**
 * The statuses that a record of `assay limits` takes for rejections besides 429; none of other records.
 *
 * @throws RecordCorrupt when the file is something else
 */
export function readThrottleStatuses(dir: string): readonly number[] {
  const file = join(dir, LIMITS_FILE);
  return isInRecord(file) ? statusesIn(file, readRecordJson(file)) : [];
}

/**
 * What a record holds of measured limits; undefined when it is no record of `assay limits`.
 *
 * @throws RecordCorrupt when the file is something else
 */
export function readLimits(dir: string): readonly MeasuredLimit[] | undefined {
  const file = join(dir, LIMITS_FILE);
  if (!isInRecord(file)) return undefined;
  const value = readRecordJson(file);
  const limits = member(value, 'limits');
  const areLimits =
    member(value, 'schemaVersion') === 1 &&
    Array.isArray(limits) &&
    limits.every((one) => isObject(member(one, 'measurement')) && isObject(member(one, 'row')));
  if (areLimits) return limits as readonly MeasuredLimit[];
  throw new RecordCorrupt(file, 1, 'this does not hold what was measured of limits');
}

/** A larger plot is not read. */
const MAX_PLOT_BYTES = 1_000_000;

/** The plot of a record of `assay limits`; undefined if there is none, or something else. */
export function readLimitPlot(dir: string): string | undefined {
  const file = join(dir, PLOT_FILE);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const isPlot = stats?.isFile() === true && stats.size <= MAX_PLOT_BYTES;
  return isPlot ? readFileSync(file, 'utf8') : undefined;
}
