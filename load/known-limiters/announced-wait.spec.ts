import { expect, test } from 'vitest';
import { announcedWait, type WaitHabit } from './announced-wait.ts';

test.each<[WaitHabit, number | undefined, number | undefined]>([
  // Of 2.5 s, and of a tenth of a second.
  ['honest', 3, 1],
  ['none', undefined, undefined],
  ['constant', 8, 8],
  ['milliseconds', 2500, 100],
  ['cut off', 2, 0],
  ['too early', 2, 1],
  ['too late', 10, 3],
])('%s', (habit, long, short) => {
  expect(announcedWait(habit, 2500, 7.5)).toBe(long);
  expect(announcedWait(habit, 100, 7.5)).toBe(short);
});

test('a constant wait without a window is a usual one', () => {
  expect(announcedWait('constant', 2500)).toBe(60);
});
