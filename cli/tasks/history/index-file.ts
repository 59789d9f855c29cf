/** The index of a history: one line a run, beside the folders of the records. */

import { join } from 'node:path';
import { readRegularFile, UnreadableFile } from '../../../contracts/document/regular-file.ts';
import { parseJson } from '../../../contracts/wire/parse-json.ts';
import { appendPlain } from '../../../target/record/append-plain.ts';
import { plural } from '../../../reports/text.ts';
import { writeWhole } from '../../record/write-whole.ts';
import { type IndexLine, indexLineOf } from './entry-form.ts';

/** Its name in the folder. */
export const INDEX_FILE = 'history.ndjson';

/** Runs that the index keeps at most, the newest; a run takes some twenty kilobytes. */
export const MAX_ENTRIES = 500;
/** A larger index is not read. */
const MAX_READ_BYTES = 33_554_432;
/** A larger one is replaced, with the newest that take half of it. */
const MAX_KEPT_BYTES = 25_165_824;
/** Lines that are named, of those that cannot be read. */
const MAX_NAMED = 5;

/** An index as it was read. */
export interface ReadIndex {
  /** By id of the run; of two lines on one run the later one counts. */
  readonly lines: ReadonlyMap<string, IndexLine>;
  /** What of it could not be read, as sentences. */
  readonly notes: readonly string[];
  /** `append`: as it is · `rewrite`: it has grown too large · `leave`: something else stands in its place. */
  readonly next: 'append' | 'rewrite' | 'leave';
}

/** Reads the index of a folder; one that is not there is empty. */
export function readIndex(dir: string): ReadIndex {
  const lines = new Map<string, IndexLine>();
  let text: string;
  try {
    text = readRegularFile(join(dir, INDEX_FILE), MAX_READ_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    if (error.message === 'there is no such file') return { lines, notes: [], next: 'append' };
    const why = `${INDEX_FILE} cannot be read: ${error.message}. Runs whose records are gone are missing.`;
    return { lines, notes: [why], next: 'leave' };
  }
  const wrong: number[] = [];
  let read = 0;
  for (const [at, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const parsed = parseJson(line);
    const own = parsed.kind === 'json' ? indexLineOf(parsed.value) : undefined;
    read += 1;
    if (own === undefined) wrong.push(at + 1);
    else lines.set(own.entry.id, own);
  }
  const named = wrong.slice(0, MAX_NAMED).join(', ');
  const more = wrong.length > MAX_NAMED ? ` and ${wrong.length - MAX_NAMED} more` : '';
  return {
    lines,
    notes:
      wrong.length === 0
        ? []
        : [
            `${plural(wrong.length, 'line')} of ${INDEX_FILE} ${wrong.length === 1 ? 'is' : 'are'} no run of a history and ${wrong.length === 1 ? 'was' : 'were'} left out: ${named}${more}.`,
          ],
    next: read > 2 * MAX_ENTRIES || text.length > MAX_KEPT_BYTES ? 'rewrite' : 'append',
  };
}

/**
 * Adds runs to an index, in one write, so that two runs that end at once do not lose each other.
 *
 * @throws RecordNotWritten when the system refuses, or the index is no plain file
 */
export function appendToIndex(dir: string, lines: readonly IndexLine[]): void {
  if (lines.length === 0) return;
  const file = join(dir, INDEX_FILE);
  // A torn line of a killed run is ended, and stays alone.
  appendPlain(file, `\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

/**
 * Writes an index again, with the newest runs that it may keep.
 *
 * @returns how many were left out
 * @throws RecordNotWritten when the system refuses
 */
export function rewriteIndex(
  dir: string,
  lines: Iterable<IndexLine>,
  most: number = MAX_ENTRIES,
): number {
  const all = [...lines].toSorted(
    (a, b) => Date.parse(b.entry.startedAt) - Date.parse(a.entry.startedAt),
  );
  const kept: string[] = [];
  let bytes = 0;
  for (const line of all.slice(0, most)) {
    const text = JSON.stringify(line);
    bytes += text.length + 1;
    if (bytes > MAX_KEPT_BYTES / 2) break;
    kept.push(text);
  }
  writeWhole(
    join(dir, INDEX_FILE),
    kept
      .reverse()
      .map((text) => `${text}\n`)
      .join(''),
  );
  return all.length - kept.length;
}
