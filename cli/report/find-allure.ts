import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { readRegularFile } from '../../contracts/document/regular-file.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { UsageError } from '../exit-code.ts';

/** The version whose pages are known. */
const MAJOR = 3;
const MAX_MANIFEST_BYTES = 1_000_000;

/**
 * The program of the user's own Allure, as PATH finds it: what npx and scripts of npm run has the packages of the
 * project there. It is not looked for in the working folder, which may be the record of somebody else.
 *
 * @param path the variable PATH
 * @throws UsageError when there is none, or one whose pages are not known
 */
export function findAllure(path = ''): string {
  for (const dir of path.split(delimiter).filter(isAbsolute)) {
    const home = homeBeside(dir);
    if (home !== undefined) return programOf(home);
  }
  throw new UsageError(
    `--allure-page takes Allure ${MAJOR}, which is not on PATH. Install it with npm install --save-dev allure@${MAJOR} and call assay by npx, or leave the option out: --allure writes the results without it.`,
  );
}

/** The folder of the package whose program stands in a folder of programs, if it is there. */
function homeBeside(dir: string): string | undefined {
  // Of a project; on Windows the program itself is a text that calls it.
  if (basename(dir) === '.bin') {
    const home = join(dirname(dir), 'allure');
    return existsSync(join(home, 'package.json')) ? home : undefined;
  }
  const program = join(dir, 'allure');
  if (!existsSync(program)) return undefined;
  for (let at = dirname(realpathSync(program)); at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
  }
  return undefined;
}

function programOf(home: string): string {
  const manifest = readRegularFile(join(home, 'package.json'), MAX_MANIFEST_BYTES);
  const { version, bin } = (jsonOrUndefined(manifest) ?? {}) as {
    readonly version?: unknown;
    readonly bin?: unknown;
  };
  const reported = typeof version === 'string' ? version : 'without a version';
  if (!reported.startsWith(`${MAJOR}.`) || typeof bin !== 'string') {
    throw new UsageError(
      `--allure-page takes Allure ${MAJOR}, and ${home} is Allure ${reported}. Install it with npm install --save-dev allure@${MAJOR}.`,
    );
  }
  return join(home, bin);
}
