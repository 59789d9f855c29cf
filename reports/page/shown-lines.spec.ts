import { describe, expect, test } from 'vitest';
import { isMarkedLine, stretchesOf } from './shown-lines.ts';

describe('lines that stand open', () => {
  test('all of a short text, and of a long one its beginning and what is around the mark', () => {
    expect(stretchesOf(30, undefined)).toEqual([{ from: 0, to: 30, isShown: true }]);
    expect(stretchesOf(100, { first: 50, last: 51 })).toEqual([
      { from: 0, to: 6, isShown: true },
      { from: 6, to: 44, isShown: false },
      { from: 44, to: 58, isShown: true },
      { from: 58, to: 100, isShown: false },
    ]);
  });

  test('a few lines are not hidden, and every line is in one stretch', () => {
    for (const first of [0, 5, 9, 15, 60, 98]) {
      const stretches = stretchesOf(100, { first, last: first + 1 });
      const hidden = stretches.filter(({ isShown }) => !isShown);
      expect(hidden.every(({ from, to }) => to - from >= 4)).toBe(true);
      expect(stretches.map(({ from }) => from)).toEqual([
        0,
        ...stretches.slice(0, -1).map(({ to }) => to),
      ]);
      expect(stretches.at(-1)?.to).toBe(100);
      expect(
        stretches.some(({ from, to, isShown }) => isShown && from <= first && first < to),
      ).toBe(true);
    }
  });

  test('of a large value the first and the last line are marked, of a small one all', () => {
    const marked = (first: number, last: number): number[] =>
      Array.from({ length: 100 }, (_, at) => at).filter((at) => isMarkedLine(at, { first, last }));
    expect(marked(10, 12)).toEqual([10, 11, 12]);
    expect(marked(10, 90)).toEqual([10, 90]);
    expect(isMarkedLine(0, undefined)).toBe(false);
  });

  test('of a large marked value the beginning', () => {
    const shown = stretchesOf(1_000, { first: 100, last: 900 }).filter(({ isShown }) => isShown);
    expect(shown.at(-1)).toEqual({ from: 94, to: 119, isShown: true });
  });
});
