import { expect, test } from 'vitest';
import { exitCodeOf } from './exit-code.ts';

test.each([
  [1, { outcome: 'does-not-conform', replayed: { verdict: 'shown' } }],
  [0, { outcome: 'undecided', replayed: { verdict: 'shown' } }],
  [0, { outcome: 'undecided', replayed: { verdict: 'not-shown' } }],
  [3, { outcome: 'undecided', replayed: { verdict: 'unclear' } }],
  [4, { outcome: 'undecided', replayed: { verdict: 'not-shown' }, failure: 'it broke' }],
  [3, { outcome: 'undecided' }],
  [0, { outcome: 'conforms' }],
] as const)('%i ends a run of %o', (code, run) => {
  expect(exitCodeOf(run)).toBe(code);
});
