import { expect, test } from 'vitest';
import { randomRow } from './random-row.ts';

test.each([
  // One a second over a network on which answers take from 7 to 170 ms: no queue. Its window comes out 8 % wide,
  // which is as much as is named.
  [2029, ['right', 'ambiguous']],
  // What is likeliest lies at one end of what is left.
  [2181, ['right']],
  // The last rejections are those of an outer limit.
  [2072, ['ambiguous']],
  // The outer of two limits was not reached.
  [2008, ['right as far as tried']],
])('what was named wrongly once is not any more: seed %d is %s', async (seed, grades) => {
  expect((await randomRow(seed)).grade).toBeOneOf(grades);
});

test('a probe that computes for too long is ended, and is no answer', async () => {
  const { kind, stopped, grade } = await randomRow(2029, 0);
  expect([kind, stopped]).toEqual(['inconclusive', 'interrupted']);
  expect(grade).not.toBeOneOf(['right', 'right as far as tried', 'WRONG']);
});
