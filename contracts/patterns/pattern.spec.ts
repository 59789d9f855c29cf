import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuClock } from '../cpu-clock.testkit.ts';
import { nativeRegExp, patternOf } from './pattern.ts';

const TEXTS = [
  ...['', 'a', 'A', 'é', ' ', '\u00a0', '\ufeff', '\u2028', '\n', '\r', '\v', '0', '_', '-'],
  ...['😀', 'a\n', 'foo bar', '[:a', 'α', '\b', '\0', '\x01', '/a', 'a@b', 'ab', 'aa', '{', 'a{2'],
  ...['a{,2}', '&', '.', ']', '\\', 'ſ', 'aaaa', '\x1f'],
];

function agrees(source: string): string[] {
  const native = nativeRegExp(source);
  const pattern = patternOf(source);
  if (pattern.kind !== 'supported') return [`${pattern.kind}: ${pattern.reason}`];
  return TEXTS.filter((text) => native.test(text) !== pattern.test(text));
}

test.each([
  ...['\\s', '^\\s+$', '.', '^.$', '^[^]$', '^[]$', '^\\u0041$', '^\\u{1F600}$'],
  ...['^\\uD83D\\uDE00$', '\\cA', '\\0', '^[\\b]$', '^(?<n>a)$', '^[\\w-]+$', '^\\p{L}+$'],
  ...['^\\p{Letter}+$', '^\\p{Script=Greek}+$', '^\\P{Lu}$', '^[\\p{L}\\d_]+$', '^[^\\p{L}]$'],
  ...['^[\\s\\S]*$', '\\d', '^[\\d\\-_]+$', 'a{0,2000}', '^a{2,2500}$', '^(?:a{1,50}){1,90}$'],
  ...['^[^\\s@]+@[^\\s@]+$', '^\\/a$', '\\bfoo\\b', '\\Bo', '[^\\S]', '^[\\S ]+$', '^[a&&b]$'],
  ...['[[:alpha:]]', '^\\-$', '\\v', '\\x41', '^[\\x00-\\x1f]$', '^$', '^(?:a|)$', 'a{,2}', '{'],
  ...['a{2', '\\_', '\\z', '\\A', '\\Qa', 'a{0}', '(|a)b', '^(a*)*$', '^a+?$', '^a{1,}?$', 'a||b'],
  ...['(?:)', '', '^[.]$', '^\\.$', '^[a-]$', '^[-a]$', '^[\\]]$', '^]$', '\\W', '[^\\w]', '\\D'],
])('%s matches the same texts as ECMAScript has it', (source) => {
  expect(agrees(source)).toEqual([]);
});

test('patterns put together at random match the same texts as ECMAScript has it', () => {
  const pointMass = fc.constantFrom(
    'a',
    'b',
    '.',
    '\\s',
    '\\w',
    '[ab]',
    '[^a]',
    '\\d',
    '-',
    '\\b',
    'é',
  );
  const sign = fc.constantFrom('', '*', '+', '?', '{2}', '{0,3}', '{2,}', '*?', '{1,1200}');
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(pointMass, sign).map(([one, many]) => (one === '\\b' ? one : one + many)),
      fc.tuple(tie('pattern'), tie('pattern')).map((both) => both.join('')),
      fc.tuple(tie('pattern'), tie('pattern'), sign).map(([a, b, many]) => `(${a}|${b})${many}`),
      tie('pattern').map((inner) => `^${inner}$`),
    ),
  }));
  const isSmall = (source: string): boolean => (source.match(/\{1,1200\}/g) ?? []).length <= 1;
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '0', '-', 'é', '\n', '😀') });
  fc.assert(
    fc.property(pattern.filter(isSmall), fc.array(text, { maxLength: 8 }), (source, texts) => {
      const found = patternOf(source);
      if (found.kind === 'malformed') throw new Error(source);
      // Repeating what repeats may go beyond what is run.
      if (found.kind === 'unsupported') return;
      const native = nativeRegExp(source);
      for (const one of texts) expect([one, found.test(one)]).toEqual([one, native.test(one)]);
    }),
    { numRuns: 300, seed: 7 },
  );
});

describe('what it cannot do is not run', () => {
  test.each([
    ['(a)\\1', 'refers back to what it matched'],
    ['(?<n>a)\\k<n>', 'refers back to what it matched'],
    ['a(?=b)', 'looks ahead or behind'],
    ['(?<!a)b', 'looks ahead or behind'],
    ['a{1000000}', 'is larger than 5000 characters with its repetitions written out'],
    ['((a{100}){100}){100}', 'is larger than 5000 characters with its repetitions written out'],
    [`${'('.repeat(200)}${')'.repeat(200)}`, 'has more than 100 groups in one another'],
    ['a'.repeat(20_000), 'is longer than 10000 characters'],
  ])('%.30s', (source, reason) => {
    expect(patternOf(source)).toEqual({ kind: 'unsupported', reason });
  });
});

test('what is no regular expression is reported as such', () => {
  expect(patternOf('(').kind).toBe('malformed');
});

test.each([
  ['^(a+)+$', 'a'],
  ['^(a|a)*$', 'a'],
  ['^a*a*a*a*a*a*$', 'a'],
  ['(.*a){12}$', 'a'],
  ['^(?:[a-z]+,?){1,200}$', 'a'],
  ['^[a-z]{1,3000}$', 'a'],
  ['^([a-zA-Z0-9]+\\s?)*$', 'a '],
])('%s costs a long text that almost matches little', (source, unit) => {
  const pattern = patternOf(source);
  if (pattern.kind !== 'supported') throw new Error(pattern.reason);
  const cpuMs = cpuClock();
  expect(pattern.test(`${unit.repeat(100_000)}!`)).toBe(false);
  // Backtracking would take longer than the test may.
  expect(cpuMs()).toBeLessThan(4_000);
});
