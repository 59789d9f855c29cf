import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT, scratch } from './command-line.ts';

const folder = scratch();
/** Folders that a clean checkout does not have. */
const NOT_SOURCE = ['.git', 'node_modules', 'dist', 'coverage', join('reports', 'out')];

function run(command: string, args: readonly string[], cwd: string): string {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  return execFileSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Packs a copy of the sources, so that nothing older than they is in it. */
function pack(): string {
  const copy = folder();
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !NOT_SOURCE.includes(relative(ROOT, path)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  run('npm', ['pack', '--silent'], copy);
  const [tarball] = readdirSync(copy).filter((name) => name.endsWith('.tgz'));
  return join(copy, tarball ?? 'no tarball');
}

describe('the package', () => {
  let tarball: string;
  let files: string[];

  beforeAll(() => {
    tarball = pack();
    files = run('tar', ['-tzf', tarball], ROOT).trim().split('\n');
  });

  test('holds what it takes to run', () => {
    expect(files).toContain('package/dist/cli/main.js');
    expect(files).toContain('package/contracts/openapi/zap.yaml');
    expect(files).toContain('package/reports/run.schema.json');
    expect(files.some((name) => name.endsWith('.suite.js'))).toBe(true);
  });

  test('holds nothing that only tests use, and no leftovers of the build', () => {
    const foreign =
      /\.spec\.|\.testkit\.|fixtures\/cases|suites\/self\/|\.tsbuildinfo$|\.map$|reports\/out/;
    expect(files.filter((name) => foreign.test(name))).toEqual([]);
  });

  test('is small', () => {
    expect(statSync(tarball).size).toBeLessThan(2_000_000);
  });

  test('checks the reference service once it is installed in an empty folder', () => {
    const home = folder();
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    run('npm', ['install', '--no-audit', '--no-fund', '--silent', tarball], home);
    const said = run('npx', ['--no-install', 'assay', 'check', '--out', 'out'], home);
    expect(said).toMatch(/^conforms: /m);
    expect(readdirSync(join(home, 'out')).sort()).toEqual([
      'exchanges.ndjson',
      'findings.ndjson',
      'junit.xml',
      'run.json',
    ]);
  });
});
