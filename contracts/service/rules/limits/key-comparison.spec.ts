import { expect, test } from 'vitest';
import type { LimitEstimate, LimitMeasurement } from '../../../run/load/limit-measurement.ts';
import { keyComparison } from './key-comparison.ts';

function measured(client: LimitMeasurement['client'], estimate: LimitEstimate): LimitMeasurement {
  const rest = { waits: [], fanOut: [], failures: 'undecided', headerClaims: [], witnesses: [] };
  return { api: 'trade', client, estimate, ...rest } as LimitMeasurement;
}

const found = (limit: number, windowSeconds: number): LimitEstimate => ({
  ...{ verdict: 'identified', algorithms: ['fixed-window'], limit, windowSeconds },
});
const notMet = (requests: number, seconds: number): LimitEstimate => ({
  ...{ verdict: 'above-budget', algorithms: [], admitted: { requests, seconds } },
});

/** Whether the promise is kept, broken, or neither can be determined. */
function compared(withKey: LimitEstimate, without: LimitEstimate): string {
  const [group] = keyComparison([measured('key', withKey), measured('address', without)]);
  const judgement = group?.judgement;
  if (judgement === 'inconclusive') return judgement;
  return judgement?.length === 0 ? 'kept' : 'broken';
}

test.each<[string, LimitEstimate, LimitEstimate, string]>([
  ['more at once, and over time', found(40, 10), found(20, 10), 'kept'],
  ['as much', found(20, 10), found(20, 10), 'broken'],
  ['as much but for what measuring is off', found(20, 9.6), found(20, 10), 'broken'],
  ['less', found(10, 10), found(20, 10), 'broken'],
  ['more at once, and less over time', found(40, 40), found(20, 10), 'inconclusive'],
  ['less at once, and more over time', found(10, 1), found(20, 10), 'inconclusive'],
  // 20 at the end of one window, 20 in the next, and 2 a second: 60 in ten seconds.
  ['no limit, beyond two windows of the other', notMet(61, 10), found(20, 10), 'kept'],
  ['no limit, within two windows of the other', notMet(60, 10), found(20, 10), 'inconclusive'],
  ['a limit, if none was met beyond it', found(20, 10), notMet(100, 10), 'broken'],
  ['a limit, if none was met in a short burst', found(20, 10), notMet(100, 5), 'inconclusive'],
])('with a key %s: %#', (_, withKey, without, expected) => {
  expect(compared(withKey, without)).toBe(expected);
});

test('without a measurement of an address there is nothing to compare with', () => {
  expect(keyComparison([measured('key', found(40, 10))])).toEqual([]);
});
