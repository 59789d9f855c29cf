import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, ROOT, scratch } from '../../suites/self/command-line.ts';

const GUIDE = readFileSync(join(ROOT, 'docs', 'guide', 'ci.md'), 'utf8');
const folder = scratch();

test.each([
  ['github', '.github/workflows/assay.yml'],
  ['gitlab', '.gitlab-ci.yml'],
])('the guide on CI shows the CI file that init writes for %s', async (kind, path) => {
  const cwd = folder();
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "devDependencies": { "assay": "*" } }');
  expect((await assay(['init', '--ci', kind], { cwd })).code).toBe(0);
  const written = readFileSync(join(cwd, path), 'utf8').replace(/^#.*\n/gm, '');
  expect(GUIDE).toContain(`\`\`\`yaml\n${written}\`\`\``);
});
