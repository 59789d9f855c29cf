import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, duration, plural, wrap } from './text.ts';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['😀😀😀', 2, '😀…'],
  ['ab', 1, '…'],
])('%j cut to %i is %j', (text, width, expected) => {
  expect(cut(text, width)).toBe(expected);
});

test('wrap loses no word and passes the width with single words only', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/));
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 30 }), (parts, width) => {
      const lines = wrap(parts.join(' '), width);
      expect(lines.join(' ')).toBe(parts.join(' '));
      expect(lines.filter((line) => line.length > width && line.includes(' '))).toEqual([]);
    }),
  );
});

test.each([
  [0, '0.0 s'],
  [12_400, '12.4 s'],
  [59_960, '1 min 0 s'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
])('%i ms is %s', (ms, expected) => {
  expect(duration(ms)).toBe(expected);
});

test('plural', () => {
  expect([0, 1, 2].map((count) => plural(count, 'rule'))).toEqual(['0 rules', '1 rule', '2 rules']);
});
