import { expect, test } from 'vitest';
import { foreignReading } from './foreign-marks.ts';

test('so many values of schemas are looked at, and so deep, and no more', () => {
  const { goesOn, leftOut } = foreignReading();
  expect([goesOn(199), goesOn(200)]).toEqual([true, false]);
  let looked = 2;
  while (looked <= 100_000 && goesOn(0)) looked += 1;
  expect(looked).toBe(40_000);
  expect(leftOut()).toEqual(['is too large to look for all of its marks']);
});

test('so many marks are taken, and no more', () => {
  const { marksOf, leftOut } = foreignReading();
  const mark = { ledger: 'a.b', clause: 'what is open', seen: 'values' };
  expect(marksOf({ 'x-unspecified': Array(30).fill(mark) })).toHaveLength(20);
  let taken = 20;
  for (let schema = 0; schema < 6_000; schema += 1)
    taken += marksOf({ 'x-unspecified': mark }).length;
  expect(taken).toBe(5_000);
  expect(leftOut()).toHaveLength(1);
});
