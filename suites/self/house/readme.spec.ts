import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, ROOT, scratch } from '../command-line.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const folder = scratch();

/** The options in the first column of the table of all options. */
function optionsInTable(): string[] {
  const [, table = ''] = README.split('### All options of `check`');
  const rows = (table.split('\n#')[0] ?? '').matchAll(/^\| (`--[^|]*(?:\\\|[^|]*)*)\|/gm);
  return [...rows].flatMap(([, cell = '']) => cell.match(/--[a-z-]+/g) ?? []);
}

test('the README has every option of check once, and no other', async () => {
  const { stdout } = await assay(['check', '--help']);
  const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name);
  const wanted = options.filter((name) => name !== '--help');
  expect(wanted.length).toBeGreaterThan(25);
  expect(optionsInTable().sort()).toEqual(wanted.sort());
});

test.each([
  ['github', '.github/workflows/assay.yml'],
  ['gitlab', '.gitlab-ci.yml'],
])('the README shows the CI file that init writes for %s', async (kind, path) => {
  const cwd = folder();
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "devDependencies": { "assay": "*" } }');
  expect((await assay(['init', '--ci', kind], { cwd })).code).toBe(0);
  const written = readFileSync(join(cwd, path), 'utf8').replace(/^#.*\n/gm, '');
  expect(README).toContain(`\`\`\`yaml\n${written}\`\`\``);
});
