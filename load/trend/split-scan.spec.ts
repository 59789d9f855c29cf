import { expect, test } from 'vitest';
import { drawsOf } from './nights.testkit.ts';
import { SplitScan } from './split-scan.ts';

/** The statistic by its definition: pairs, and ranks' variance with groups of equal values. */
function zByDefinition(values: readonly number[], before: number): number {
  const [earlier, later] = [values.slice(0, before), values.slice(before)];
  const wins = later.flatMap((b) => earlier.map((a): number => (a < b ? 1 : a === b ? 0.5 : 0)));
  const groups = new Map<number, number>();
  for (const value of values) groups.set(value, (groups.get(value) ?? 0) + 1);
  const ties = [...groups.values()].reduce((sum, t) => sum + t ** 3 - t, 0);
  const n = values.length;
  const variance = ((earlier.length * later.length) / 12) * (n + 1 - ties / (n * (n - 1)));
  const sum = wins.reduce((total, win) => total + win, 0);
  return (sum - (earlier.length * later.length) / 2) / Math.sqrt(variance);
}

test('the strongest split is the one that a look at all splits finds, ties included', () => {
  const { uniform } = drawsOf(3);
  for (const levels of [4, 20, 1e9]) {
    const scan = new SplitScan();
    const values: number[] = [];
    for (let night = 1; night <= 45; night += 1) {
      const value = Math.floor(uniform() * levels);
      scan.add(value);
      values.push(value);
      const strongest = scan.strongest();
      if (night < 20) {
        expect(strongest).toBeUndefined();
        continue;
      }
      const all = Array.from({ length: night - 10 }, (_, at) => zByDefinition(values, 8 + at));
      const most = Math.max(...all.map(Math.abs));
      expect(Math.abs(strongest?.z ?? 0)).toBeCloseTo(most, 9);
      expect(zByDefinition(values, strongest?.before ?? 0)).toBeCloseTo(strongest?.z ?? 0, 9);
    }
  }
});

test('nights that are all the same have no split', () => {
  const scan = new SplitScan();
  for (let night = 0; night < 30; night += 1) scan.add(7);
  expect(scan.strongest()?.z).toBe(0);
});
