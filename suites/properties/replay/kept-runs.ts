import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../../contracts/document/regular-file.ts';
import type { RegressionRow } from '../../../contracts/run/run.ts';
import { isObject } from '../../../contracts/wire/json.ts';

const MAX_BYTES = 1_048_576;

/** What became of the files of regressions. */
export interface KeptRuns {
  /** Names of those that were removed. */
  readonly removed: readonly string[];
  /** Sentences on files that could not be written. */
  readonly notices: readonly string[];
}

/**
 * Counts in each regression's file the runs, one after the other, that judged it and did not show it. One that
 * shows again begins anew, and what a run says nothing of stays as it is.
 *
 * @param runs from so many on a regression is removed
 */
export function countKeptRuns(dir: string, rows: readonly RegressionRow[], runs: number): KeptRuns {
  const [removed, notices]: [string[], string[]] = [[], []];
  for (const { name, verdict } of rows) {
    const file = join(dir, `${name}.json`);
    if ((verdict !== 'shown' && verdict !== 'not-shown') || !existsSync(file)) continue;
    try {
      const json: unknown = JSON.parse(readRegularFile(file, MAX_BYTES));
      if (!isObject(json)) continue;
      const before = Number.isSafeInteger(json.keptRuns) ? Number(json.keptRuns) : 0;
      const keptRuns = verdict === 'shown' ? 0 : before + 1;
      if (keptRuns === before) continue;
      if (keptRuns >= runs) {
        rmSync(file);
        removed.push(name);
        continue;
      }
      // Whole or not at all, and never through a link that somebody put there.
      const part = `${file}.part`;
      rmSync(part, { force: true });
      writeFileSync(part, `${JSON.stringify({ ...json, keptRuns }, undefined, 2)}\n`, {
        flag: 'wx',
      });
      renameSync(part, file);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      notices.push(`The runs without the regression ${name} could not be counted: ${reason}.`);
    }
  }
  return { removed, notices };
}
