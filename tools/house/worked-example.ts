/** The worked example of docs/contributing: edits of sources, each a code block that is a patch of one file. */

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { copyOf } from '../mutations/copy.ts';

/** An edit of the example. */
export interface Edit {
  /** The file that it touches, from the root of the repository. */
  readonly file: string;
  /** A unified diff whose paths have no prefix. */
  readonly patch: string;
}

/**
 * The patches of a text in Markdown, in its order.
 *
 * @throws {Error} on a block that changes another number of files than one, or makes or moves one
 */
export function editsOf(markdown: string): Edit[] {
  return [...markdown.matchAll(/^```diff\n(.*?)^```$/gms)].map(([, patch = '']) => {
    const names = [...patch.matchAll(/^(?:---|\+\+\+) (\S+)$/gm)].map(([, name = '']) => name);
    const [file = '', ...others] = names;
    if (others.length !== 1 || others[0] !== file) {
      throw new Error(`a block is no patch of one file, but of ${names.join(', ') || 'none'}`);
    }
    return { file, patch };
  });
}

/**
 * A copy of the checkout in which the edits are made, and which is built.
 *
 * @returns the folder; whoever asked for it removes it
 * @throws {Error} when an edit does not apply, or the edited sources do not compile
 */
export function editedCopy(root: string, edits: readonly Edit[]): string {
  const folder = copyOf(root, []);
  shareModules(root, folder);
  // With what the compiler knows of the last build, so that it looks at the edited files alone.
  for (const name of ['build', 'dist']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  const setting = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
  for (const { patch } of edits) {
    // A line of context may have moved: git looks for it, and counts the lines of a hunk itself.
    execFileSync('git', ['apply', '-p0', '--recount', '-'], { ...setting, input: patch });
  }
  // The copy's own compiler: the last build knows the types of the language by where they lie.
  const tsc = path.join('node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-b', 'tsconfig.build.json'], setting);
  execFileSync(process.execPath, ['build.mjs'], setting);
  return folder;
}

/**
 * The packages at the same place below the copy, so that the last build holds for it. Where files cannot
 * be linked, as between two disks, the folder is, and everything is built.
 */
function shareModules(root: string, folder: string): void {
  const [from, to] = [path.join(root, 'node_modules'), path.join(folder, 'node_modules')];
  try {
    linkTree(from, to);
  } catch {
    rmSync(to, { recursive: true, force: true });
    symlinkSync(from, to);
  }
}

function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}
