import { expect, test } from 'vitest';
import { rangesOf, withPropertiesWrittenOut } from './property-ranges.ts';
import { refusedPatterns } from './refused-patterns.ts';

test.each([
  String.raw`const a = /(?<year>\d+)/`,
  String.raw`const a = new RegExp("(?<year>\\d+)")`,
  'const a = RegExp(`x${n}(?<year>y)`)',
  String.raw`const a = /(a)\k<b>/`,
  String.raw`const a = /\p{L}/u`,
  String.raw`const a = /[^\P{Cc}]/u`,
  String.raw`const a = new RegExp("^\\p{Nd}+$", "u")`,
  String.raw`const a = globalThis.RegExp('\\p{L}')`,
  String.raw`const a = /\\\p{L}/u`,
  // Nobody can say what it is.
  'const a = new RegExp(text)',
])('refuses %s', (script) => {
  expect(refusedPatterns(script).length).toBeGreaterThan(0);
});

test.each([
  String.raw`const a = /(?<=a)b(?<!c)(?:d)(e)/`,
  String.raw`const a = /\(?<year>/`,
  String.raw`const a = /\\p{3}/`,
  String.raw`const a = "(?<year>) \\p{L}"`,
  'const a = new RegExp(`^0x[0-9a-f]{${n + 1},300}$`)',
  'const a = new RegExp(/a/, "g")',
])('takes %s', (script) => {
  expect(refusedPatterns(script)).toEqual([]);
});

test('properties are written out as the characters that they stand for', () => {
  const source = withPropertiesWrittenOut(String.raw`/^\p{Nd}+$/u`);
  expect(source).not.toContain('\\p');
  const [, written = ''] = /^\/(.*)\/u$/.exec(source) ?? [];
  const own = new RegExp(written, 'u');
  for (let point = 0; point < 0x11_0000; point += 1) {
    const character = String.fromCodePoint(point);
    if (own.test(character) !== /^\p{Nd}+$/u.test(character))
      expect.fail(`U+${point.toString(16)}`);
  }
  expect(rangesOf('Nd')).toMatch(/^\\u\{30\}-\\u\{39\}/);
});
