/** The runs of a folder of records, from its index and from records that the index does not have yet. */

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readRegularFile, UnreadableFile } from '../../../contracts/document/regular-file.ts';
import type { RunJson } from '../../../contracts/run/run.ts';
import { isJudged, isNamedInRecord } from '../../../contracts/run/unjudged.ts';
import {
  type HistoryEntry,
  historyEntryOf,
  type UnendedRun,
  unendedRunOf,
} from '../../../contracts/history/run-history.ts';
import { parseJson } from '../../../contracts/wire/parse-json.ts';
import { systemCode } from '../../../target/record/record-error.ts';
import { isJudgedAs, NOT_AS_LEFT } from '../../../target/record/judged-tail.ts';
import { isInRecord } from '../../../target/record/packed.ts';
import { EXCHANGES_FILE, SUMMARY_FILE } from '../../../target/record/recorder.ts';
import { plural } from '../../../reports/text.ts';
import { withoutSecrets } from '../../safe-text.ts';
import { summaryFault } from '../read-run.ts';
import type { IndexLine } from './entry-form.ts';
import { type ReadIndex, readIndex } from './index-file.ts';

/** Folders that are looked at, those whose names sort last. */
const MAX_FOLDERS = 2_000;
/** A larger summary is not read. */
const MAX_SUMMARY_BYTES = 8_388_608;
/** Of summaries that the index does not have; the next run goes on. */
const MAX_NEW = 200;
const MAX_NEW_BYTES = 134_217_728;
/** Folders without a record of their own that are looked into. */
const MAX_DEEPER = 100;
/** Records that are named with the reason why they were left out. */
const MAX_NAMED = 5;

/** A folder of records, read. */
export interface ReadHistory {
  readonly entries: readonly HistoryEntry[];
  /** Lines that the index does not have. */
  readonly fresh: readonly IndexLine[];
  /** All lines, those of the index and the fresh ones. */
  readonly lines: readonly IndexLine[];
  /** Names of the folders that hold the record of a run, by the id of the run. */
  readonly folders: ReadonlyMap<string, string>;
  /** Folders with a record that is no evidence, each with why, in brackets. */
  readonly unread: readonly string[];
  /** Folders that hold no record, and hold folders with records. */
  readonly deeper: readonly DeeperFolder[];
  /** Runs that are under way, or were ended before their records were judged. */
  readonly unended: readonly UnendedRun[];
  readonly notes: readonly string[];
  readonly next: ReadIndex['next'];
}

/** A folder that holds records in its folders. */
interface DeeperFolder {
  readonly name: string;
  readonly count: number;
}

/**
 * Reads a history. The index is believed of records that are gone. Of those that are there each summary is read, and
 * held to the last lines of its record. Whatever cannot be read, or is not as its run left it, is named and left out.
 *
 * @param dir holds a record in each of its folders; one that is not there is empty
 * @param own name of the folder of the run that is at hand, which is not read
 */
