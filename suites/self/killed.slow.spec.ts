import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunJson } from '../../contracts/run/run.ts';
import { dataOf } from '../../reports/html/html.testkit.ts';
import { askedRules } from '../../reports/rules-pass.ts';
import { assay, exchangesOf, runOf, scratch, start, untilRecorded } from './command-line.ts';

const folder = scratch();
const PARTIAL = 'undecided: The run did not come to its end (partial)';

/** Starts a command that makes a record, and kills it once it has printed something and recorded an exchange. */
async function killed(args: readonly string[], mark: string): Promise<string> {
  const dir = folder();
  const run = start([...args, '--out', dir]);
  await run.printed(mark);
  await untilRecorded(dir, 1);
  run.process.kill('SIGKILL');
  expect((await run.ended).code).toBeNull();
  return dir;
}

/** What a page shows of a run. */
const asAsked = (run: RunJson): RunJson => ({ ...run, rules: askedRules(run) });

/** What is said of a record of a killed run: by itself, when it is judged, and by its reports. */
async function saidOf(dir: string): Promise<{ readonly run: RunJson; readonly all: string[] }> {
  const [again, html, markdown, junit] = [folder(), folder(), folder(), folder()];
  const judged = await assay(['judge', dir, '--out', again]);
  expect(judged.code).toBe(3);
  const formats = ['--html', html, '--markdown', markdown, '--junit', junit];
  const reported = await assay(['report', dir, ...formats]);
  expect(reported.code, reported.said).toBe(0);

  const left = exchangesOf(dir).length;
  const run = runOf(again);
  expect(run).toMatchObject({ complete: false, outcome: 'undecided', counts: { exchanges: left } });
  expect(Date.parse(run.endedAt)).toBeGreaterThan(Date.parse(run.startedAt));
  for (const folderOfPage of [dir, again]) {
    const page = readFileSync(join(folderOfPage, 'report.html'), 'utf8');
    expect(dataOf(page).runs[0]?.run).toEqual(asAsked(runOf(folderOfPage)));
    expect(page).toContain(PARTIAL);
    const xml = readFileSync(join(folderOfPage, 'junit.xml'), 'utf8');
    expect(xml).toContain(`<error type="partial" message="${PARTIAL}">`);
  }
  const page = readFileSync(html, 'utf8');
  expect(dataOf(page).runs[0]?.run).toEqual(asAsked(run));
  expect(page).toContain(PARTIAL);
  expect(readFileSync(markdown, 'utf8')).toContain(`## ? ${PARTIAL}\n`);
  expect(readFileSync(junit, 'utf8')).toContain(`<error type="partial" message="${PARTIAL}">`);
  expect(judged.said).toContain('! The run did not come to its end.');
  return { run, all: [judged.said, ...run.notices, readFileSync(markdown, 'utf8')] };
}

test('limits that are killed leave what they had found, and say that it is not all', async () => {
  const dir = await killed(['limits', '--embedded'], 'zap per client address: identified');
  expect(runOf(dir)).toMatchObject({ complete: false, limits: [] });
  const { run, all } = await saidOf(dir);
  expect(run.limits).toMatchObject([{ api: 'zap', verdict: 'identified' }]);
  // Nobody is sent to run what they have just run.
  expect(all.join()).not.toContain('`assay limits` looks for one on purpose');
});

test('limits that are killed before they found one say so', async () => {
  const dir = await killed(['limits', '--embedded'], 'finding the limit with');
  const { run, all } = await saidOf(dir);
  expect(run.limits).toEqual([]);
  expect(all[0]).toContain('This was a run of `assay limits`, and it had found no limit yet.');
});

test('load that is killed leaves its answers, judged, and says that they are not all', async () => {
  const args = ['load', '--embedded', '--scenario', 'smoke', '--seconds', '60'];
  const dir = await killed(args, 'offered ');
  const { run, all } = await saidOf(dir);
  expect(run.load).toBeUndefined();
  expect(run.rules.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0);
  expect(all[0]).toContain('This was a run of `assay load`');
});
