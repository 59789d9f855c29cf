/**
 * What `npm run prepare` adds to the build, for a checkout only: the packages that it runs on, as a CycloneDX document.
 * Where npm packs, it writes those packages as a shrinkwrap as well, from the lockfile, so that the repository need not
 * hold it twice.
 */

import { execSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { omit } from '../../contracts/wire/json.ts';
import { ROOT, tool } from '../package.ts';
import { type Lockfile, shrinkwrapOf } from './shrinkwrap.ts';

const SBOM_FILE = join('dist', 'sbom.cdx.json');
const MAX_BYTES = 16_777_216;

function npm(args: string, cwd: string = ROOT): string {
  return execSync(`npm ${args}`, { cwd, encoding: 'utf8', maxBuffer: MAX_BYTES });
}

function write(name: string, value: unknown, dir: string = ROOT): void {
  writeFileSync(join(dir, name), `${JSON.stringify(value, undefined, 2)}\n`);
}

function readObject(name: string): object {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as object;
}

/**
 * The packages of a lockfile that has what runs alone, as a CycloneDX document. `--omit dev` of npm would leave out also
 * what both the package and its development need.
 */
function bomOf(shrinkwrap: Lockfile): object {
  const dir = mkdtempSync(join(tmpdir(), 'assay-sbom-'));
  try {
    const manifest = readObject('package.json') as { readonly devDependencies: object };
    write('package.json', omit(manifest, 'devDependencies'), dir);
    write('package-lock.json', shrinkwrap, dir);
    const bom = JSON.parse(npm('sbom --sbom-format cyclonedx --package-lock-only', dir)) as {
      readonly metadata: { readonly component: { name: string } };
    };
    // npm gives the name of the folder.
    bom.metadata.component.name = tool().name;
    return bom;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const shrinkwrap = shrinkwrapOf(readObject('package-lock.json') as Lockfile);
write(SBOM_FILE, bomOf(shrinkwrap));

if (['pack', 'publish'].includes(process.env.npm_command ?? '')) {
  write('npm-shrinkwrap.json', shrinkwrap);
}
