import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { passed, runOf } from '../../contracts/release/release.testkit.ts';
import type { KnownFile } from '../../contracts/run/run-known.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { knownAtHand, pruneKnown, withKnown, writeKnown } from './known-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'assay-known-'));
const file = join(dir, 'known.json');
afterAll(() => {
  rmSync(dir, { recursive: true });
});
beforeEach(() => {
  rmSync(file, { force: true });
});

const finding = {
  ...{ operation: 'zap.quote', pointer: '/data/0', expected: 'a', actual: 'b' },
  ...{ exchanges: ['x1'], curl: 'curl', count: 9, rate: { broken: 2, judged: 2 } },
};
const RED = runOf('r1', {
  outcome: 'does-not-conform',
  rules: [passed('zap.a', { verdict: 'fail', evidence: 9, findings: [finding] })],
});
const judgedAt = [{ operation: 'zap.quote', times: 9 }];
const GREEN = runOf('r2', { rules: [passed('zap.a', { evidence: 9, judgedAt })] });
const rated = (broken: number, judged: number): string =>
  JSON.stringify({
    schemaVersion: 1,
    known: [
      { ...{ rule: 'a', level: 'must', place: '' }, rate: { broken, judged }, since: '2026-01-02' },
    ],
  });
const read = (): KnownFile => JSON.parse(readFileSync(file, 'utf8')) as KnownFile;
const write = (run: RunJson): void => {
  writeKnown([{ run }], { writeKnown: file });
};

test('a file that a run wrote is read, a finding in each line, and the run then has nothing new', () => {
  write(RED);
  expect(readFileSync(file, 'utf8').match(/^ {4}\{"rule":"zap\.a".*\}$/gm)).toHaveLength(1);
  const known = withKnown(RED, knownAtHand({ known: file })).known;
  expect(known).toMatchObject({ file: 'known.json', fresh: {}, gone: [] });
  expect(Object.values(known?.known ?? {})).toEqual(['2026-01-02']);
  write({ ...RED, startedAt: '2026-03-01T00:00:00Z' });
  expect(read().known[0]?.since).toBe('2026-01-02');
});

describe('nothing is written of', () => {
  test.each<[string, Partial<RunJson>]>([
    ['an undecided run', { outcome: 'undecided' }],
    ['one that was cut short', { complete: false }],
    ['a replay', { replay: 'zap.a@drive:1' }],
  ])('%s', (_what, changes) => {
    expect(() => {
      write({ ...RED, ...changes });
    }).toThrow(/takes a whole run that is decided/);
  });

  test('several runs', () => {
    expect(() => {
      writeKnown([{ run: RED }, { run: GREEN }], { writeKnown: file });
    }).toThrow(/takes one run/);
  });
});

test.each([
  ['no JSON', '{', /it is no JSON/],
  ['another file', '{"schemaVersion":1}', /must have required property 'known'/],
  ['a rate of more than was judged', rated(9, 2), /rate was judged broken 9 times and judged 2/],
  ['a rate that no run has', rated(9, 1e15), /rate\/judged must be <= 1000000/],
  ['a member that is unknown', '{"schemaVersion":1,"known":[],"x":1}', /additional properties/],
])('%s is refused', (_what, text, words) => {
  writeFileSync(file, text);
  expect(() => knownAtHand({ known: file })).toThrow(words);
});

test('what is gone is removed if that is asked for', () => {
  write(RED);
  const keeping = knownAtHand({ known: file });
  pruneKnown([{ run: withKnown(GREEN, keeping) }], keeping);
  expect(read().known).toHaveLength(1);
  const pruning = knownAtHand({ known: file, prune: ['known'] });
  pruneKnown([{ run: withKnown(RED, pruning) }], pruning);
  expect(read().known).toHaveLength(1);
  const elsewhere = { ...GREEN, target: { ...GREEN.target, urls: { zap: 'http://127.0.0.1:9' } } };
  pruneKnown([{ run: withKnown(elsewhere, pruning) }], pruning);
  expect(read().known).toHaveLength(1);
  pruneKnown([{ run: withKnown(GREEN, pruning) }], pruning);
  const of = { target: RED.target.urls, asked: 'seed 1, release, every rule' };
  expect(read()).toEqual({ schemaVersion: 1, ...of, known: [] });
  expect(() => knownAtHand({ prune: ['known'] })).toThrow(/name it, --known FILE/);
  expect(() => knownAtHand({ known: file, prune: ['regressions'] })).toThrow(
    /--prune takes known, not/,
  );
});

test('of several runs what is gone by all of them is removed, in one go', () => {
  const other = { ...finding, operation: 'zap.pools' };
  const redOf = (...findings: object[]): RunJson =>
    runOf('r1', {
      outcome: 'does-not-conform',
      rules: [
        passed('zap.a', {
          ...{ verdict: 'fail', evidence: 18, findings: findings as (typeof finding)[] },
          judgedAt: ['zap.quote', 'zap.pools'].map((operation) => ({ operation, times: 30 })),
        }),
      ],
    });
  write(redOf(finding, other, { ...finding, operation: 'zap.chains' }));
  const pruning = knownAtHand({ known: file, prune: ['known'] });
  const green = withKnown(redOf(other), pruning);
  const greener = withKnown(redOf(), pruning);
  expect([green, greener].map(({ known }) => known?.gone.length)).toEqual([1, 2]);
  for (const runs of [
    [green, greener],
    [greener, green],
  ]) {
    const given = runs.map((run) => ({ run }));
    pruneKnown(given, pruning);
    expect(read().known.map(({ operation }) => operation)).toEqual(['zap.pools', 'zap.chains']);
  }
});

test('a file is not written and pruned at a time', () => {
  write(RED);
  expect(() => knownAtHand({ known: file, prune: ['known'], writeKnown: file })).toThrow(
    /one of them at a time/,
  );
});
