import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UpperHull } from './upper-hull.ts';

/** Points of a line of requests that come in bursts: many at one height, and any others. */
const heights = fc.array(fc.oneof(fc.constantFrom(0, 1, 1000), fc.double({ min: -5, max: 2000 })), {
  minLength: 1,
  maxLength: 40,
});

function hullOf(ys: readonly number[]): UpperHull {
  return ys.reduce((hull, y) => hull.push(y), UpperHull.empty);
}

test('the least slope to a point beyond is that which a search of all points finds', () => {
  fc.assert(
    fc.property(
      heights,
      fc.nat(40),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(4000),
      (ys, cut, d, y) => {
        const count = Math.min(cut, ys.length);
        const x = count + d - 1;
        const slopes = ys.slice(0, count).map((one, at) => (y - one) / (x - at));
        const least = Math.min(Infinity, ...slopes);
        const found = hullOf(ys).leastSlopeTo(x, y, count);
        expect(found === least || Math.abs(found - least) < 1e-6).toBe(true);
      },
    ),
  );
});

test('so is the point that is highest above a line', () => {
  fc.assert(
    fc.property(
      heights,
      fc.nat(40),
      fc.double({ min: 0, max: 500, noNaN: true }),
      (ys, cut, slope) => {
        const count = Math.min(cut, ys.length);
        const above = ys.slice(0, count).map((y, at) => y - slope * at);
        const found = hullOf(ys).highestAbove(slope, count);
        expect(found).toBe(count === 0 ? -1 : found);
        if (count > 0) expect(above[found]).toBeCloseTo(Math.max(...above), 6);
      },
    ),
  );
});

test('a hull is not changed by what is added to it', () => {
  const two = hullOf([0, 1]);
  two.push(9);
  expect([two.leastSlopeTo(2, 1, 2), two.push(0).leastSlopeTo(3, 1, 3)]).toEqual([0, 0]);
});
