import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file as far as it tells whether somebody wrote it. */
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

/** The text of a file as UTF-8, and byte for byte where it is none; nothing of what is no plain file. */
export function textsOf(path: string): string[] {
  if (!lstatSync(path).isFile()) return [];
  const bytes = readFileSync(path);
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? [text, bytes.toString('latin1')] : [text];
}
