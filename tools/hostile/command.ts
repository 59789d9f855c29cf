import { join } from 'node:path';
import { packageRoot } from '../../contracts/document/package-root.ts';
import { PLANTED } from './secrets.ts';

/** The built command line. */
export const ENTRY: string = join(packageRoot(import.meta.url), 'dist', 'cli', 'main.js');

/** The environment of a row: nothing of the runner's but what every process needs. */
export function environmentOf(
  dir: string,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const all = { PATH: process.env.PATH ?? '', HOME: dir, TMPDIR: dir, ...PLANTED, ...env };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}
