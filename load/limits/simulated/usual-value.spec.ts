import { expect, test } from 'vitest';
import { firstBelief } from '../estimate/belief.ts';
import { classesOf } from '../estimate/estimate.ts';
import { aloneAhead } from '../models/ahead.ts';
import type { Candidate } from '../models/model.ts';

/** The window that is told of an interval in which ten seconds stand out by far. */
function told(lo: number, hi: number): number | undefined {
  const candidate: Candidate = {
    class: 'fixed-window',
    limit: { lo: 5, hi: 5 },
    timeMs: { lo, hi },
    open: 'yes',
    base: { lo: 0, hi: 0 },
    factor: 1,
    ahead: aloneAhead,
  };
  const atoms = [{ ms: 10_000, share: 0.95 }];
  const [found] = classesOf({ ...firstBelief(), believed: [{ candidate, share: 1, atoms }] });
  return found?.windowSeconds?.value;
}

test('a usual value is told where it lies well within what is left', () => {
  expect(told(9900, 10_150)).toBe(10);
  expect(told(5000, 20_000)).toBe(10);
});

test.each([
  [9999, 10_750],
  [9300, 10_001],
])(
  'what is left from %i to %i ms is told by its middle, not by a usual value at its end',
  (lo, hi) => {
    const value = 1000 * (told(lo, hi) ?? 0);
    expect(value / lo).toBeLessThan(1.05);
    expect(hi / value).toBeLessThan(1.05);
  },
);
