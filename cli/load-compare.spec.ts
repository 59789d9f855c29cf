import { expect, test } from 'vitest';
import { parseThreshold } from '../load/thresholds.ts';
import { UsageError } from './exit-code.ts';
import { partedThresholds } from './load-compare.ts';

const parted = (
  texts: readonly string[],
  earlier: Parameters<typeof partedThresholds>[1],
): object => {
  const { ofRun, ofComparison } = partedThresholds(texts.map(parseThreshold), earlier);
  return [ofRun, ofComparison].map((some) => some.map(({ expression }) => expression));
};

test('where earlier runs are given, nothing may have become slower, unless somebody says otherwise', () => {
  expect(parted(['p99<1s'], { history: 'a' })).toEqual([['p99<1s'], ['slower==0']]);
  expect(parted(['p99<1s', 'slower<=2'], { baseline: 'a' })).toEqual([['p99<1s'], ['slower<=2']]);
  expect(parted(['p99<1s'], {})).toEqual([['p99<1s'], []]);
});

test('without earlier runs nothing can be said of them', () => {
  const without = (): unknown => parted(['slower==0'], {});
  expect(without).toThrow(UsageError);
  expect(without).toThrow(/slower==0 speaks of earlier runs: give them with --history/);
});
