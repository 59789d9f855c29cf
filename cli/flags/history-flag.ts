import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Option } from 'commander';
import { UsageError } from '../exit-code.ts';

/**
 * `--history`, a folder that holds a record in each of its folders, and their index.
 *
 * @param adds whether the run is added to it
 */
export function historyOption(adds = true): Option {
  return new Option(
    '--history <dir>',
    adds
      ? 'folder of run records: the page shows the run among them, and their index gets it (default: reports/out, if --out is not given)'
      : 'folder of run records: the page shows each run among those of it',
  );
}

/** Where a history lies when nobody says. */
export interface UsualHistory {
  readonly recordDir?: string;
  /** Whether the person named the folder of the record: then no others are looked for beside it. */
  readonly isNamed?: boolean;
  /** Whether it is wrong use to name a folder that is not there. */
  readonly mustBeThere?: boolean;
}

/**
 * The folder of earlier runs.
 *
 * @returns an absolute path; undefined if none is asked for, and none is usual
 * @throws UsageError when the named one is no folder
 */
export function historyFolder(
  { history: named }: Readonly<Record<string, unknown>>,
  { recordDir, isNamed = true, mustBeThere = false }: UsualHistory,
): string | undefined {
  if (typeof named !== 'string') {
    return recordDir === undefined || isNamed ? undefined : dirname(recordDir);
  }
  if (named === '') throw new UsageError('--history takes the name of a folder of run records');
  const dir = resolve(named);
  const isThere = existsSync(dir);
  if (isThere && !statSync(dir).isDirectory()) {
    throw new UsageError(
      `--history ${named} is no folder. Name one whose folders are run records.`,
    );
  }
  if (mustBeThere && !isThere) {
    throw new UsageError(
      `--history ${named} is not there. Name a folder whose folders are run records.`,
    );
  }
  return dir;
}
