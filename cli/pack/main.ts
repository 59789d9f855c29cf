/**
 * What `npm run prepare` adds to the build, for a checkout only: the list of all that is packed, by which an install
 * is held to be whole, and the packages that it runs on, as a CycloneDX document. Where npm packs, it writes those
 * packages as a shrinkwrap as well, from the lockfile, so that the repository need not hold it twice.
 */

import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIST_OF_FILES } from '../install.ts';
import { ROOT, tool } from '../package.ts';
import { type Lockfile, shrinkwrapOf } from './shrinkwrap.ts';

const SBOM_FILE = join('dist', 'sbom.cdx.json');
/** What a command may read. */
const RUNS_BY = /^(?:dist|contracts|reports)\/.*\.(?:js|json|yaml|html)$/;
const MAX_BYTES = 16_777_216;

function npm(args: string): string {
  return execSync(`npm ${args}`, { cwd: ROOT, encoding: 'utf8', maxBuffer: MAX_BYTES });
}

function write(name: string, value: unknown): void {
  writeFileSync(join(ROOT, name), `${JSON.stringify(value, undefined, 2)}\n`);
}

const bom = JSON.parse(npm('sbom --sbom-format cyclonedx --package-lock-only --omit dev')) as {
  readonly metadata: { readonly component: { name: string } };
};
// npm gives the name of the folder.
bom.metadata.component.name = tool().name;
write(SBOM_FILE, bom);

// By name in some versions of npm, a list in others.
const dry = JSON.parse(npm('pack --dry-run --json --ignore-scripts --silent')) as object;
const [packed] = Object.values(dry) as { readonly files: readonly { readonly path: string }[] }[];
const names = (packed?.files ?? []).map(({ path }) => path);
write(
  LIST_OF_FILES,
  names.filter((name) => RUNS_BY.test(name)),
);

if (['pack', 'publish'].includes(process.env.npm_command ?? '')) {
  const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile;
  write('npm-shrinkwrap.json', shrinkwrapOf(lockfile));
}
