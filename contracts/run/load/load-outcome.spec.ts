import { expect, test } from 'vitest';
import type { BaselineRow } from './load-trend.ts';
import { loadOutcome, whyUndecided } from './load-outcome.ts';

const p99 = { expression: 'p99<300ms', measured: 400, held: false };
const violations = { expression: 'violations==0', measured: 2, held: false };
const unjudged = { expression: 'violations==0', held: false };
const good = { expression: 'dropped==0', measured: 0, held: true };
const slower = { expression: 'slower==0', measured: 1, held: false };
const uncompared = { expression: 'slower==0', held: false };
const late = ['One request in 100 left too late.'];

test.each([
  ['held', [good], []],
  ['held', [], []],
  ['broken', [good, p99], []],
  ['broken', [unjudged], []],
  ['invalid', [good], late],
  // The latency may be the generator's own.
  ['invalid', [p99], late],
  // A wrong answer is wrong whenever it was asked for.
  ['broken', [violations], late],
  ['invalid', [unjudged], late],
  ['broken', [slower], []],
  // A comparison that told nothing neither passes nor breaks anything.
  ['undecided', [good, uncompared], []],
  ['broken', [p99, uncompared], []],
  ['invalid', [uncompared], late],
])('a load run is %s', (outcome, thresholds, invalid) => {
  expect(loadOutcome({ thresholds, invalid })).toBe(outcome);
});

test('what a search for the breakpoint ended with is found, not broken; wrong answers are', () => {
  const breakpoint = { step: 4, thresholds: [p99.expression, violations.expression] };
  expect(loadOutcome({ thresholds: [p99, good], invalid: [], breakpoint })).toBe('held');
  expect(loadOutcome({ thresholds: [p99, violations], invalid: [], breakpoint })).toBe('broken');
  const other = { expression: 'errors<1%', measured: 3, held: false };
  expect(loadOutcome({ thresholds: [p99, other], invalid: [], breakpoint })).toBe('broken');
});

test('what could not be compared says why', () => {
  const refused = ['The baseline cannot be compared: its scenario was spike, not average.'];
  const baseline = {
    ...{ run: 'then', startedAt: '2026-01-01T00:00:00Z', notes: [], confidence: 0.95, rows: [] },
  };
  expect(whyUndecided({ baseline: { ...baseline, refused } })).toBe(refused[0]);
  const short = { percentile: 'p50', figure: 'absolute', method: 'batches' } as const;
  const rowsOf = (verdict: 'slower' | 'unknown'): BaselineRow[] => [
    { ...short, verdict, baselineMs: 20, runMs: 30 },
  ];
  const reasonWith = (rows: BaselineRow[]): string =>
    whyUndecided({ baseline: { ...baseline, refused: [], rows } });
  expect(reasonWith(rowsOf('slower'))).toContain('or the machine');
  expect(reasonWith(rowsOf('unknown'))).toContain('too short');
});
