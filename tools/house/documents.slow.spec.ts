import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../../suites/self/command-line.ts';
import { blocksOf } from './shown-commands.ts';
import { readSources } from '../sources/sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-documents-'));
const bin = join(folder, 'bin');
mkdirSync(bin);
const program = join(bin, 'assay');
writeFileSync(
  program,
  `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'dist', 'cli', 'main.js')}" "$@"\n`,
);
chmodSync(program, 0o755);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Pages with blocks that need the embedded service alone. */
const PAGES = readSources(ROOT)
  .filter(({ path }) => path.endsWith('.md'))
  .map(({ path }) => path)
  .filter((path) => markedIn(path).length > 0);

function markedIn(path: string): string[] {
  return blocksOf(readFileSync(join(ROOT, path), 'utf8'))
    .filter(({ info }) => info === 'sh embedded')
    .map(({ text }) => text);
}

test('pages have such blocks', () => {
  expect(PAGES.length).toBeGreaterThan(5);
});

/** What goes by the clock is undecided beside other work. */
const BY_THE_CLOCK = /(?:README|limits|load)\.md$/;

// In the order of the page: a later command may need the record of an earlier one.
test.each(PAGES)('the commands of %s that need the embedded service alone run', (path) => {
  const cwd = join(folder, path.replaceAll('/', '-'));
  mkdirSync(cwd);
  const { PATH = '', HOME } = process.env;
  const env = { PATH: `${bin}${delimiter}${PATH}`, HOME, NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', markedIn(path).join('\n')], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
  });
  const good = BY_THE_CLOCK.test(path) ? [0, 3] : [0];
  expect(status, `${stdout.slice(-2000)}${stderr.slice(-2000)}`).toBeOneOf(good);
});
