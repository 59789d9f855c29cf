import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EXAMPLE_RUN } from '../../reports/example-run.testkit.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-judged-'));
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

test('a secret of a base URL, a label, a waiver, a notice or a failure stands in no file', async () => {
  vi.stubEnv('ASSAY_SECRET_PATH', 'hush-4711');
  const { writeJudged } = await import('./record.ts');
  writeJudged(dir, {
    ...EXAMPLE_RUN,
    target: { ...EXAMPLE_RUN.target, urls: { zap: 'http://127.0.0.1:1/hush-4711' } },
    labels: { build: 'of hush-4711' },
    waivers: [{ rule: 'zap.a', reason: 'at hush-4711', owner: 'hush-4711', expires: '2026-02-01' }],
    notices: ['nothing at http://127.0.0.1:1/hush-4711'],
    failure: 'hush%2D4711',
  });
  for (const name of ['run.json', 'junit.xml', 'findings.ndjson']) {
    expect(readFileSync(join(dir, name), 'utf8')).not.toMatch(/4711/);
  }
  expect(readFileSync(join(dir, 'run.json'), 'utf8')).toContain('/$ASSAY_SECRET_PATH"');
});

test('a secret that is a word of Assay leaves the summary what it is', async () => {
  vi.stubEnv('ASSAY_SECRET_WORD', 'rules');
  vi.stubEnv('ASSAY_SECRET_OTHER', 'quote');
  const { writeJudged } = await import('./record.ts');
  writeJudged(dir, EXAMPLE_RUN);
  const run = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as typeof EXAMPLE_RUN;
  expect(run.rules.map(({ id }) => id)).toEqual(EXAMPLE_RUN.rules.map(({ id }) => id));
  expect(Object.keys(run)).toEqual(Object.keys(EXAMPLE_RUN));
});

test('what can be written is, if the system refuses a derived report', async () => {
  const { writeJudged } = await import('./record.ts');
  mkdirSync(join(dir, 'junit.xml'));
  expect(() => writeJudged(dir, EXAMPLE_RUN)).toThrow(
    /junit\.xml could not be written: it is a folder/,
  );
  expect(existsSync(join(dir, 'run.json'))).toBe(true);
  // Half of a file would only take room.
  expect(existsSync(join(dir, 'junit.xml.part'))).toBe(false);
});
