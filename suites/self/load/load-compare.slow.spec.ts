import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { assay, exchangesOf, runOf, scratch, serve, type Served, start } from '../command-line.ts';
import { lacks } from '../../../fixtures/machine-needs.testkit.ts';

const folder = scratch();
let served: Served;
beforeAll(async () => {
  served = await serve(['--zap-limit', 'none', '--trade-limit', 'none']);
});

/** A busy machine may be late, and may be slower than a minute ago: then nothing is reported for certain. */
const WELL = [0, 3];
const SHORT = ['--seconds', '4', '--rate', '30', '--rounds', '2'];

/** Without credentials, so that the zap API alone is asked. */
const load = (...flags: readonly string[]): readonly string[] => [
  ...['load', '--zap-url', served.urls.zap, ...flags],
];

/** Processes that another one has started. */
function childrenOf(pid: number | undefined): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

test('nights are compared with each other, and judged again without the others', async () => {
  const nights = folder();
  const [first, second] = [join(nights, '1'), join(nights, '2')];
  // The first night makes the folder of its history.
  const one = await assay(load(...SHORT, '--history', nights, '--out', first));
  expect(WELL, one.said).toContain(one.code);
  expect(one.said).toContain('2 rounds of 120 requests in 4 s, each beside one on a control');
  expect(one.said).toMatch(/round 2\/2 (?:control|target)/);
  const two = await assay(
    load(...SHORT, '--history', nights, '--baseline', first, '--out', second),
  );
  expect(WELL, two.said).toContain(two.code);

  const [runOne, runTwo] = [runOf(first), runOf(second)];
  for (const [dir, run, { code }] of [
    [first, runOne, one],
    [second, runTwo, two],
  ] as const) {
    expect(run.outcome).toBe(code === 0 ? 'conforms' : 'undecided');
    expect(run.load?.whole.counts.sent).toBe(240);
    // A round whose control was held up is left out, and reported.
    const reported = run.notices.filter((notice) => notice.includes('for its control'));
    expect((run.load?.rounds?.length ?? 0) + reported.length).toBe(2);
    expect(run.load?.steps.map(({ offeredPerSecond }) => offeredPerSecond)).toEqual([30]);
    const exchanges = exchangesOf(dir);
    expect(new Set(exchanges.map(({ id }) => id)).size).toBe(exchanges.length);
    // What the control answered is nobody's to judge.
    for (const { request } of exchanges) expect(request.url.startsWith(served.urls.zap)).toBe(true);
    expect(exchanges.filter(({ id }) => id.startsWith('x')).length).toBe(run.load?.judged.kept);
    expect(run.load?.generator.dropped).toBe(0);
  }
  expect(runOne.load?.trend?.notes).toEqual([]);
  expect(runTwo.load?.baseline).toMatchObject({ run: '1', startedAt: runOne.startedAt });
  const { trend, invalid } = runTwo.load ?? {};
  expect(trend).toBeDefined();
  if (invalid?.length === 0 && runOne.load?.invalid.length === 0) {
    expect(trend?.nights).toEqual([runOne.startedAt, runTwo.startedAt]);
    expect(runTwo.load?.baseline?.rows.length).toBeGreaterThan(0);
    expect(readFileSync(join(second, 'trend.svg'), 'utf8')).toContain('</svg>');
  }
  expect(two.said).toContain('Against the baseline 1 of');
  expect(two.said).toContain('Trend');
  const judged = await assay(['judge', second, '--json']);
  expect(JSON.parse(judged.stdout)).toEqual(runTwo);
  expect(judged.code).toBe(two.code);
});

test('a run that cannot be set beside the baseline is undecided, and says why', async () => {
  const [first, second] = [folder(), folder()];
  const flags = ['--seconds', '3', '--rate', '20'];
  await assay(load(...flags, '--out', first));
  // Whoever has the record may have altered it: what it holds does nothing to a terminal or a CI system.
  const file = join(first, 'run.json');
  const altered = JSON.parse(readFileSync(file, 'utf8')) as { load: { scenario: string } };
  altered.load.scenario = '\u001b[2J\n::error::x';
  writeFileSync(file, JSON.stringify(altered));
  const refused = await assay(load(...flags, '--baseline', first, '--out', second));
  expect(refused.code, refused.said).toBe(4);
  expect(refused.said).toContain('is not as its run left it');
  // Without its exchanges nothing covers it, and it is believed.
  rmSync(join(first, 'exchanges.ndjson'));
  const { code, said, stdout } = await assay(load(...flags, '--baseline', first, '--out', second));
  expect(code, said).toBe(3);
  expect(said).toContain('? slower==0 not known');
  expect(said).toContain('its scenario was \\u{1b}[2J');
  expect(stdout).not.toContain('\u001b');
  expect(stdout).not.toMatch(/^\s*::error/m);
  const { load: found, complete } = runOf(second);
  expect(found?.baseline?.refused.join()).toContain('its scenario was');
  // Its own figures are as good as before: later nights are compared with them.
  expect(complete).toBe(true);
  expect(found?.thresholds.at(-1)).toEqual({ expression: 'slower==0', held: false });
});

test.skipIf(lacks('ps'))(
  'Ctrl-C keeps the rounds that were measured, and leaves no control behind',
  async () => {
    const out = folder();
    const running = start(load('--seconds', '4', '--rate', '30', '--rounds', '5', '--out', out));
    await running.printed('round 2/5');
    const children = childrenOf(running.process.pid);
    expect(children).toHaveLength(1);
    running.process.kill('SIGINT');
    const { code, said } = await running.ended;
    expect(code, said).toBe(3);
    const run = runOf(out);
    expect(run.complete).toBe(false);
    expect(run.notices.join()).toContain('interrupted');
    expect(run.load?.rounds?.length).toBeLessThanOrEqual(1);
    expect(run.load?.whole.counts.sent).toBeGreaterThanOrEqual(120);
    for (const pid of children) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  },
);

describe('what cannot be compared is refused before anything is sent:', () => {
  test.each([
    ['no folder of records', () => ['--history', '/nowhere'], 'Name a folder whose folders'],
    ['no record', () => ['--baseline', folder()], 'Name the record of an earlier run'],
    [
      'a threshold that speaks of nothing',
      () => ['--threshold', 'slower==0'],
      'give them with --history or --baseline',
    ],
    [
      'rounds beyond the ceilings',
      () => ['--rounds', '50'],
      'its ceilings are 2000 requests and 120 s',
    ],
    [
      'rounds of a search for the breakpoint',
      () => ['--scenario', 'breakpoint', '--rounds', '2'],
      'leave --rounds out',
    ],
    ['rounds of k6', () => ['--engine', 'k6', '--rounds', '2'], 'leave --rounds out'],
  ])('%s', async (_what, flags, reported) => {
    const out = folder();
    const { code, said } = await assay(load(...flags(), '--out', out));
    expect(code, said).toBe(2);
    expect(said).toContain(reported);
    expect(existsSync(out)).toBe(false);
  });

  test('a record of another command', async () => {
    const [check, out] = [folder(), folder()];
    mkdirSync(check);
    await assay(['check', '--zap-url', 'http://127.0.0.1:9', '--out', join(check, 'run')]);
    const { code, said } = await assay(load('--baseline', join(check, 'run'), '--out', out));
    expect(code, said).toBe(2);
    expect(said).toContain('it is the record of no load run');
  });
});
