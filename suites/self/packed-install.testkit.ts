import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './command-line.ts';

/** Folders that a clean checkout does not have. */
const NOT_SOURCE = ['.git', 'node_modules', 'dist', 'coverage', join('reports', 'out')];

/** Runs a command with few variables to its end. @throws Error with what it said when it fails */
export function run(command: string, args: readonly string[], cwd: string): string {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  return execFileSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/**
 * Packs a copy of the sources, so that nothing older than they is in it.
 *
 * @param copy a folder that is not there yet
 * @returns the path of the package
 */
export function pack(copy: string): string {
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !NOT_SOURCE.includes(relative(ROOT, path)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  run('npm', ['pack', '--silent'], copy);
  const [tarball] = readdirSync(copy).filter((name) => name.endsWith('.tgz'));
  return join(copy, tarball ?? 'no tarball');
}

/** Installs a package in an empty folder that is not there yet. */
export function install(tarball: string, home: string): void {
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--no-audit', '--no-fund', '--silent', tarball], home);
}
