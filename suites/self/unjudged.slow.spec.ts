import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { RunJson } from '../../contracts/run/run.ts';
import { dataOf } from '../../reports/html/html.testkit.ts';
import { assay, type Ended, exchangesOf, runOf, scratch, start } from './command-line.ts';

const folder = scratch();
const home = folder();
const config = join(home, 'assay.config.mjs');

/** A rule that takes this many ms an exchange, in the thread of the drive as well or when a run judges its record alone. */
const CONFIG = `
Error.stackTraceLimit = 100;
function judge() {
  const { STALL_MS = '0', STALL_IN = '' } = process.env;
  const isHere = STALL_IN === '' || new Error().stack.includes(STALL_IN);
  // The thread waits: that leaves the processor to others.
  if (isHere) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(STALL_MS));
  return [];
}
export default {
  rules: [{
    scope: 'exchange', id: 'ours.slow', level: 'must', source: 'ours', protects: 'It is so.',
    api: 'zap', operations: '*', answer: 'success', leastEvidence: 1, judge,
  }],
};`;

beforeAll(() => {
  mkdirSync(home);
  writeFileSync(config, CONFIG);
});

const checked = ['check', '--embedded', '--seed', '3', '--config', config];
const slow = { STALL_MS: '9000', STALL_IN: 'judgeRecord' };

/** A run of a few seconds; of more on a machine on which it records less than this otherwise. */
async function checkedFor(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  least: number,
): Promise<Ended & { readonly dir: string; readonly exchanges: number }> {
  for (let seconds = 7; ; seconds *= 2) {
    const dir = folder();
    const limits = ['--max-seconds', String(seconds), '--out', dir];
    const ended = await assay([...checked, ...args, ...limits], { env });
    const exchanges = exchangesOf(dir).length;
    if (exchanges >= least) return { ...ended, dir, exchanges };
  }
}

/** Judges a record that its run did not judge, and makes a release of it. */
async function completed(dir: string): Promise<Ended> {
  const release = ['report', dir, '--release', '1', '--config', config, '--out', folder()];
  const refused = await assay(release);
  expect(refused.code).toBe(2);
  expect(refused.said).toContain('`assay judge` with this folder judges all that it holds');
  const judged = await assay(['judge', dir, '--config', config]);
  const run = runOf(dir);
  expect(run.unjudged).toBeUndefined();
  expect(run.counts.exchanges).toBe(run.record.exchanges);
  expect(pageOf(dir)).toEqual(run);
  const again = await assay(['judge', dir, '--config', config]);
  expect(again.code, again.said).toBe(judged.code);
  return judged;
}

test('a run that is killed while it judges its record is completed later, and fit for a release', async () => {
  const dir = folder();
  const run = start([...checked, '--out', dir], { env: slow });
  // Its page is written last.
  while (!readIfThere(join(dir, 'run.json')).includes('"unjudged"') || !isShown(dir)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  run.process.kill('SIGKILL');
  await run.ended;
  const exchanges = exchangesOf(dir).length;
  expect(runOf(dir)).toMatchObject({
    counts: { exchanges },
    unjudged: { by: 'end-of-process', judged: 0, cutShort: false },
  });
  expect(pageOf(dir)).toEqual(runOf(dir));
  expect((await completed(dir)).code).toBe(0);
  const out = folder();
  const release = await assay(['report', dir, '--release', '1', '--config', config, '--out', out]);
  // What only `assay limits` reaches is missing.
  expect(release.code, release.said).toBe(3);
  const certificate = join(out, 'certificate.json');
  const verified = await assay(['verify', certificate, dir, '--config', config]);
  expect(verified.said).toContain('is verified');
});

test('a run whose time ends before its record is judged says what it recorded', async () => {
  const limits = ['--max-requests', '60'];
  const { code, said, dir, exchanges } = await checkedFor(limits, slow, 60);
  expect(code).toBe(3);
  expect(said).toMatch(new RegExp(`\\? undecided: \\d+ of ${exchanges} exchanges judged`));
  expect(said).toMatch(new RegExp(`Of its ${exchanges} exchanges (none was|the first \\d+ were)`));
  expect(said).toContain('judges all that it holds.');
  expect(said).not.toMatch(/no response|pieces of evidence|no exchange of the run/);
  expect(runOf(dir)).toMatchObject({ counts: { exchanges }, unjudged: { by: 'time' } });
  expect((await completed(dir)).code).toBe(3);
});

test('a drive leaves time to judge its record, however slow its rules are', async () => {
  const env = { STALL_MS: '20' };
  const { code, said, dir } = await checkedFor(['--profile', 'release'], env, 20);
  expect(code, said).toBe(3);
  expect(said).toContain('seconds is used up, with what judging the record takes.');
  const { unjudged, counts, record } = runOf(dir);
  expect(unjudged).toBeUndefined();
  expect(counts.exchanges).toBe(exchangesOf(dir).length);
  expect(record.exchanges).toBe(counts.exchanges);
});

function isShown(dir: string): boolean {
  return pageOf(dir)?.unjudged !== undefined;
}

/** The run that the page of a record shows. */
function pageOf(dir: string): RunJson | undefined {
  return dataOf(readFileSync(join(dir, 'report.html'), 'utf8')).runs[0]?.run;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

test('what code of the user leaves in the drive is not there when the record is judged', async () => {
  const own = join(home, 'left-behind.config.mjs');
  const leaves = `
    if (!new Error().stack.includes('judgeRecord')) globalThis.drove = true;
    else console.error(globalThis.drove ? 'left behind' : 'judged alone');
    return [];`;
  writeFileSync(own, CONFIG.replace('  return [];', leaves));
  const { code, said } = await assay([
    ...['check', '--embedded', '--max-requests', '20', '--config', own, '--out', folder()],
  ]);
  expect(code, said).toBe(3);
  expect(said).toContain('judged alone');
  expect(said).not.toContain('left behind');
});
