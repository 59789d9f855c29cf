import { expect, test } from 'vitest';
import { peakOf } from './peak.ts';
import { hold } from './scenario.testkit.ts';
import type { LoadStep } from './scenario.ts';

const ramp = (fromPerSecond: number, toPerSecond: number): LoadStep => ({
  ...hold(fromPerSecond, 5),
  toPerSecond,
});

test.each<[string, readonly LoadStep[], ReturnType<typeof peakOf>]>([
  ['a spike', [hold(20, 9), ramp(20, 300), hold(300, 9), hold(20, 9)], { before: 0, after: 3 }],
  ['two peaks', [20, 90, 20, 90, 20].map((rate) => hold(rate, 9)), { before: 0, after: 4 }],
  ['ramps about a steady rate', [ramp(0, 50), hold(50, 9), ramp(50, 0)], undefined],
  ['no higher rate between', [50, 20, 50].map((rate) => hold(rate, 9)), undefined],
  ['stairs', [25, 50, 75].map((rate) => hold(rate, 9)), undefined],
  ['nothing that is asked for', [hold(0, 9), hold(10, 9), hold(0, 9)], undefined],
  ['no steps', [], undefined],
])('the steps around a peak: %s', (_what, steps, around) => {
  expect(peakOf(steps)).toEqual(around);
});
