import { expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../contracts/run/load/load-run.testkit.ts';
import { knownFileOf, knownIn } from '../contracts/compare/known-findings.ts';
import { passed, runOf } from '../contracts/release/release.testkit.ts';
import type { RunJson } from '../contracts/run/run.ts';
import { exitCodeOf } from './exit-code.ts';

const held = { ...EXAMPLE_LOAD, thresholds: EXAMPLE_LOAD.thresholds.slice(0, 1) };
const broken = { ...held, thresholds: [{ expression: 'p99<1ms', measured: 9, held: false }] };
const late = ['One request in 100 left too late.'];

test.each([
  [1, { outcome: 'does-not-conform', replayed: { verdict: 'shown' } }],
  [0, { outcome: 'undecided', replayed: { verdict: 'shown' } }],
  [0, { outcome: 'undecided', replayed: { verdict: 'not-shown' } }],
  [3, { outcome: 'undecided', replayed: { verdict: 'unclear' } }],
  [4, { outcome: 'undecided', replayed: { verdict: 'not-shown' }, failure: 'it broke' }],
  [3, { outcome: 'undecided' }],
  [0, { outcome: 'conforms' }],
  [0, { outcome: 'conforms', load: held }],
  [1, { outcome: 'conforms', load: broken }],
  [1, { outcome: 'undecided', load: broken }],
  [4, { outcome: 'undecided', load: broken, failure: 'it broke' }],
  [3, { outcome: 'conforms', load: { ...held, invalid: late } }],
  [3, { outcome: 'conforms', load: { ...broken, invalid: late } }],
  [1, { outcome: 'does-not-conform', load: { ...held, invalid: late } }],
  [3, { outcome: 'undecided', load: held }],
] as const)('%i ends a run of %o', (code, run) => {
  expect(exitCodeOf(run)).toBe(code);
});

test('with known findings alone a run ends with 0, unless something else of it is open', () => {
  const finding = {
    ...{ pointer: '/a', expected: 'x', actual: 'y', exchanges: ['x1'], curl: 'c', count: 1 },
  };
  const rule = passed('zap.a', { verdict: 'fail', findings: [finding] });
  const run = runOf('r1', { outcome: 'does-not-conform', rules: [rule] });
  const known = knownIn(run, knownFileOf(run).known, 'known.json');
  const ends = (changes: Partial<RunJson> = {}): number =>
    exitCodeOf({ ...run, known, ...changes });
  expect(ends()).toBe(0);
  expect(ends({ isOpen: true })).toBe(3);
  expect(ends({ known: knownIn(run, [], 'known.json') })).toBe(1);
  expect(ends({ load: broken })).toBe(1);
  expect(ends({ failure: 'it broke' })).toBe(1);
});
