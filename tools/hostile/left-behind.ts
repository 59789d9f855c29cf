import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** A file as far as it shows whether somebody wrote it. */
type Stamp = string;

/** All files below a folder, with what shows that they were written. Links are not followed. */
export function stampsOf(dir: string): Map<string, Stamp> {
  const stamps = new Map<string, Stamp>();
  const waiting = [dir];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of namesIn(next)) {
      const path = join(next, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) waiting.push(path);
      stamps.set(path, stat.isDirectory() ? 'folder' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`);
    }
  }
  return stamps;
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** What is new, or was written to, since. */
export function writtenSince(before: ReadonlyMap<string, Stamp>, dir: string): string[] {
  return [...stampsOf(dir)].filter(([path, stamp]) => before.get(path) !== stamp).map(([p]) => p);
}

/** What is no longer there. */
export function goneSince(before: ReadonlyMap<string, Stamp>, dir: string): string[] {
  const now = stampsOf(dir);
  return [...before.keys()].filter((path) => !now.has(path));
}

/** Of a file at a time: a record of large answers is longer than any text can be. */
const PIECE_BYTES = 4_194_304;
/** What stands across the end of a piece is whole in the next one: no form of a secret is longer. */
const OVERLAP_BYTES = 65_536;

/**
 * The text of a file in pieces, as UTF-8, and byte for byte if it is none; nothing of what is no
 * plain file.
 */
export function* textsOf(path: string): Generator<string> {
  if (!lstatSync(path).isFile()) return;
  for (const bytes of piecesOf(path, PIECE_BYTES, OVERLAP_BYTES)) {
    const text = bytes.toString('utf8');
    yield text;
    if (text.includes('\ufffd')) yield bytes.toString('latin1');
  }
}

/** The lines of a file; the last one is empty if the file ends with a line feed. */
export function* linesOf(path: string): Generator<string> {
  let begun: Buffer[] = [];
  for (const bytes of piecesOf(path, PIECE_BYTES, 0)) {
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...begun, bytes.subarray(from, at)]).toString('utf8');
      [begun, from] = [[], at + 1];
    }
    begun.push(bytes.subarray(from));
  }
  yield Buffer.concat(begun).toString('utf8');
}

const LINE_FEED = 0x0a;

/** The bytes of a file, of which the end of each piece is repeated at the beginning of the next one. */
function* piecesOf(path: string, size: number, overlap: number): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    const { size: end } = fstatSync(file);
    for (let from = 0; from < end; from += size) {
      const bytes = Buffer.alloc(Math.min(size + overlap, end - from));
      yield bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
    }
  } finally {
    closeSync(file);
  }
}
