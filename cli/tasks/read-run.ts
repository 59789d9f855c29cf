import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { RunJson } from '../../contracts/run/run.ts';
import { wholeOutcome } from '../../contracts/run/whole-outcome.ts';
import { RecordCorrupt } from '../../fixtures/target/record/record-error.ts';
import { readRecordJson } from '../../fixtures/target/record/record-reader.ts';
import { SUMMARY_FILE } from '../../fixtures/target/record/recorder.ts';
import { ROOT } from '../package.ts';

let compiled: ValidateFunction | undefined;

function compiledSchema(): ValidateFunction {
  const schema = readFileSync(join(ROOT, 'reports', 'run.schema.json'), 'utf8');
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(schema) as object);
}

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

/** Where a value departs from the published schema of run.json; undefined where it does not. */
export function summaryFault(run: unknown): string | undefined {
  const validate = (compiled ??= compiledSchema());
  if (validate(run)) return undefined;
  const [fault] = validate.errors ?? [];
  const where = fault?.instancePath === '' ? 'it' : (fault?.instancePath ?? 'it');
  return `${where} ${fault?.message ?? 'is wrong'}`;
}
