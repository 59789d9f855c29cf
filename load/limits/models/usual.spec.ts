import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pointMassesIn, pointMassShare } from './usual.ts';

test('the share of what stands out in an interval is that of its values one by one', () => {
  const time = fc.oneof(
    fc.double({ min: 100, max: 700_000_000, noNaN: true }),
    fc.integer({ min: 0, max: 130 }).map((seconds) => seconds * 1000),
  );
  fc.assert(
    fc.property(time, time, (lo, hi) => {
      const listed = pointMassesIn(lo, hi).reduce((sum, { share }) => sum + share, 0);
      expect(pointMassShare(lo, hi)).toBeCloseTo(listed, 12);
    }),
  );
});

test('a window that is claimed stands out once, however often it is claimed', () => {
  expect(pointMassesIn(7_300, 7_400, [7_321, 7_321])).toEqual([{ ms: 7_321, share: 0.1 }]);
});
