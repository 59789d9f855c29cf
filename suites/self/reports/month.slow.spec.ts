/**
 * A month of nights of one service, by the command line. The story, and what each night is to say of it:
 *
 * | night | the service | said |
 * | --- | --- | --- |
 * | 1, 2 | serves | conforms; the two are the same, in few lines, whatever the seeds |
 * | 3 | reads a book without its title | a finding, its request kept once, broken since this build |
 * | 4 | serves | the kept request does not show it |
 * | 5 | lacks the title again | shown by the one kept request, broken since this build |
 * | 6 | is out | undecided in one line, a mark in the history; a replay, what was kept and `compare` say nothing |
 * | 7 | serves | conforms; a replay does not show it |
 * | 8 to 12 | answers 1 of 200 requests for its hours wrong | intermittent in night 9; nothing calls it fixed |
 * | 10, 11 | is slow as well | conforms; other medians are counted, and are no difference |
 * | 12 | has one more member | added; a difference with --fail-on added alone |
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HistoryRow } from '../../../cli/tasks/history/prune-history.ts';
import type { RunComparison } from '../../../contracts/run/run-comparison.ts';
import type { RunJson } from '../../../contracts/run/run.ts';
import { dataOf } from '../../../reports/html/html.testkit.ts';
import { assay, type Ended, runOf, scratch } from '../command-line.ts';
import {
  type Answer,
  type Front,
  libraryBehind,
  libraryConfig,
  typed,
} from '../fronted-services.testkit.ts';

const folder = scratch();
const READ = 'books.read.response-shape';
const HOURS = 'books.hours.response-shape';
type Trait = 'untitled' | 'out' | 'flaky' | 'slow' | 'more';

const ok = (value: unknown, status = 200): Answer => ({
  ...{ status, body: JSON.stringify(value) },
  headers: { 'content-type': 'application/json' },
});

/** The library of tonight; of its requests for hours one of 200 is answered wrong, the thirtieth first. */
function frontOf(traits: ReadonlySet<Trait>): Front {
  let asked = 0;
  const book = (): object => ({
    ...{ id: 'b-1', title: 'Ash' },
    ...(traits.has('more') ? { language: 'en' } : {}),
  });
  return ({ method, path }) => {
    if (traits.has('out')) return typed(503, 'DOWN');
    const isBook = method === 'GET' && path === '/v1/books/b-1';
    if (isBook && traits.has('untitled')) return ok({ id: 'b-1' });
    if (isBook) return ok(book());
    if (path !== '/v1/hours' || method !== 'GET' || !traits.has('flaky')) return undefined;
    asked += 1;
    return asked % 200 === 30 ? ok(['nothing']) : undefined;
  };
}