export async function readHistory(dir: string, own?: string): Promise<ReadHistory> {
  const index = readIndex(dir);
  const byFolder = new Map([...index.lines.values()].map((line) => [line.entry.run, line]));
  const { names, more } = foldersIn(dir);
  const found = new Map<string, FoundRecord>();
  const wrong: string[] = [];
  const unended: UnendedRun[] = [];
  const bare: string[] = [];
  const lines = new Map(index.lines);
  let [bytes, unread, added] = [0, 0, 0];
  // The newest first, by their usual names, as those matter most if not all are read.
  for (const name of names.toReversed()) {
    const summary = name === own ? undefined : summaryOf(join(dir, name));
    const reported = withoutSecrets(name);
    if (summary === undefined) {
      if (name === own) continue;
      if (isInRecord(join(dir, name, EXCHANGES_FILE)))
        wrong.push(`${reported} (it has no ${SUMMARY_FILE})`);
      else bare.push(name);
      continue;
    }
    const known = byFolder.get(reported);
    const isKnown =
      known?.summary.bytes === summary.bytes && known.summary.mtimeMs === summary.mtimeMs;
    if (!isKnown && (added >= MAX_NEW || bytes > MAX_NEW_BYTES)) {
      unread += 1;
      continue;
    }
    if (!isKnown) [bytes, added] = [bytes + summary.bytes, added + 1];
    const read = readEntry(join(dir, name), reported);
    if (typeof read === 'object' && 'unended' in read) {
      unended.push(read.unended);
      continue;
    }
    if (typeof read === 'string') wrong.push(`${reported} (${read})`);
    // What an index has of it may be of the edited one.
    if (read === NOT_AS_LEFT && known !== undefined) lines.delete(known.entry.id);
    if (typeof read === 'object') {
      const { id } = read.entry;
      // An index may be edited, too.
      const isNew = !isKnown || JSON.stringify(known.entry) !== JSON.stringify(read.entry);
      // Of two copies the one with its exchanges counts.
      if (found.get(id)?.isCovered !== true) found.set(id, { ...read, name, summary, isNew });
    }
    // The thread shows that it is alive meanwhile.
    await setImmediate();
  }
  const fresh = [...found.values()].flatMap(({ isNew, summary, entry }) =>
    isNew ? [{ summary, entry }] : [],
  );
  for (const line of fresh) lines.set(line.entry.id, line);
  const deeper = deeperIn(dir, bare.slice(0, MAX_DEEPER));
  const shown = lines.size === 0 ? deeper.slice(0, MAX_NAMED) : [];
  const uncovered = [...found.values()].filter(({ isCovered }) => !isCovered).length;
  return {
    entries: [...lines.values()].map(({ entry }) => entry),
    folders: new Map([...found].map(([id, { name }]) => [id, name])),
    ...{ fresh, lines: [...lines.values()], next: index.next },
    unread: wrong.toSorted(),
    ...{ deeper, unended },
    notes: [
      ...index.notes,
      ...(wrong.length === 0 ? [] : [`Left out, as they are no evidence: ${listed(wrong)}.`]),
      ...(unended.length === 0
        ? []
        : [
            `Not judged to their end: ${listed(unended.map(({ run }) => run))}. Their runs are under way, or were ended before; \`assay judge\` with such a folder shows what is broken so far.`,
          ]),
      ...(uncovered === 0
        ? []
        : [
            `Nothing covers what ${plural(uncovered, 'earlier record')} ${uncovered === 1 ? 'says' : 'say'}, as an earlier version wrote ${uncovered === 1 ? 'it, or its' : 'them, or their'} exchanges are gone: believed as ${uncovered === 1 ? 'it stands' : 'they stand'}.`,
          ]),
      ...(shown.length === 0
        ? []
        : [
            `No folder there is a record. There are records one folder deeper; name one of these: ${shown.map(({ name, count }) => `${withoutSecrets(name)} (${plural(count, 'record')})`).join(', ')}.`,
          ]),
      ...(bare.length <= MAX_DEEPER
        ? []
        : [`${plural(bare.length - MAX_DEEPER, 'folder')} without a record not looked into.`]),
      ...(unread === 0
        ? []
        : [
            `${plural(unread, 'record')} ${unread === 1 ? 'was' : 'were'} not read yet: the next run with this history goes on.`,
          ]),
      ...(more === 0
        ? []
        : [
            `${plural(more, 'folder')} beyond ${MAX_FOLDERS} ${more === 1 ? 'was' : 'were'} not looked at.`,
          ]),
    ],
  };
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.toSorted().slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** Those of some folders that hold records themselves, with how many. */
function deeperIn(dir: string, names: readonly string[]): DeeperFolder[] {
  return names.flatMap((name) => {
    try {
      const inner = foldersIn(join(dir, name)).names.map((one) => join(dir, name, one));
      const isRecord = (folder: string): boolean =>
        summaryOf(folder) !== undefined || isInRecord(join(folder, EXCHANGES_FILE));
      const count = inner.filter(isRecord).length;
      return count === 0 ? [] : [{ name, count }];
    } catch (error) {
      // Of what may not be read nothing can be said.
      if (systemCode(error) === '') throw error;
      return [];
    }
  });
}

/** The state of a summary; undefined if the folder holds no record. */
export function summaryOf(folder: string): IndexLine['summary'] | undefined {
  const stats = lstatSync(join(folder, SUMMARY_FILE), { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return undefined;
  return { bytes: stats.size, mtimeMs: Math.trunc(stats.mtimeMs) };
}

/** What a history keeps of a record, and whether the lines of that name its summary. */
interface ReadEntry {
  readonly entry: HistoryEntry;
  readonly isCovered: boolean;
}

/** A record of a run in a folder of the history. */
interface FoundRecord extends ReadEntry {
  readonly name: string;
  readonly summary: IndexLine['summary'];
  /** Whether the index does not have it as it is. */
  readonly isNew: boolean;
}

/** Reads a record, or says why not; undefined of a run that shows one finding alone. */
function readEntry(
  dir: string,
  name: string,
): ReadEntry | { readonly unended: UnendedRun } | string | undefined {
  let text: string;
  try {
    text = readRegularFile(join(dir, SUMMARY_FILE), MAX_SUMMARY_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return `its ${SUMMARY_FILE}: ${error.message}`;
  }
  const read = readSummary(text);
  if (typeof read === 'string') return read;
  if (read.replay !== undefined) return undefined;
  if (!isJudged(read)) return { unended: unendedRunOf(read, name) };
  const isCovered = isJudgedAs(dir, text, () => isNamedInRecord(read));
  if (isCovered === false) return NOT_AS_LEFT;
  return { entry: historyEntryOf(read, name), isCovered: isCovered === true };
}

/** A summary, or why it is none. */
function readSummary(text: string): RunJson | string {
  const parsed = parseJson(text);
  if (parsed.kind !== 'json') return `its ${SUMMARY_FILE} is no JSON that can be read`;
  if (summaryFault(parsed.value) !== undefined) return `its ${SUMMARY_FILE} is no summary of a run`;
  return parsed.value as RunJson;
}

function foldersIn(dir: string): { readonly names: readonly string[]; readonly more: number } {
  try {
    const names = readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted();
    return { names: names.slice(-MAX_FOLDERS), more: Math.max(0, names.length - MAX_FOLDERS) };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { names: [], more: 0 };
    throw error;
  }
}
