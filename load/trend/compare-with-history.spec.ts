import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accept, ACCEPTED_FILE } from './accepted.ts';
import { compareWithHistory, compareWithRecord } from './compare-with-history.ts';
import { HistoryUnreadable } from './history.ts';
import { standingSlower } from './judge-trend.ts';
import { drawsOf } from './nights.testkit.ts';
import { loadOf, nightOf, roundsOf, runOf } from './run-of.testkit.ts';
import type { Night } from './night.ts';

let dir: string;
const draws = drawsOf(21);
const STEP = 25;

/** A night of five rounds, from the step on slower by a quarter. */
function night(at: number, machine = 1): Night {
  const pairs = Array.from({ length: 5 }, (): [number, number] => {
    const speed = machine * Math.exp(0.05 * draws.normal());
    return [
      (at < STEP ? 20 : 25) * speed * Math.exp(0.02 * draws.normal()),
      5 * speed * Math.exp(0.02 * draws.normal()),
    ];
  });
  return nightOf(at, loadOf(pairs[0]?.[0] ?? 20, { rounds: roundsOf(pairs) }));
}

beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'assay-trend-'));
  for (let at = 0; at < 40; at += 1) {
    const kept = night(at);
    const changed = at === 7 ? { ...kept, load: { ...kept.load, scenario: 'spike' } } : kept;
    mkdirSync(path.join(dir, kept.run));
    writeFileSync(path.join(dir, kept.run, 'run.json'), JSON.stringify(runOf(changed)));
  }
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

test('a run is set among the nights of a folder', () => {
  const trend = compareWithHistory(runOf(night(40)), dir);
  expect(trend.nights).toHaveLength(40);
  expect(trend.leftOut).toEqual([
    { run: '2026-01-08', reason: 'its scenario was spike, not average' },
  ]);
  const [p50] = trend.series;
  expect(p50).toMatchObject({ percentile: 'p50', figure: 'ratio', verdict: 'slower' });
  expect(p50?.shifts).toHaveLength(1);
  expect(p50?.shifts[0]?.size.least).toBeGreaterThan(15);
  expect(p50?.shifts[0]?.since).toMatch(/^2026-01-2[5-7]/);
  expect(standingSlower(trend)).toHaveLength(3);
});

test('what was accepted in a folder counts no more, and no record changes', () => {
  const run = runOf(night(40));
  accept(dir, 'a new pricing engine', new Date('2026-02-08T00:00:00Z'));
  const trend = compareWithHistory(run, dir);
  expect(standingSlower(trend)).toEqual([]);
  expect(trend.series[0]?.shifts).toHaveLength(1);
  // Whoever reads that nothing is slower reads why.
  expect(trend.notes.join()).toMatch(
    /until 2026-02-08T00:00:00.000Z \("a new pricing engine"\) was accepted: p50 slower by (2|3)\d %, p95 slower by (2|3)\d %, p99 /,
  );
  appendFileSync(path.join(dir, ACCEPTED_FILE), 'torn\n');
  expect(compareWithHistory(run, dir).notes.join()).toMatch(
    /accepted.ndjson that accept nothing.*: 1\./,
  );
  rmSync(path.join(dir, ACCEPTED_FILE));
});

test('a time after the begin of the run accepts nothing, and is reported', () => {
  accept(dir, 'typo', new Date('9999-01-01T00:00:00Z'));
  const trend = compareWithHistory(runOf(night(40)), dir);
  expect(standingSlower(trend)).toHaveLength(3);
  expect(trend.notes.join()).toMatch(/until 9999-.*\("typo"\) is not, as this run began before/);
  // An earlier one stays.
  accept(dir, 'a new pricing engine', new Date('2026-02-08T00:00:00Z'));
  expect(standingSlower(compareWithHistory(runOf(night(40)), dir))).toEqual([]);
  rmSync(path.join(dir, ACCEPTED_FILE));
});

test('a run whose figures do not count is not', () => {
  const own = night(40);
  const late = { ...own, load: { ...own.load, invalid: ['it lagged'] } };
  const trend = compareWithHistory(runOf(late), dir);
  const longer = { ...own, load: { ...own.load, invalid: ['It lagged 26.8 ms. It was busy.'] } };
  expect(compareWithHistory(runOf(longer), dir).refused).toEqual([
    'This run cannot be compared with earlier ones: its figures do not count: It lagged 26.8 ms.',
  ]);
  expect(trend.refused).toEqual([
    'This run cannot be compared with earlier ones: its figures do not count: it lagged.',
  ]);
  expect(trend.series).toEqual([]);
});

test('a run is held against one record', () => {
  const baseline = compareWithRecord(runOf(night(40)), path.join(dir, '2026-01-10'));
  expect(baseline).toMatchObject({ run: '2026-01-10', refused: [] });
  expect(baseline.rows.map(({ verdict, method }) => `${verdict} by ${method}`)).toEqual([
    'slower by rounds',
    'slower by rounds',
    'slower by rounds',
  ]);
});

test('a histogram that is none is reported with its record', () => {
  const load = loadOf(20);
  // As long as one of the five rounds of the record.
  const steps = load.steps.map((step) => ({ ...step, seconds: step.seconds / 5 }));
  const own = nightOf(41, { ...load, steps });
  const record = path.join(dir, '2026-01-12');
  expect(() => compareWithRecord(runOf(own), record)).toThrow(HistoryUnreadable);
  expect(() => compareWithRecord(runOf(own), record)).toThrow(
    /\(this is no latency histogram: it is not base64/,
  );
});

describe('a run that nothing can be set beside', () => {
  const other = (changes: Partial<Night['load']>): Night => ({
    ...night(41),
    load: { ...night(41).load, ...changes },
  });

  test('is refused if the earlier ones are others, and says why', () => {
    const trend = compareWithHistory(runOf(other({ scenario: 'stress' })), dir);
    expect(trend.refused).toEqual([
      'None of 40 earlier runs can be compared with this one; the newest is 2026-02-09: its scenario was average, not stress.',
    ]);
    expect(trend.series).toEqual([]);
  });

  test('is the first night if there is none, or none that counts', () => {
    const alone = mkdtempSync(path.join(dir, 'alone-'));
    expect(compareWithHistory(runOf(night(41)), alone)).toMatchObject({ refused: [], notes: [] });
    mkdirSync(path.join(alone, 'late'));
    const late = { ...night(40), load: { ...night(40).load, invalid: ['it lagged'] } };
    writeFileSync(path.join(alone, 'late', 'run.json'), JSON.stringify(runOf(late)));
    const first = compareWithHistory(runOf(night(41)), alone);
    expect(first.refused).toEqual([]);
    expect(first.leftOut).toHaveLength(1);
  });

  test('says nothing of its own folder', () => {
    const own = mkdtempSync(path.join(dir, 'own-'));
    mkdirSync(path.join(own, 'tonight'));
    writeFileSync(path.join(own, 'tonight', 'run.json'), '{"unfinished":true}');
    expect(compareWithHistory(runOf(night(41)), own).notes).toHaveLength(1);
    expect(compareWithHistory(runOf(night(41)), own, 'tonight').notes).toEqual([]);
  });
});
