import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';

/** The folder of this package. */
export const ROOT: string = packageRoot(import.meta.url);

/** Name and version of this program, as its package.json says. */
export function tool(): { readonly name: string; readonly version: string } {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return { name, version };
}
