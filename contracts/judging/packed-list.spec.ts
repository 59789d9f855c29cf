import { expect, test } from 'vitest';
import { PackedList } from './packed-list.ts';

interface Item {
  readonly number: number;
  readonly text: string;
}

function itemOf(number: number): Item {
  return { number, text: `an item like every other, ${'é"\\'.repeat(50)}` };
}

test('gives back what was put in, whichever order it is asked for in', () => {
  const list = new PackedList<Item>();
  for (let number = 0; number < 3_210; number += 1) expect(list.add(itemOf(number))).toBe(number);
  expect(list).toHaveLength(3_210);
  for (const number of [3_209, 0, 499, 500, 2_999, 3_000, 1_234, 1_235, 0]) {
    expect(list.at(number)).toEqual(itemOf(number));
  }
  expect(list.at(3_210)).toBeUndefined();
  expect(list.at(-1)).toBeUndefined();
});

test('keeps the newest as they are, and lets go of the others', () => {
  const list = new PackedList<Item>();
  const first = itemOf(0);
  list.add(first);
  expect(list.at(0)).toBe(first);
  for (let number = 1; number < 1_000; number += 1) list.add(itemOf(number));
  expect(list.at(0)).not.toBe(first);
  expect(list.at(0)).toEqual(first);
});
