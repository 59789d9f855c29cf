import { randomUUID } from 'node:crypto';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RecordNotWritten, systemCode, systemWords } from '../../target/record/record-error.ts';

/** A name in a folder may have some 255 bytes; of the file's own this many characters are kept. */
const MAX_NAMED = 40;

/**
 * Writes a file in one step, so that whoever reads it never sees half of it. Until then it has a name that
 * nobody can know, and is created exclusively: what somebody else put into the folder is never written to,
 * and no link is followed.
 *
 * @throws RecordNotWritten when the system refuses
 */
export function writeWhole(file: string, text: string | Uint8Array): void {
  const part = join(dirname(file), `${partName(file)}${randomUUID()}.part`);
  try {
    writeFileSync(part, text, { flag: 'wx' });
    replace(part, file);
  } catch (error) {
    // A part of a file is of no use to anybody, and takes what little room there is.
    remove(part);
    throw new RecordNotWritten(file, systemWords(error), { cause: error });
  }
}

/** On Windows a file that another program has open for a moment, such as a scanner, cannot be replaced meanwhile. */
const HELD: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'EBUSY']);
const MOST_TRIES = 10;
const PAUSE_MS = 20;

/**
 * Puts a file in the place of another one; on Windows it is tried again for a second while somebody holds that one.
 *
 * @throws what the system refuses with
 */
export function replace(
  part: string,
  file: string,
  {
    rename = renameSync,
    platform = process.platform,
  }: { readonly rename?: typeof renameSync; readonly platform?: NodeJS.Platform } = {},
): void {
  for (let tries = 1; ; tries += 1) {
    try {
      rename(part, file);
      return;
    } catch (error) {
      const isHeld = platform === 'win32' && HELD.has(systemCode(error));
      if (!isHeld || tries === MOST_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tries * PAUSE_MS);
    }
  }
}

/** Removes a file, and what a thread that was ended left of it. */
export function removeWithParts(file: string): void {
  remove(file);
  try {
    const left = readdirSync(dirname(file)).filter(
      (name) => name.startsWith(partName(file)) && name.endsWith('.part'),
    );
    for (const name of left) remove(join(dirname(file), name));
  } catch {
    // There is no such folder any more.
  }
}

function partName(file: string): string {
  return `.${basename(file).slice(0, MAX_NAMED)}.`;
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is no file of ours, then.
  }
}
