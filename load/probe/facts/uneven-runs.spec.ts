import { expect, test } from 'vitest';
import type { ProbeEvent } from '../../limits/index.ts';
import { unevenRuns } from './uneven-runs.ts';

/** So many admitted, then one rejected, run after run. */
const runs = (...counts: readonly number[]): ProbeEvent[] =>
  counts.flatMap((count) =>
    Array.from({ length: count + 1 }, (_, at) => ({
      sentMs: 0,
      receivedMs: 1,
      outcome: at < count ? ('admitted' as const) : ('rejected' as const),
    })),
  );

test.each([
  ['in one transcript', [runs(30, 27)], { least: 27, most: 30 }],
  ['in two', [runs(29), runs(30)], { least: 29, most: 30 }],
  ['if short ones are left out', [runs(30, 3, 1), runs(30)], null],
  ['beside one that goes on into the next window', [runs(48, 30, 28)], { least: 28, most: 30 }],
  ['of one run', [runs(30)], null],
  ['of runs that are alike', [runs(30, 30), runs(30)], null],
  ['of nothing', [[], []], null],
] as const)('runs are uneven %s', (_, transcripts, expected) => {
  expect(unevenRuns(transcripts)).toEqual(expected);
});

test('what was not rejected in the end is no run', () => {
  expect(unevenRuns([[...runs(30), ...runs(28).slice(0, -1)]])).toBeNull();
});
