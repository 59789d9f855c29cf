import { expect, test } from 'vitest';
import { THRESHOLDS, thresholdFor } from './thresholds.ts';

test('a threshold is the one of the table, or between two of it', () => {
  expect(thresholdFor(0.05, 1)).toBe(3.099);
  expect(thresholdFor(0.05, 10)).toBe(3.667);
  expect(thresholdFor(0.00375, 1)).toBeGreaterThan(3.667);
  expect(thresholdFor(0.00375, 1)).toBeLessThan(3.748);
});

test('more series need more, and the table never falls', () => {
  const needed = [1, 2, 3, 5, 9, 20, 80, 200].map((series) => thresholdFor(0.05, series));
  expect(needed).toEqual(needed.toSorted((a, b) => a - b));
  expect(THRESHOLDS.map(([, z]) => z)).toEqual(THRESHOLDS.map(([, z]) => z).toSorted());
});

test('what was never simulated is no guess', () => {
  expect(() => thresholdFor(0.05, 2000)).toThrow(RangeError);
  expect(() => thresholdFor(0.9, 1)).toThrow(/1 series that share 0.9/);
});
