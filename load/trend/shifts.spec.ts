import { describe, expect, test } from 'vitest';
import { drawsOf, nightsOf, SHAPES } from './nights.testkit.ts';
import { smallestReported } from './power.ts';
import { walkNights } from './shifts.ts';
import { FALSE_ALARMS, thresholdFor } from './thresholds.ts';

const threshold = thresholdFor(FALSE_ALARMS, 1);

describe('a step of 10 %', () => {
  const logs = nightsOf(drawsOf(5), SHAPES.normal, { nights: 60, spread: 0.03, change: [30, 10] });
  const { shifts, since } = walkNights(logs, threshold);

  test('is reported once, soon, where it was, with its size', () => {
    expect(shifts).toHaveLength(1);
    const [shift] = shifts;
    expect(Math.abs((shift?.first ?? 0) - 30)).toBeLessThanOrEqual(2);
    expect(shift?.toldBy).toBeLessThan(46);
    expect(since).toBe(shift?.first);
    expect(shift?.size.least).toBeLessThan(Math.log(1.1));
    expect(shift?.size.greatest).toBeGreaterThan(Math.log(1.1));
    expect(shift?.size.least).toBeGreaterThan(0.03);
  });

  test('is reported by the same night whenever it is looked at', () => {
    for (const night of [46, 48, 50]) {
      const [then] = walkNights(logs.slice(0, night), threshold).shifts;
      expect(then?.toldBy).toBe(shifts[0]?.toldBy);
      expect(then?.z).toBe(shifts[0]?.z);
    }
  });

  test('is reported as a speed-up when it is one', () => {
    const [shift] = walkNights(
      logs.map((value) => -value),
      threshold,
    ).shifts;
    expect(shift?.size.shift).toBeLessThan(-0.05);
  });
});

test('the nights that follow place a step better than the one that reported it', () => {
  const draws = drawsOf(12);
  const offs = { then: 0, later: 0 };
  for (let count = 0; count < 150; count += 1) {
    const logs = nightsOf(draws, SHAPES.normal, { nights: 60, spread: 0.04, change: [30, 10] });
    const [later] = walkNights(logs, threshold).shifts;
    const [then] = walkNights(logs.slice(0, (later?.toldBy ?? 0) + 1), threshold).shifts;
    offs.then += Math.abs((then?.first ?? 0) - 30);
    offs.later += Math.abs((later?.first ?? 0) - 30);
  }
  expect(offs.later).toBeLessThan(0.9 * offs.then);
  expect(offs.later / 150).toBeLessThan(1.5);
});

test('two steps are reported both, when there are nights enough between them', () => {
  const logs = nightsOf(drawsOf(6), SHAPES.skewed, { nights: 70, spread: 0.03, change: [25, 12] });
  const again = logs.map((value, night) => (night < 50 ? value : value + 0.15));
  expect(walkNights(again, threshold).shifts).toHaveLength(2);
});

test('a step of 3 % is never reported, however steady the nights are', () => {
  const logs = nightsOf(drawsOf(7), SHAPES.normal, { nights: 60, spread: 0.001, change: [30, 3] });
  expect(walkNights(logs, threshold).shifts).toEqual([]);
});

test('two wild nights are no change', () => {
  const logs = nightsOf(drawsOf(8), SHAPES.normal, { nights: 40, spread: 0.02 });
  expect(walkNights([...logs, 2, 2], threshold).shifts).toEqual([]);
});

describe('the smallest change that would be reported', () => {
  test.each([0.01, 0.03, 0.045])('is found when it comes, at a spread of %f', (spread) => {
    const draws = drawsOf(9);
    const smallest = smallestReported(
      nightsOf(draws, SHAPES.normal, { nights: 400, spread }),
      threshold,
    );
    expect(smallest).toBeDefined();
    const shareFound = (percent: number): number => {
      let reported = 0;
      for (let count = 0; count < 200; count += 1) {
        const logs = nightsOf(draws, SHAPES.normal, {
          nights: 55,
          spread,
          change: [45, percent],
        });
        if (walkNights(logs, threshold).shifts.some(({ toldBy }) => toldBy >= 45)) reported += 1;
      }
      return reported / 200;
    };
    expect(shareFound(smallest ?? 0)).toBeGreaterThan(0.9);
    expect(shareFound((smallest ?? 0) * 0.4)).toBeLessThan(0.9);
  });

  test('is no more than 20 % at 3 %, and more than that at 8 %', () => {
    const smallestStep = (spread: number): number =>
      smallestReported(nightsOf(drawsOf(10), SHAPES.normal, { nights: 60, spread }), threshold) ??
      Infinity;
    expect(smallestStep(0.03)).toBeLessThan(20);
    expect(smallestStep(0.08)).toBeGreaterThan(20);
  });

  test('is none if so many series share the alarms that ten nights cannot find any', () => {
    const logs = nightsOf(drawsOf(11), SHAPES.normal, { nights: 20, spread: 0.03 });
    expect(smallestReported(logs, thresholdFor(FALSE_ALARMS, 800))).toBeUndefined();
  });
});
