import { expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../contracts/run/load/load-run.testkit.ts';
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
