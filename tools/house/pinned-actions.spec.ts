import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../suites/self/command-line.ts';
import { readSources } from '../sources/sources.ts';

const CI = join('examples', 'ci');

/** All files that a runner of CI reads, and those that they are written by or shown in. */
const FILES = [
  ...['action.yml', join('docs', 'guide', 'ci.md'), join('cli', 'check', 'ci-file.ts')],
  ...readdirSync(join(ROOT, CI), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yml'))
    .map((name) => join(CI, name)),
];

const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

test('actions of others are named by commit, with their version beside it', () => {
  const used = FILES.flatMap((name) => textOf(name).match(/uses: .*/g) ?? []).filter(
    (line) => !line.includes('your-organisation/assay@'),
  );
  expect(used.length).toBeGreaterThan(12);
  expect(
    used.filter(
      (line) => !/^uses: [\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line),
    ),
  ).toEqual([]);
});

test('a file of CI runs what is installed, and fetches nothing by its name', () => {
  const calls = FILES.filter((name) => name.endsWith('.yml')).flatMap(
    (name) => textOf(name).match(/npx .*/g) ?? [],
  );
  expect(calls.length).toBeGreaterThan(10);
  expect(calls.filter((call) => !call.startsWith('npx --no -- assay '))).toEqual([]);
});

test('no page installs the package by its name, which is nobody’s yet', () => {
  const pages = readSources(ROOT).filter(({ path }) => path.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(5);
  const installs = pages.flatMap(({ path, text }) =>
    (text.match(/\b(?:npm|pnpm|yarn|bun) (?:i|install|add|exec) .*/g) ?? []).map(
      (call) => `${path}: ${call}`,
    ),
  );
  expect(installs.length).toBeGreaterThan(2);
  expect(installs.filter((call) => /\sassay(?:@|\s|$)/.test(call))).toEqual([]);
});
