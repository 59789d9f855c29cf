import { expect, test } from 'vitest';
import { rulesPass } from './rules-pass.ts';

test.each([
  [3, 8, 0, '3 of 8 rules pass'],
  [1, 1, 0, '1 of 1 rule passes'],
  [0, 10, 0, '0 of 10 rules pass'],
  [8, 10, 1, '8 of 10 rules pass'],
  [0, 10, 1, '1 limit measured, and no rule speaks of what was found'],
  [0, 10, 2, '2 limits measured, and no rule speaks of what was found'],
])('%i of %i with %i limits: %s', (passed, asked, limits, words) => {
  expect(rulesPass(passed, asked, limits)).toBe(words);
});
