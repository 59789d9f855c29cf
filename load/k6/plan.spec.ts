import { expect, test } from 'vitest';
import { affordableShare } from './plan.ts';

test('all rules judge no more than a quarter of the cores can, by what an answer takes', () => {
  expect(affordableShare(0.1, 100, 1, 4)).toBe(0.1);
  expect(affordableShare(1, 1_000, 2, 4)).toBe(0.5);
  expect(affordableShare(0.1, 10_000, 1, 2)).toBe(0.05);
  expect(affordableShare(0.1, 0, 0, 2)).toBe(0.1);
  expect(affordableShare(0.7, 10_000, 1, undefined)).toBe(0.7);
});
