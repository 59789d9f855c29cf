import { execFile, execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { ROOT } from './command-line.ts';

/** Folders that a clean checkout does not have. */
const NOT_SOURCE = ['.git', 'node_modules', 'dist', 'build', 'coverage', join('reports', 'out')];

/** A variable that has npm ask its registry only for what is not at hand. */
export const OFFLINE: Readonly<Record<string, string>> = { npm_config_prefer_offline: 'true' };

const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: process.env.HOME });

/** Variables under which npm reaches no registry. */
export const CUT_OFF: Readonly<Record<string, string>> = {
  npm_config_registry: 'http://127.0.0.1:9',
  npm_config_offline: 'true',
};

/** Runs a command with few variables to its end. @throws Error with what it said when it fails */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string {
  return execFileSync(command, args, {
    ...{ cwd, env: { ...environment(), ...env }, encoding: 'utf8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function npm(args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)('npm', args, { cwd, env: { ...environment(), ...OFFLINE } });
}

/** The package, as it is published. */
export interface Packed {
  /** The sources that it was packed from, without their history. */
  readonly copy: string;
  readonly tarball: string;
}

/**
 * The package of these sources, which the first of all tests to ask makes and the others wait for. What it
 * is made of is a copy, so that nothing older than the sources is in it.
 *
 * @throws Error when it cannot be made, to each that asks
 */
export async function packed(): Promise<Packed> {
  const copy = await once('packed', async (dir) => {
    cpSync(ROOT, dir, {
      recursive: true,
      filter: (path) => !NOT_SOURCE.includes(relative(ROOT, path)),
    });
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
    await npm(['pack', '--silent'], dir);
  });
  const [tarball = 'no tarball'] = readdirSync(copy).filter((name) => name.endsWith('.tgz'));
  return { copy, tarball: join(copy, tarball) };
}

/**
 * The folder in which it is installed: for all tests, so none writes there.
 *
 * @param beside what else is installed there, such as `vitest@4.1.12`
 */
export async function installed(...beside: readonly string[]): Promise<string> {
  const { tarball } = await packed();
  return once(['installed', ...beside].join('-'), async (dir) => {
    mkdirSync(dir);
    writeFileSync(join(dir, 'package.json'), '{ "private": true }');
    await npm(['install', '--no-audit', '--no-fund', '--silent', tarball, ...beside], dir);
  });
}

/**
 * A folder with what is installed, to write in. Its `node_modules` is a link to that of all tests: a test that
 * runs `npm ci` removes the link before.
 */
export async function newProject(...beside: readonly string[]): Promise<string> {
  const shared = await installed(...beside);
  // As deep as the one of all tests: the package is named by a relative path.
  const projects = join(inject('packedIn'), 'projects');
  mkdirSync(projects, { recursive: true });
  const home = mkdtempSync(join(projects, 'p'));
  for (const name of ['package.json', 'package-lock.json']) {
    copyFileSync(join(shared, name), join(home, name));
  }
  symlinkSync(join(shared, 'node_modules'), join(home, 'node_modules'));
  return home;
}

/** Folders that this file made or waits for. */
const known = new Map<string, Promise<string>>();

/** What is made once in all worker processes of a run. */
function once(name: string, make: (dir: string) => Promise<void>): Promise<string> {
  const made = known.get(name) ?? makeOrWait(join(inject('packedIn'), name), make);
  known.set(name, made);
  return made;
}

async function makeOrWait(at: string, make: (dir: string) => Promise<void>): Promise<string> {
  const [dir, done, failed] = [join(at, basename(at)), join(at, 'done'), join(at, 'failed')];
  mkdirSync(join(at, '..'), { recursive: true });
  try {
    // Only one process can make it.
    mkdirSync(at);
  } catch {
    while (!existsSync(done) && !existsSync(failed)) await wait(100);
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
    return dir;
  }
  try {
    await make(dir);
    writeFileSync(done, '');
  } catch (error) {
    writeFileSync(failed, String(error));
    throw error;
  }
  return dir;
}
