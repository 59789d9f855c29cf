import { expect, test } from 'vitest';
import { earlyAtMost } from './early-done.ts';

test.each<[number, readonly number[]]>([
  // The same each time: one done early in each would be a coincidence.
  [0, []],
  [0, [0]],
  [0, [0, 0, 0, 0]],
  // Now and then one, of enough.
  [1, [0, 0, 0, 0, 1]],
  [0, [0, 0, 0, 0, 0, 0, 1, 1]],
  // They vary so much that none may have been without one.
  [2, [0, 0, 1, 0, 1, 2, 2, 1, 2, 4, 2]],
  [7, [0, 1, 1, 2]],
  [10, [1]],
])('it may be %d below the fewest where %j more passed', (lower, excesses) => {
  expect(earlyAtMost(excesses)).toBe(lower);
});
