/** Long because what makes nights comparable is tried one by one. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { historyOf, HistoryUnreadable, readBaseline, readHistory } from './history.ts';
import type { Night, NightLoad } from './night.ts';
import { readNight } from './read-night.ts';
import { loadOf, MACHINE, nightOf, roundsOf, runOf } from './run-of.testkit.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'assay-history-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function write(name: string, content: string): void {
  mkdirSync(path.join(dir, name));
  writeFileSync(path.join(dir, name, 'run.json'), content);
}

function keep(...nights: readonly Night[]): void {
  for (const night of nights) write(night.run, JSON.stringify(runOf(night)));
}

const load = loadOf(20);
const tonight = nightOf(30, load);

describe('a folder of records', () => {
  test('is read by the time of its runs, the newest last', () => {
    keep(nightOf(3, loadOf(21)), nightOf(1, loadOf(20)), nightOf(2, loadOf(22)));
    const { nights, leftOut } = historyOf(tonight, readHistory(dir));
    expect(nights.map(({ run }) => run)).toEqual([
      '2026-01-02',
      '2026-01-03',
      '2026-01-04',
      '2026-01-31',
    ]);
    expect(nights.map((night) => night.load.whole.latency.p50Ms)).toEqual([20, 22, 21, 20]);
    expect(leftOut).toEqual([]);
  });

  test('states of each night how many rounds it counted, and whether it measured the limiter', () => {
    const limiter = { throttled: 90, sent: 1000, fromPerSecond: 50 };
    keep(nightOf(1, { ...load, countedRounds: 5 }), nightOf(2, { ...load, limiter }));
    const { nights } = readHistory(dir);
    expect(nights.map((night) => night.load)).toMatchObject([{ countedRounds: 5 }, { limiter }]);
  });

  test('may hold other things, which are reported', () => {
    keep(nightOf(1, load));
    mkdirSync(path.join(dir, 'empty'));
    writeFileSync(path.join(dir, 'a file'), 'x');
    write('check', JSON.stringify({ startedAt: 'then' }));
    write('torn', '{"startedAt":');
    write('deep', '['.repeat(100_000));
    write('other', JSON.stringify({ load: { scenario: 7 } }));
    mkdirSync(path.join(dir, 'linked'));
    symlinkSync(path.join(dir, '2026-01-02'), path.join(dir, 'link'));
    mkdirSync(path.join(dir, 'folder', 'run.json'), { recursive: true });
    const { nights, leftOut, notes } = readHistory(dir);
    expect(nights).toHaveLength(1);
    expect(leftOut.map(({ run, reason }) => `${run}: ${reason}`)).toEqual([
      'torn: its run.json is no JSON that can be read',
      expect.stringMatching(/^other: it is no record of a load run: it must have required/),
      'folder: its run.json cannot be read: it is a folder',
      'deep: its run.json is no JSON that can be read',
    ]);
    expect(notes).toEqual([
      '3 folders hold no load run.',
      expect.stringMatching(/^Nothing covers the figures of \d+ of the \d+ earlier runs/),
    ]);
  });

  test('is compared with 120 nights at most', () => {
    const nights = Array.from({ length: 130 }, (_, at) => nightOf(at, load));
    const history = historyOf(nightOf(200, load), { nights, leftOut: [], notes: [] });
    expect(history.nights).toHaveLength(120);
    expect(history.nights[0]?.startedAt).toBe(nights[11]?.startedAt);
    expect(history.notes).toEqual(['The oldest 11 runs are not compared, beyond 120.']);
  });

  test('that is not there is wrong use', () => {
    expect(() => readHistory(path.join(dir, 'nowhere'))).toThrow(HistoryUnreadable);
    expect(() => readHistory(path.join(dir, 'nowhere'))).toThrow(/it is not there\. Name a folder/);
  });
});

describe('runs that cannot be set beside tonight’s are left out, and named', () => {
  const { steps, operations, whole } = load;
  const machine = MACHINE;
  const [step] = steps;
  const [operation] = operations;
  if (step === undefined || operation === undefined) throw new Error('The example has neither.');
  const half = { ...operation, counts: { ...operation.counts, sent: 5000 } };
  const cases: [string, Partial<NightLoad>, RegExp][] = [
    [
      'another CPU',
      { machine: { ...machine, cpuModel: 'B' } },
      /another machine \(a CPU: B, not A CPU\)/,
    ],
    ['more cores', { machine: { ...machine, cores: 8 } }, /cores: 8, not 4/],
    ['half the memory', { machine: { ...machine, memoryBytes: 4e9 } }, /4\.0 GB, not 8\.0 GB/],
    ['another scenario', { scenario: 'spike' }, /scenario was spike, not average/],
    ['another warm-up', { warmUpSeconds: 10 }, /its warm-up was 10 s, not 0 s/],
    ['another engine', { engine: { name: 'k6', version: '1' } }, /engine was k6, not open-loop/],
    [
      'a longer step',
      { steps: [{ ...step, seconds: 200 }] },
      /hold 100\/s of 200 s at 100\/s, not hold 100\/s of 100 s/,
    ],
    ['a faster step', { steps: [{ ...step, offeredPerSecond: 120 }] }, /at 120\/s, not/],
    ['a further step', { steps: [step, step] }, /2 steps, not 1/],
    [
      'another operation',
      { operations: [{ ...operation, operation: 'b' }] },
      /mix was another one \(a\.one: 0 % of/,
    ],
    ['another mix', { operations: [operation, half] }, /mix was another one \(a\.one: /],
    [
      'an outage',
      { whole: { ...whole, counts: { ...whole.counts, served: 5000 } } },
      /served 50 % of its requests, not 100 %/,
    ],
    ['a late generator', { invalid: ['it lagged'] }, /figures do not count: it lagged/],
    [
      'one of the limiter',
      { limiter: { throttled: 90, sent: 1000, fromPerSecond: 50 } },
      /measured the limiter, as 90 of 1000/,
    ],
    ['a part', { part: { index: 1, of: 4, plan: 'x' } }, /part 1 of 4/],
  ];

  test.each(cases)('%s', (_, changes, reason) => {
    const other = { ...nightOf(1, { ...load, ...changes }) };
    const history = historyOf(tonight, { nights: [other], leftOut: [], notes: [] });
    expect(history.nights).toEqual([tonight]);
    expect(history.leftOut.map(({ run }) => run)).toEqual(['2026-01-02']);
    expect(history.leftOut[0]?.reason).toMatch(reason);
  });

  test.each([
    ['one cut short', { complete: false }, /cut short/],
    [
      'another host',
      { target: { kind: 'remote', urls: { zap: 'https://trade.example' } } },
      /trade\.example, not zap\.example/,
    ],
    [
      'the reference service',
      { target: { kind: 'reference', urls: {} } },
      /embedded reference service, not/,
    ],
    ['one of the morning after', { startedAt: '2026-03-01T00:00:00Z' }, /after this run/],
  ] as const)('%s', (_, changes, reason) => {
    const other: Night = { ...nightOf(1, load), ...changes };
    const history = historyOf(tonight, { nights: [other], leftOut: [], notes: [] });
    expect(history.leftOut.map(({ run }) => run)).toEqual(['2026-01-02']);
    expect(history.leftOut[0]?.reason).toMatch(reason);
  });

  test('one of which nobody knows the machines', () => {
    const { machine, ...unknown } = load;
    expect(machine).toBeDefined();
    const history = historyOf(tonight, { nights: [nightOf(1, unknown)], leftOut: [], notes: [] });
    expect(history.leftOut[0]?.reason).toBe('which machines it was sent from is not known');
  });

  test('a copy counts once, and its own record not at all', () => {
    const nights = [
      nightOf(1, load),
      { ...nightOf(1, load), run: 'copy' },
      { ...tonight, run: 'own' },
    ];
    const history = historyOf(tonight, { nights, leftOut: [], notes: [] });
    expect(history.nights).toHaveLength(2);
    expect(history.leftOut).toEqual([{ run: 'copy', reason: 'it is a copy of another one' }]);
  });

  test('no more than forty are named', () => {
    const nights = Array.from({ length: 50 }, (_, at) => nightOf(at, { ...load, scenario: 'x' }));
    const history = historyOf(nightOf(60, load), { nights, leftOut: [], notes: [] });
    expect(history.leftOut).toHaveLength(40);
    expect(history.leftOutMore).toBe(10);
  });
});

test('what may matter all the same is reported: versions, and ports not', () => {
  const older = nightOf(1, {
    ...load,
    machine: { ...MACHINE, node: 'v20.19.0', memoryBytes: 8_100_000_000 },
    engine: { name: 'open-loop', version: '7.29.0' },
  });
  const run = (port: number): Night['target'] => ({
    kind: 'remote',
    urls: { zap: `http://127.0.0.1:${port}` },
  });
  const history = historyOf(
    { ...tonight, target: run(1) },
    { nights: [{ ...older, tool: '0.9.0', target: run(2) }], leftOut: [], notes: [] },
  );
  expect(history.leftOut).toEqual([]);
  expect(history.notes).toEqual([
    '1 of 1 earlier nights ran with Node v20.19.0, not v20.20.0.',
    '1 of 1 earlier nights ran with engine open-loop 7.29.0, not 7.30.2.',
    '1 of 1 earlier nights ran with Assay 0.9.0, not 1.0.0.',
  ]);
});

describe('a record that others wrote', () => {
  const good = runOf(nightOf(1, loadOf(20, { rounds: roundsOf([[20, 5]]) })));

  test('is a night', () => {
    expect(readNight(good, 'x')).toMatchObject({ kind: 'night', night: { run: 'x' } });
  });

  test.each([
    ['a time that is none', { startedAt: '2026-99-99T99:99:99Z' }],
    ['a word for a time', { startedAt: 'yesterday' }],
    ['a negative latency', { load: loadOf(-1) }],
    ['a latency that is a text', { load: { ...load, whole: { ...load.whole, latency: '20' } } }],
    ['no machine', { load: { ...load, machine: null } }],
    ['rounds without end', { load: { ...load, rounds: roundsOf(Array(101).fill([20, 5])) } }],
    ['nothing', { load: null }],
  ])('%s is no night', (_, changes) => {
    expect(readNight({ ...good, ...changes }, 'x').kind).toBe('unreadable');
  });

  test.each([undefined, null, 7, [], 'x'])('%j is no night', (run) => {
    expect(readNight(run, 'x').kind).toBe('unreadable');
  });
});

describe('a baseline', () => {
  test('is the record itself', () => {
    keep(nightOf(1, load));
    expect(readBaseline(path.join(dir, '2026-01-02'))).toMatchObject({ run: '2026-01-02' });
  });

  test.each([
    ['a folder without a record', 'x', undefined, /it has no run\.json/],
    ['the record of a check', 'y', '{}', /it is the record of no load run/],
    ['a torn record', 'z', '{', /no JSON/],
  ])('is not %s', (_, name, content, reason) => {
    if (content === undefined) mkdirSync(path.join(dir, name));
    else write(name, content);
    expect(() => readBaseline(path.join(dir, name))).toThrow(HistoryUnreadable);
    expect(() => readBaseline(path.join(dir, name))).toThrow(reason);
  });
});
