import { expect, test } from 'vitest';
import { BrokenList } from './broken-list.ts';

test('up to a thousand are reported, and the others are counted without being made', () => {
  const list = new BrokenList();
  expect(list.all()).toEqual([]);
  let made = 0;
  for (let at = 0; at < 40_000; at += 1) {
    list.add(() => {
      made += 1;
      return { pointer: `/pools/${at}`, expected: 'this', actual: 'that' };
    });
  }
  const all = list.all();
  expect([made, all.length]).toEqual([1_000, 1_000]);
  expect(all.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(40_000);
});
