import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryEntry, UnendedRun } from '../../../contracts/history/run-history.ts';
import { given } from '../../../contracts/wire/json.ts';
import { systemWords } from '../../../target/record/record-error.ts';
import { PACKED } from '../../../target/record/packed.ts';
import { DERIVED_FILES, EVIDENCE_FILES, PACKED_FILES } from '../../record/record-names.ts';
import { appendToIndex, rewriteIndex } from './index-file.ts';
import type { IndexLine } from './entry-form.ts';
import { packRecord } from './pack-record.ts';
import { readHistory } from './read-history.ts';

/** What to do with a history. */
export interface HistoryInput {
  readonly dir: string;
  /** Records that stay, the newest; all if it is absent. */
  readonly keepRecords?: number;
  /** Records of runs that began then or later stay, in epoch milliseconds; all if it is absent. */
  readonly keepSinceMs?: number;
  /** Whether those of runs that do not conform stay as well. */
  readonly keepRed?: boolean;
  /** Whether records that stay are packed. */
  readonly packs?: boolean;
  /** Whether nothing is to be written or removed. */
  readonly isDryRun: boolean;
}

/** One run of a history, for a list. */
export interface HistoryRow extends Pick<
  HistoryEntry,
  | 'run'
  | 'id'
  | 'startedAt'
  | 'kind'
  | 'outcome'
  | 'profile'
  | 'target'
  | 'outages'
  | 'atTimes'
  | 'brokenBy'
> {
  readonly labels: Readonly<Record<string, string>>;
  /** Broken rules: of level must, and those that are a warning. */
  readonly musts: number;
  readonly warnings: number;
  /** Whether its record is there, was removed just now, or is gone. */
  readonly record: 'there' | 'removed' | 'gone';
}

/** A history and what was done with it. */
export interface HistoryReported {
  /** Oldest first. */
  readonly rows: readonly HistoryRow[];
  /** Folders with a record that is no evidence, each with why, in brackets. */
  readonly unread: readonly string[];
  /** Names of folders that hold no record, and hold folders with records. */
  readonly deeper: readonly string[];
  /** Runs that are under way, or were ended before their records were judged. */
  readonly unended: readonly UnendedRun[];
  readonly notes: readonly string[];
}

const KNOWN: ReadonlySet<string> = new Set([
  ...EVIDENCE_FILES,
  ...DERIVED_FILES,
  ...PACKED_FILES.map((name) => `${name}${PACKED}`),
]);

/**
 * Brings the index of a history up to date, and removes the oldest records from disk. Their runs stay in the
 * index. A record is removed only if its run stands in the index and its folder holds nothing that
 * Assay did not write.
 *
 * @throws RecordNotWritten when the index cannot be written
 */
export async function pruneHistory(input: HistoryInput): Promise<HistoryReported> {
  const { dir, keepRecords = Infinity, keepSinceMs = -Infinity, keepRed, isDryRun } = input;
  const read = await readHistory(dir);
  const { lines, fresh, folders, unread, deeper, unended, notes: reported, next } = read;
  const notes = [...reported];
  const sorted = lines.toSorted((a, b) => timeOf(a) - timeOf(b));
  const there = sorted.filter(({ entry }) => folders.has(entry.id));
  const kept = new Set(
    there
      .filter(
        (line, at) =>
          (at >= there.length - keepRecords && timeOf(line) >= keepSinceMs) ||
          (keepRed === true && line.entry.outcome === 'does-not-conform'),
      )
      .map(({ entry }) => entry.id),
  );
  // The index has them before their records go.
  if (!isDryRun && next === 'append' && fresh.length > 0) appendToIndex(dir, fresh);
  const rows = sorted.map(({ entry }): HistoryRow => {
    const { run, startedAt, kind, outcome, profile, target, labels = {}, verdicts, id } = entry;
    const folder = folders.get(id);
    const row = {
      ...{ run, id, startedAt, kind, outcome, profile, target, labels },
      ...{ musts: verdicts.fail?.length ?? 0, warnings: verdicts.warn?.length ?? 0 },
      ...given({ outages: entry.outages, atTimes: entry.atTimes, brokenBy: entry.brokenBy }),
    };
    if (folder === undefined) return { ...row, record: 'gone' };
    if (kept.has(id)) return { ...row, record: 'there' };
    const why =
      next === 'leave' ? 'the index cannot have its run' : removal(join(dir, folder), isDryRun);
    if (why === undefined) return { ...row, record: 'removed' };
    notes.push(`${folder} was left there: ${why}.`);
    return { ...row, record: 'there' };
  });
  if (input.packs === true && !isDryRun) {
    for (const row of rows.filter(({ record }) => record === 'there')) {
      const folder = folders.get(row.id) ?? '';
      const why = await packRecord(join(dir, folder));
      if (why !== undefined) notes.push(`${folder} was not packed: ${why}.`);
    }
  }
  if (!isDryRun && next === 'rewrite') rewriteIndex(dir, lines);
  return { rows, unread, deeper: deeper.map(({ name }) => name), unended, notes };
}

/** Removes a record; why it was not, as a clause. */
function removal(folder: string, isDryRun: boolean): string | undefined {
  try {
    const strange = readdirSync(folder, { withFileTypes: true }).find(
      (entry) => !entry.isFile() || !KNOWN.has(entry.name),
    );
    if (strange !== undefined) return `it holds ${strange.name}, which Assay did not write there`;
    if (isDryRun) return undefined;
    // The summary last: what is left of a record whose removal is interrupted is still known for one.
    const names = readdirSync(folder).toSorted(
      (a, b) => Number(a === 'run.json') - Number(b === 'run.json'),
    );
    for (const name of names) rmSync(join(folder, name));
    rmSync(folder, { recursive: true });
    return existsSync(folder) ? 'it could not be removed' : undefined;
  } catch (error) {
    return systemWords(error);
  }
}

function timeOf({ entry }: IndexLine): number {
  return Date.parse(entry.startedAt);
}
