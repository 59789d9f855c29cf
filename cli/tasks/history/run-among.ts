import { basename, dirname, resolve } from 'node:path';
import type { RunJson } from '../../../contracts/run/run.ts';
import { isJudged } from '../../../contracts/run/unjudged.ts';
import {
  historyEntryOf,
  historyOf,
  type RunHistory,
} from '../../../contracts/history/run-history.ts';
import { systemWords } from '../../../target/record/record-error.ts';
import { makeFolder } from '../../../target/record/make-folder.ts';
import { withoutSecrets } from '../../safe-text.ts';
import { appendToIndex, rewriteIndex } from './index-file.ts';
import { type ReadHistory, readHistory, summaryOf } from './read-history.ts';

/**
 * Sets a run among those of a folder.
 *
 * @param recordDir the record of the run, in that folder or elsewhere
 * @param keeps whether the index is to have the run, and all that was found, from now on
 * @returns undefined of a run that shows one finding alone, or did not come as far as to be judged
 */
export async function runAmong(
  history: string,
  recordDir: string,
  run: RunJson,
  keeps: boolean,
): Promise<RunHistory | undefined> {
  if (run.replay !== undefined || !isJudged(run)) return undefined;
  const own = basename(resolve(recordDir));
  const isInside = resolve(dirname(resolve(recordDir))) === resolve(history);
  const read = await readOrSay(history, isInside ? own : undefined);
  const entry = historyEntryOf(run, withoutSecrets(own));
  const notes = [...read.notes];
  if (keeps && read.next !== 'leave') {
    const summary = summaryOf(recordDir) ?? { bytes: 0, mtimeMs: 0 };
    const lines = [...read.fresh, { summary, entry }];
    try {
      makeFolder(history);
      if (read.next === 'rewrite') rewriteIndex(history, [...read.lines, { summary, entry }]);
      else appendToIndex(history, lines);
    } catch (error) {
      notes.push(
        `The history does not have this run: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return historyOf(entry, read.entries, notes, read.unended);
}

/** A history that cannot be read changes nothing of the run: the page says so. */
async function readOrSay(dir: string, own: string | undefined): Promise<ReadHistory> {
  try {
    return await readHistory(dir, own);
  } catch (error) {
    const notes = [`Earlier runs could not be read: ${systemWords(error)}.`];
    const folders = new Map<string, string>();
    const none = { entries: [], fresh: [], lines: [], unread: [], deeper: [], unended: [] };
    return { ...none, folders, notes, next: 'leave' };
  }
}
