import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSources } from '../sources/sources.ts';

/** What git ignores and specs need: it is linked, since no edit is ever made there. */
const LINKED = ['node_modules', 'dist', 'build'];

/**
 * A copy of the checkout as it is now, with what is not committed, in a new temporary folder.
 *
 * @param linked what git ignores and the copy is to share with the checkout; nothing may be written there
 * @returns the folder; whoever asked for it removes it
 */
export function copyOf(root: string, linked: readonly string[] = LINKED): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-copy-'));
  for (const { path: file } of readSources(root)) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    cpSync(path.join(root, file), path.join(folder, file));
  }
  for (const name of linked) symlinkSync(path.join(root, name), path.join(folder, name));
  return folder;
}
