/** Whether a record that another run rests on is as its own run left it. */

import { join } from 'node:path';
import type { RunJson } from '../../contracts/run/run.ts';
import { isNamedInRecord } from '../../contracts/run/unjudged.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { RecordAltered } from '../../target/record/record-error.ts';
import { readExchanges } from '../../target/record/record-reader.ts';
import { isInRecord } from '../../target/record/packed.ts';
import { EXCHANGES_FILE, SUMMARY_FILE } from '../../target/record/recorder.ts';
import { sealFaults } from './differences.ts';
import { isSummaryOf, isUnfinished, lineFaults, unnamedFault } from './line-faults.ts';
import { readRun } from './read-run.ts';
import { beginningIn, linesIn } from './record-lines.ts';

/**
 * Reads a record along its chain, and refuses one whose summary, or whose files beside the exchanges, are not those
 * of its run.
 *
 * @param summary as it stands in `run.json`
 * @returns whether its lines cover both; those of earlier versions, and of runs that were killed, do not
 * @throws RecordAltered
 * @throws RecordCorrupt when it cannot be read
 */
export async function refuseAltered(
  dir: string,
  summary: RunJson,
  look: (exchange: Exchange) => void = () => undefined,
): Promise<boolean> {
  const reader = readExchanges(dir, summary.record.id, { apis: Object.keys(summary.target.urls) });
  for await (const exchange of reader) look(exchange);
  const { lines: exchanges, head, tornLines } = reader;
  const lines = linesIn(dir, reader.said);
  const { beginning, end, judged } = lines;
  const faults = lineFaults(dir, summary, lines);
  const isSealed = summary.record.head !== undefined;
  // Of a run that was killed nobody knows what was to come.
  const isEnded = beginning === undefined ? isSealed : end !== undefined;
  const isWritten = isEnded && (isSealed || (judged.length > 0 && !isUnfinished(summary)));
  if (isWritten) faults.push(...sealFaults(dir, summary, { exchanges, head, tornLines }));
  const isOther =
    isWritten && summary.unjudged === undefined && judged.length > 0 && !isSummaryOf(dir, lines);
  // A run of this version that judged its record names there what it wrote.
  if (isWritten && beginning !== undefined && judged.length === 0 && isNamedInRecord(summary))
    faults.push(unnamedFault(dir));
  if (isOther && faults.length === 0)
    faults.push(`${join(dir, SUMMARY_FILE)} is not as its run left it`);
  if (faults.length > 0) throw new RecordAltered(faults.join('; '));
  return beginning !== undefined && isWritten && judged.length > 0;
}

/**
 * What must be known of a record that is the basis of another run, as a sentence; undefined if its lines cover
 * all of it.
 *
 * @throws as {@link refuseAltered} does
 */
export async function basisNoticeTask({
  dir,
}: {
  readonly dir: string;
}): Promise<string | undefined> {
  const isThere = [SUMMARY_FILE, EXCHANGES_FILE].every((name) => isInRecord(join(dir, name)));
  if (isThere && (await refuseAltered(dir, readRun(dir)))) return undefined;
  return `Nothing covers what ${dir} says, as an earlier version wrote it, or its run did not come to its end, or its exchanges are gone: it is believed as it stands there.`;
}

/** Those of several records whose summaries nothing covers, as an earlier version wrote them; only first lines are read. */
export async function uncoveredTask({
  dirs,
}: {
  readonly dirs: readonly string[];
}): Promise<readonly string[]> {
  const uncovered: string[] = [];
  for (const dir of dirs) {
    if ((await beginningIn(dir, readRun(dir).record.id)) === undefined) uncovered.push(dir);
  }
  return uncovered;
}
