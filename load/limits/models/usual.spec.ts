import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAside, pointMassesIn, pointMassProbability } from './usual.ts';

test('the probability of what stands out in an interval is that of its values one by one', () => {
  const time = fc.oneof(
    fc.double({ min: 100, max: 700_000_000, noNaN: true }),
    fc.integer({ min: 0, max: 130 }).map((seconds) => seconds * 1000),
  );
  fc.assert(
    fc.property(time, time, (lo, hi) => {
      const listed = pointMassesIn(lo, hi).reduce((sum, { probability }) => sum + probability, 0);
      expect(pointMassProbability(lo, hi)).toBeCloseTo(listed, 12);
    }),
  );
});

test('a window that is claimed stands out once, however often it is claimed', () => {
  expect(pointMassesIn(7_300, 7_400, [7_321, 7_321])).toEqual([{ ms: 7_321, probability: 0.1 }]);
});

test('a value at one end of an interval that is good enough is no better than its middle', () => {
  const aside = (lo: number, hi: number): boolean => isAside(15, { lo, hi });
  expect([aside(14.84, 15.71), aside(14.3, 15.2)]).toEqual([true, true]);
  expect([aside(14.7, 15.3), aside(14, 16)]).toEqual([false, false]);
});
