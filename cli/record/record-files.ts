/** The files of a run record as a certificate names them. */

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PACKED, unpackedChunks } from '../../target/record/packed.ts';
import { RecordCorrupt } from '../../target/record/record-error.ts';
import { EXCHANGES_FILE } from '../../target/record/recorder.ts';
import { FINDINGS_FILE, JUNIT_FILE } from './record.ts';
import { EVIDENCE_FILES, PACKED_FILES } from './record-names.ts';

/** A file of a record. */
export interface RecordFile {
  /** The path within the folder, with slashes. */
  readonly name: string;
  readonly sha256: string;
  /** As {@link lineMarksOf}; absent of the exchanges, whose chain finds the line. */
  readonly lineMarks?: string;
}

/**
 * Names that Assay itself gives to files of a record: one that a certificate does not have was planted.
 * The page is none of them, since a run ends well without it, and anybody may make it later.
 */
export const OWN_FILES: readonly string[] = [...EVIDENCE_FILES, FINDINGS_FILE, JUNIT_FILE];

/** Folders with more are no record: reports of a run are a few hundred files at the most. */
const MAX_FILES = 5_000;
/** Further lines are not marked. */
const MAX_MARKS = 20_000;
const MARK_BYTES = 3;
const NEWLINE = 0x0a;

/**
 * All files of a record with their digests, in the order of their names. Of a packed one both are of what was packed.
 *
 * @throws RecordCorrupt when something in the folder is no plain file, or there are too many
 */
export async function recordFiles(dir: string): Promise<RecordFile[]> {
  const files: RecordFile[] = [];
  const names = namesIn(dir);
  for (const lying of names) {
    const name = unpackedName(lying, names);
    const path = join(dir, name);
    if (name === EXCHANGES_FILE) files.push({ name, ...(await digestOf(path)) });
    else {
      const marks = new LineMarks();
      files.push({ name, ...(await digestOf(path, marks)), lineMarks: marks.text() });
    }
  }
  return files;
}

/** The name that a file was written under, unless that is there as well. */
function unpackedName(name: string, names: readonly string[]): string {
  const written = name.endsWith(PACKED) ? name.slice(0, -PACKED.length) : name;
  return PACKED_FILES.includes(written) && !names.includes(written) ? written : name;
}

function namesIn(dir: string, below = ''): string[] {
  const names: string[] = [];
  for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) names.push(...namesIn(dir, name));
    else if (entry.isFile()) names.push(name);
    else throw new RecordCorrupt(join(dir, name), 1, 'this is no plain file');
    if (names.length > MAX_FILES) {
      throw new RecordCorrupt(dir, 1, `this folder holds more than ${MAX_FILES} files`);
    }
  }
  return names.sort();
}

async function digestOf(path: string, marks?: LineMarks): Promise<{ readonly sha256: string }> {
  const hash = createHash('sha256');
  for await (const chunk of unpackedChunks(path)) {
    hash.update(chunk);
    marks?.add(chunk);
  }
  return { sha256: hash.digest('hex') };
}

/** The first bytes of the digest of each line: they find an altered line, and prove nothing. */
class LineMarks {
  readonly #marks: Buffer[] = [];
  #line = createHash('sha256');
  #isEmpty = true;

  add(chunk: Buffer): void {
    let from = 0;
    while (this.#marks.length < MAX_MARKS && from < chunk.length) {
      const end = chunk.indexOf(NEWLINE, from);
      this.#line.update(chunk.subarray(from, end === -1 ? chunk.length : end));
      this.#isEmpty = false;
      if (end === -1) return;
      this.#end();
      from = end + 1;
    }
  }

  #end(): void {
    this.#marks.push(this.#line.digest().subarray(0, MARK_BYTES));
    this.#line = createHash('sha256');
    this.#isEmpty = true;
  }

  /** Base64. */
  text(): string {
    if (!this.#isEmpty && this.#marks.length < MAX_MARKS) this.#end();
    return Buffer.concat(this.#marks).toString('base64');
  }
}

/**
 * The first line, from 1, in which two files differ by their marks; undefined if the marks are the
 * same, as they are when only the last line break is gone.
 */
export function firstOtherLine(one: string, other: string): number | undefined {
  const [a, b] = [Buffer.from(one, 'base64'), Buffer.from(other, 'base64')];
  const lines = Math.ceil(Math.max(a.length, b.length) / MARK_BYTES);
  for (let line = 0; line < lines; line += 1) {
    const [from, to] = [line * MARK_BYTES, (line + 1) * MARK_BYTES];
    if (!a.subarray(from, to).equals(b.subarray(from, to))) return line + 1;
  }
  return undefined;
}
