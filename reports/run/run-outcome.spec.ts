import { expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { brokenByOf } from './run-outcome.ts';

const loadOf = (...expressions: readonly string[]): RunLoad => ({
  ...EXAMPLE_LOAD,
  invalid: [],
  thresholds: expressions.map((expression) => ({ expression, held: false, measured: 9 })),
});

test.each([
  [[], 'does-not-conform', ['rule']],
  [['p95 < 1ms', 'errors < 1%'], 'conforms', ['threshold']],
  [['slower==0'], 'conforms', ['slower']],
  [['slower==0', 'p95 < 1ms'], 'does-not-conform', ['rule', 'slower', 'threshold']],
] as const)(
  'a load with %j broken, and %s by its rules, is broken by %j',
  (broken, byRules, by) => {
    expect(brokenByOf('does-not-conform', { load: loadOf(...broken) }, byRules)).toEqual(by);
  },
);

test('a run that conforms is broken by nothing', () => {
  expect(brokenByOf('conforms', {}, 'conforms')).toEqual([]);
});
