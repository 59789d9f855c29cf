import { basename, relative, resolve } from 'node:path';
import type { RunJson } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Clock } from '../../target/budget/clock.ts';
import { allureFolder, makeAllure } from './allure-report.ts';
import { UsageError } from '../exit-code.ts';
import { notify } from '../output.ts';
import { startTask } from '../threads/task.ts';

/** Exchanges for attachments, as JSON. */
const MAX_BYTES = 16_777_216;

/** Writes a run as results for Allure. Whatever goes wrong there changes nothing of the run, and is reported. */
export type CheckAllure = (run: RunJson) => Promise<void>;

/**
 * Prepares the results of a check for Allure; undefined if none are asked for.
 *
 * @param recordDir of the run, absolute
 * @param deadlineMs when there is no time left to read its record, on the clock
 * @throws UsageError when the folder holds something, or is that of the record
 */
export function allureOfCheck(
  allure: unknown,
  recordDir: string,
  clock: Pick<Clock, 'nowMs'>,
  deadlineMs: number,
): CheckAllure | undefined {
  if (typeof allure !== 'string') return undefined;
  const dir = allureFolder(allure, process.cwd());
  if (relative(resolve(recordDir), dir) === '') {
    throw new UsageError('--allure and --out name the same folder: give each one of its own.');
  }
  return async (run) => {
    try {
      const exchanges = await exchangesOf(recordDir, clock, deadlineMs);
      const source = { run, exchanges, leftOut: 0, name: basename(recordDir) };
      await makeAllure({ dir }, [source], 0);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const why = said.replace(/\.$/, '');
      notify(
        `assay: the results for Allure were not written: ${why}. \`assay report --allure\` makes them from the record.`,
      );
    }
  };
}

/** What findings name, as far as there is time to read it. */
async function exchangesOf(
  dir: string,
  clock: Pick<Clock, 'nowMs'>,
  deadlineMs: number,
): Promise<ReadonlyMap<string, Exchange>> {
  const input = { dir, waivers: [], leaveOut: [], stopAtMs: deadlineMs };
  const ended = await startTask(
    'read-report',
    { ...input, mostBytes: MAX_BYTES, withLines: false },
    clock,
    deadlineMs,
  ).ended;
  const read = ended.kind === 'done' ? ended.value.exchanges : [];
  return new Map(read.map((exchange) => [exchange.id, exchange]));
}
