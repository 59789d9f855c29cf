import { join } from 'node:path';
import type { RunJson } from '../../contracts/run/run.ts';
import { wholeOutcome } from '../../contracts/run/whole-outcome.ts';
import { RecordCorrupt } from '../../target/record/record-error.ts';
import { readRecordJson } from '../../target/record/record-reader.ts';
import { SUMMARY_FILE } from '../../target/record/recorder.ts';
import { departureFrom, runSchema } from '../record/run-schema.ts';

/**
 * The run.json of a record.
 *
 * @throws RecordCorrupt when it is something else, by its published schema
 */
export function readRun(dir: string): RunJson {
  const file = join(dir, SUMMARY_FILE);
  const run = readRecordJson(file);
  const fault = summaryFault(run);
  if (fault !== undefined)
    throw new RecordCorrupt(file, 1, `this is no summary of a run: ${fault}`);
  return asWhole(run as RunJson);
}

/** Earlier versions wrote the outcome by rules alone, whatever load had come to. */
function asWhole(run: RunJson): RunJson {
  return { ...run, outcome: wholeOutcome(run).outcome };
}

/** Where a value departs from the published schema of run.json; undefined if it does not. */
export function summaryFault(run: unknown): string | undefined {
  const { run: validate } = runSchema();
  return validate(run) ? undefined : departureFrom(validate);
}
