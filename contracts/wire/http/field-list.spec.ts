import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFieldList } from './field-list.ts';

/** The members in a form that is easy to compare. */
function plain(text: string): unknown[] {
  return parseFieldList(text).map(({ key, value, parameters }) => [
    ...(key === undefined ? [] : [key]),
    value.text,
    ...[...parameters].map(([name, parameter]) => `${name}=${parameter.text}`),
  ]);
}

test.each([
  ['', []],
  ['10', [['10']]],
  ['10, 20;w=1 ; x="a;b,c"', [['10'], ['20', 'w=1', 'x=a;b,c']]],
  ['"a\\"b";q=1,"c,d"', [['a"b', 'q=1'], ['c,d']]],
  [
    'limit=1, Reset=2;p',
    [
      ['limit', '1'],
      ['reset', '2', 'p=?1'],
    ],
  ],
  ['"a";pk=:YWI=:', [['a', 'pk=:YWI=:']]],
  ['1,,2;', [['1'], ['2']]],
  ['"open, 1', [['"open, 1']]],
])('%j', (text, expected) => {
  expect(plain(text)).toEqual(expected);
});

test.each([
  ['"1"', 'string'],
  ['1', 'number'],
  ['-1.5', 'number'],
  ['1e3', 'other'],
  ['token', 'other'],
  ['"a"b"', 'other'],
])('%s is a %s', (text, kind) => {
  expect(parseFieldList(text)[0]?.value.kind).toBe(kind);
});

test('any strings survive, whatever separators are in them', () => {
  const strings = fc.array(fc.string(), { minLength: 1 });
  fc.assert(
    fc.property(strings, (texts) => {
      const field = texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}";p=1`).join(', ');
      expect(parseFieldList(field).map(({ value }) => value.text)).toEqual(texts);
    }),
  );
});
