import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './package.ts';

/** Every file that was packed. It says nothing of a checkout, which is built anew without being packed. */
export const LIST_OF_FILES: string = join('dist', 'packed-files.json');
const SOURCE = join('cli', 'main.ts');

/** The first file or package that this install lacks; undefined if it is whole. */
export function missingOfInstall(): string | undefined {
  const { dependencies } = read('package.json') as { dependencies: Record<string, string> };
  return missingFile() ?? Object.keys(dependencies).find((name) => !isThere(name));
}

function missingFile(): string | undefined {
  if (existsSync(join(ROOT, SOURCE))) return undefined;
  if (!existsSync(join(ROOT, LIST_OF_FILES))) return LIST_OF_FILES;
  return (read(LIST_OF_FILES) as string[]).find((file) => !existsSync(join(ROOT, file)));
}

function isThere(name: string): boolean {
  try {
    return existsSync(fileURLToPath(import.meta.resolve(name)));
  } catch (error) {
    // One that has no main file is there all the same.
    return (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND';
  }
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as unknown;
}
