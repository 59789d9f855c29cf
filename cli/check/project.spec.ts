import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ciFile, ciOf } from './ci-file.ts';
import { projectOf } from './project.ts';

const home = mkdtempSync(join(tmpdir(), 'assay-project-'));
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

let count = 0;
/** A repository that has the files. */
function repository(files: Readonly<Record<string, string>>): string {
  const root = join(home, String((count += 1)));
  mkdirSync(join(root, '.git'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const named = (packageManager: string): Record<string, string> => ({
  'package.json': JSON.stringify({ packageManager }),
});

describe('the step that installs is of the package manager at hand', () => {
  test.each<[string, Readonly<Record<string, string>>, string[], string]>([
    ['nothing', {}, ['npm ci'], 'npx --no -- assay'],
    ['a lockfile of npm', { 'package-lock.json': '{}' }, ['npm ci'], 'npx --no -- assay'],
    [
      'a lockfile of pnpm',
      { 'pnpm-lock.yaml': '' },
      ['corepack enable', 'pnpm install --frozen-lockfile'],
      'pnpm exec assay',
    ],
    [
      'a lockfile of Yarn 1',
      { 'yarn.lock': '# yarn lockfile v1\n' },
      ['corepack enable', 'yarn install --frozen-lockfile'],
      'npx --no -- assay',
    ],
    [
      'a lockfile of Yarn 4',
      { 'yarn.lock': '# This file\n\n__metadata:\n  version: 8\n' },
      ['corepack enable', 'yarn install --immutable'],
      'yarn assay',
    ],
    [
      'a lockfile of Bun',
      { 'bun.lock': '{}' },
      ['npm install --global bun', 'bun install --frozen-lockfile'],
      'npx --no -- assay',
    ],
    [
      'a manager that package.json names, whatever else is there',
      { ...named('pnpm@10.1.0'), 'package-lock.json': '{}' },
      ['corepack enable', 'pnpm install --frozen-lockfile'],
      'pnpm exec assay',
    ],
    [
      'Yarn 1 by name',
      named('yarn@1.22.22+sha512.00'),
      ['corepack enable', 'yarn install --frozen-lockfile'],
      'npx --no -- assay',
    ],
  ])('with %s', (_, files, install, call) => {
    const root = repository(files);
    const project = projectOf(root);
    expect(project.manager).toMatchObject({ install, call });
    const text = ciFile('github', root, project).text;
    const { gate } = (parse(text) as { jobs: { gate: { steps: { run?: string }[] } } }).jobs;
    const runs = gate.steps.flatMap(({ run = [] }) => run);
    expect(runs).toEqual([...install, expect.stringContaining(`${call} check --out assay-out`)]);
  });
});

describe('in a workspace', () => {
  const workspace = (files: Readonly<Record<string, string>> = {}): string =>
    repository({ 'pnpm-lock.yaml': '', 'packages/my api/package.json': '{}', ...files });

  test('the workflow stands at the root of the repository, and works in the folder', () => {
    const cwd = join(workspace(), 'packages', 'my api');
    const { path, text } = ciFile('github', cwd, projectOf(cwd));
    expect(path).toBe('../../.github/workflows/assay.yml');
    const { gate } = (parse(text) as { jobs: { gate: Record<string, never> } }).jobs;
    expect(gate.defaults).toEqual({ run: { 'working-directory': 'packages/my api' } });
    expect(text).toContain('path: "packages/my api/assay-out"');
    expect(text).toContain('pnpm install --frozen-lockfile');
  });

  test('a file of GitLab is included by the one at the root', () => {
    const cwd = join(workspace({ '.gitlab-ci.yml': '' }), 'packages', 'my api');
    const project = projectOf(cwd);
    expect(ciOf(project)).toBe('gitlab');
    const { path, text } = ciFile('gitlab', cwd, project);
    expect(path).toBe('../../assay.gitlab-ci.yml');
    const { script, artifacts } = (
      parse(text) as { assay: { script: string[]; artifacts: object } }
    ).assay;
    expect(script[0]).toBe("cd 'packages/my api'");
    expect(artifacts).toMatchObject({ paths: ['packages/my api/assay-out'] });
  });

  test('the root of it is taken if there is no repository', () => {
    const root = join(home, 'plain');
    mkdirSync(join(root, 'a'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "workspaces": ["a"] }');
    expect(projectOf(join(root, 'a')).root).toBe(root);
    expect(projectOf(root)).toMatchObject({ root, isLocked: false });
  });
});
