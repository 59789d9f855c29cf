import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readRegularFile } from '../../contracts/document/regular-file.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { UsageError } from '../exit-code.ts';

/** The version whose pages are known. */
const MAJOR = 3;
const MAX_MANIFEST_BYTES = 1_000_000;

/**
 * The program of the user's own Allure, from the folder upwards, as Node looks for packages.
 *
 * @throws UsageError when there is none, or one whose pages are not known
 */
export function findAllure(from: string): string {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    const home = join(dir, 'node_modules', 'allure');
    if (existsSync(join(home, 'package.json'))) return programOf(home);
    if (dir === dirname(dir)) break;
  }
  throw new UsageError(
    `--allure-page takes Allure ${MAJOR}, which is not installed in ${from}. Install it there with npm install --save-dev allure@${MAJOR}, or leave the option out: --allure writes the results without it.`,
  );
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