test('each night of a month says what is known of it, and no more', async () => {
  const traits = new Set<Trait>();
  const url = await libraryBehind(frontOf(traits), {
    delayMs: () => (traits.has('slow') ? 30 : 0),
  });
  const home = folder();
  const setting = { cwd: libraryConfig(home, url) };
  const [records, kept] = [join(home, 'records'), join(home, 'kept')];
  const dirOf = (at: number): string => join(records, `n${String(at).padStart(2, '0')}`);

  /** A night whose check ends with a code. */
  async function night(at: number, code: number, ...now: readonly Trait[]): Promise<Night> {
    traits.clear();
    for (const trait of now) traits.add(trait);
    const ended = await assay(
      [
        ...['check', '--seed', String(at), '--label', `commit=c${at}`, '--regressions', kept],
        ...['--history', records, '--out', dirOf(at)],
      ],
      setting,
    );
    expect(ended.code, `night ${at}: ${ended.said}`).toBe(code);
    return { ...ended, run: runOf(dirOf(at)) };
  }
  const compared = (then: number, now: number, ...more: readonly string[]): Promise<Ended> =>
    assay(['compare', dirOf(then), dirOf(now), ...more]);
  const summary = async (at: number): Promise<string> =>
    (await assay(['report', dirOf(at), '--history', records, '--summary', '-'])).stdout;
  const replayed = (word: string, at: string): Promise<Ended> =>
    assay(['check', '--replay', word, '--out', join(home, at)], setting);
  const historyAt = (at: number): NonNullable<ReturnType<typeof dataOf>['runs'][0]['history']> => {
    const [shown] = dataOf(readFileSync(join(dirOf(at), 'report.html'), 'utf8')).runs;
    if (shown?.history === undefined) throw new Error(`night ${at} is among no others`);
    return shown.history;
  };
  const filesKept = (): string[] =>
    readdirSync(kept).map((name) => `${name} ${readFileSync(join(kept, name), 'utf8')}`);

  await night(1, 0);
  await night(2, 0);
  const same = await compared(1, 2);
  expect(same.code, same.said).toBe(0);
  expect(same.stdout.trimEnd().split('\n').length).toBeLessThan(10);
  expect(historyAt(2).ledger.rows).toEqual([]);

  const broken = await night(3, 1, 'untitled');
  expect(brokenIn(broken.run)).toEqual([[READ, 'books.read', '/title']]);
  expect(filesKept()).toHaveLength(1);
  expect(await summary(3)).toContain(`${READ}\` at \`books.read\`: broken since commit \`c3\``);

  expect((await night(4, 0)).run.regressions).toMatchObject([{ verdict: 'not-shown' }]);

  const again = await night(5, 1, 'untitled');
  expect(again.run.regressions).toMatchObject([{ rule: READ, verdict: 'shown' }]);
  expect(filesKept()).toHaveLength(1);
  expect(await summary(5)).toContain('broken since commit `c5`');

  const before = filesKept();
  const word = again.run.rules.find(({ id }) => id === READ)?.counterexample?.replay ?? '';
  const out = await night(6, 3, 'out');
  expect(out.run.notices).toHaveLength(1);
  expect(out.run).toMatchObject({ outages: ['books'], regressions: [{ verdict: 'unclear' }] });
  expect(brokenIn(out.run)).toEqual([]);
  expect(filesKept()).toEqual(before);
  expect((await replayed(word, 'replayed-out')).code).toBe(3);
  for (const [then, now] of [
    [4, 6],
    [5, 6],
    [6, 4],
  ] as const)
    expect((await compared(then, now)).code, `${then} and ${now}`).toBe(3);

  expect((await night(7, 0)).run.regressions).toMatchObject([{ verdict: 'not-shown' }]);
  const { code, said } = await replayed(word, 'replayed');
  expect([code, said]).toEqual([0, expect.stringContaining('not shown again')]);

  await night(8, 0, 'flaky');
  const flaky = await night(9, 1, 'flaky');
  expect(brokenIn(flaky.run)).toEqual([[HOURS, 'books.hours', '']]);
  expect(flaky.said).toMatch(
    /rate intermittent: 1 of \d\d times that comparable requests were judged, /,
  );

  const slow = await night(10, 0, 'flaky', 'slow');
  expect(slow.run.regressions?.find(({ rule }) => rule === HOURS)?.verdict).toBe('unclear');
  const after = JSON.parse((await compared(9, 10, '--json')).stdout) as RunComparison;
  expect(after).toMatchObject({ verdict: 'unclear', findings: { fixed: { rows: [] } } });
  expect(after.findings.open.rows).toMatchObject([
    { rule: HOURS, why: expect.stringContaining('it is intermittent') as string },
  ]);
  await night(11, 0, 'flaky', 'slow');
  const slower = await compared(8, 11);
  expect(slower.code, slower.said).toBe(0);
  expect(slower.said).toMatch(/Medians of latency that doubled or halved;[^:]*: \d+, listed with/);

  await night(12, 0, 'flaky', 'more');
  const added = await compared(11, 12);
  expect([added.code, added.said]).toEqual([0, expect.stringContaining('field /language')]);
  expect((await compared(11, 12, '--fail-on', 'added')).code).toBe(1);

  const texts = historyAt(12).rules.rows.map(([, text]) => text);
  expect(texts).toHaveLength(2);
  expect(texts.join('\n')).toMatch(
    /books\.hours.*: not seen since n10 .*too few runs to call it fixed; broken in 1 of 11 runs .*; intermittent: 1 of \d{3} times that it was judged, /,
  );
  expect(texts.join('\n')).toMatch(/books\.read.*: holds since n07 .*; broken in 2 of 11 runs/);
  const { stdout } = await assay(['history', records, '--json']);
  const { rows } = JSON.parse(stdout) as { readonly rows: readonly HistoryRow[] };
  expect(rows.flatMap(({ run, outages = [] }) => outages.map((api) => [run, api]))).toEqual([
    ['n06', 'books'],
  ]);
  expect((await assay(['history', records])).stdout).toContain('undecided (books was out)');
});

interface Night extends Ended {
  readonly run: RunJson;
}

function brokenIn({ rules }: RunJson): unknown[] {
  return rules
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .flatMap(({ id, findings }) => findings.map((one) => [id, one.operation, one.pointer]));
}
