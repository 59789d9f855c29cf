/**
 * What `npm run prepare` adds to the build, for a checkout only: the packages that it runs on, bundled ones too, as a
 * CycloneDX document. If npm packs, it writes those that an install needs as a shrinkwrap as well, from the lockfile.
 * So the repository need not hold it twice.
 */

import { execSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { omit } from '../../contracts/wire/json.ts';
import { ROOT, tool } from '../../cli/package.ts';
import { type Lockfile, lockfileWith, shrinkwrapOf } from './shrinkwrap.ts';

const SBOM_FILE = join('dist', 'sbom.cdx.json');
/** Where the build lists the packages that it bundles. */
const BUNDLED_FILE = join('build', 'bundled.json');
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

/** The packages of a lockfile, as a CycloneDX document. */
function bomOf(lockfile: Lockfile): object {
  const dir = mkdtempSync(join(tmpdir(), 'assay-sbom-'));
  try {
    // Those that nothing else asks for are its own, whatever they are beside that.
    const dependencies = Object.fromEntries(
      Object.entries(lockfile.packages).flatMap(([path, { version }]) =>
        /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path)
          ? [[path.replace('node_modules/', ''), version]]
          : [],
      ),
    );
    const manifest = {
      ...omit(readObject('package.json') as { devDependencies: object }, 'devDependencies'),
      dependencies,
    };
    write('package.json', manifest, dir);
    write(
      'package-lock.json',
      { ...lockfile, packages: { ...lockfile.packages, '': manifest } },
      dir,
    );
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

const lockfile = readObject('package-lock.json') as Lockfile;
const shrinkwrap = shrinkwrapOf(lockfile);
const bundled = readObject(BUNDLED_FILE) as readonly string[];
write(SBOM_FILE, bomOf(lockfileWith(lockfile, bundled)));

if (['pack', 'publish'].includes(process.env.npm_command ?? '')) {
  write('npm-shrinkwrap.json', shrinkwrap);
}
