import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { UsageError } from '../exit-code.ts';
import { installedFrom, isOfThisMachine, withDevDependency } from './dev-dependency.ts';

const home = mkdtempSync(join(tmpdir(), 'assay-from-'));
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

/** The folder of a package that npm installed from somewhere. */
function installed(name: string, noted: object | undefined): string {
  const modules = join(home, name, 'node_modules');
  const root = join(modules, 'assay');
  mkdirSync(root, { recursive: true });
  const notes = { packages: noted === undefined ? {} : { 'node_modules/assay': noted } };
  writeFileSync(join(modules, '.package-lock.json'), JSON.stringify(notes));
  return root;
}

describe('what the package was installed from', () => {
  const commit = 'git+ssh://git@127.0.0.1/assay.git#08c6903cd8c0fde910a37f88322edcfb5dd907a8';

  test.each([
    ['a tarball', { resolved: 'file:../packed/assay-0.1.0.tgz' }, 'file:../packed/assay-0.1.0.tgz'],
    ['a git URL, at its commit', { resolved: commit }, commit],
    [
      'a URL of a tarball',
      { resolved: 'https://packages.example/assay.tgz' },
      'https://packages.example/assay.tgz',
    ],
    ['a linked folder', { resolved: '../assay', link: true }, 'file:../linked/node_modules/assay'],
    ['nobody knows', undefined, 'file:../unknown/node_modules/assay'],
  ])('%s', (what, noted, spec) => {
    const name =
      what === 'nobody knows' ? 'unknown' : what === 'a linked folder' ? 'linked' : 'project';
    expect(installedFrom(join(home, 'mine'), installed(name, noted))).toBe(spec);
  });

  test('a folder that npm did not install', () => {
    expect(installedFrom(join(home, 'mine'), join(home, 'checkout'))).toBe('file:../checkout');
    expect(installedFrom(home, join(home, 'checkout'))).toBe('file:checkout');
  });

  test('is of this machine alone if it is outside of the folder', () => {
    expect(isOfThisMachine('file:../checkout')).toBe(true);
    expect(isOfThisMachine('file:packed/assay.tgz')).toBe(false);
    expect(isOfThisMachine(commit)).toBe(false);
  });
});

describe('package.json', () => {
  test('gets the package as a devDependency, beside what it has and indented as it is', () => {
    const text = '{\n    "name": "mine",\n    "devDependencies": {\n        "b": "1"\n    }\n}\n';
    expect(withDevDependency(text, 'file:a.tgz')).toBe(
      '{\n    "name": "mine",\n    "devDependencies": {\n        "b": "1",\n        "assay": "file:a.tgz"\n    }\n}\n',
    );
    expect(JSON.parse(withDevDependency(undefined, 'file:a.tgz') ?? '')).toEqual({
      private: true,
      devDependencies: { assay: 'file:a.tgz' },
    });
  });

  test('that names it already stays as it is', () => {
    expect(withDevDependency('{ "dependencies": { "assay": "1.0.0" } }', 'file:a')).toBe(undefined);
  });

  test('that is no object is refused', () => {
    for (const text of ['[]', 'null', '{']) {
      expect(() => withDevDependency(text, 'file:a')).toThrow(UsageError);
    }
  });
});
