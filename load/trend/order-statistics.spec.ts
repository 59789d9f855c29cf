import { expect, test } from 'vitest';
import { drawsOf } from './nights.testkit.ts';
import { median, robustSpread, shiftBetween, serialCorrelation } from './order-statistics.ts';

const autocorrelation = (values: readonly number[]): number => serialCorrelation([values], median);

test('the median is the middle value, or the mean of both', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 9, 2])).toBe(3);
  expect(median([])).toBeNaN();
});

test('the spread of normal values is their standard deviation, and wild ones hardly move it', () => {
  const { normal } = drawsOf(1);
  const values = Array.from({ length: 5000 }, () => 3 * normal());
  expect(robustSpread(values)).toBeCloseTo(3, 0);
  expect(robustSpread([...values, ...values.slice(0, 200).map(() => 1e9)])).toBeLessThan(3.4);
});

test('the interval of a shift holds the true one 19 of 20 times', () => {
  const { normal } = drawsOf(2);
  for (const [earlier, later] of [
    [17, 4],
    [20, 10],
    [40, 20],
  ] as const) {
    let held = 0;
    for (let count = 0; count < 400; count += 1) {
      const draw = (length: number, at: number): number[] =>
        Array.from({ length }, () => at + normal());
      const { least, shift, greatest } = shiftBetween(draw(earlier, 5), draw(later, 7));
      expect(least).toBeLessThanOrEqual(shift);
      expect(shift).toBeLessThanOrEqual(greatest);
      if (least <= 2 && greatest >= 2) held += 1;
    }
    expect(held).toBeGreaterThan(366);
    expect(held).toBeLessThan(397);
  }
});

test('nights that follow the night before are distinguished from those that do not', () => {
  const { normal } = drawsOf(4);
  let last = 0;
  const following = Array.from({ length: 500 }, () => (last = 0.5 * last + normal()));
  const wild = following.map((value, at) => (at % 50 === 0 ? 1e6 : value));
  expect(autocorrelation(following)).toBeCloseTo(0.5, 0);
  expect(autocorrelation(wild)).toBeGreaterThan(0.35);
  expect(Math.abs(autocorrelation(following.map(() => normal())))).toBeLessThan(0.12);
  expect(autocorrelation([3, 3, 3])).toBe(0);
});
