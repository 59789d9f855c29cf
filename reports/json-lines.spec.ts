import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonLine, jsonLines, markedLines, MAX_JSON_LINES } from './json-lines.ts';

function textOf(lines: readonly JsonLine[]): string {
  return lines
    .map(
      ({ key, text, comma }) => `${key === undefined ? '' : `${key}:`}${text}${comma ? ',' : ''}`,
    )
    .join('');
}

test('members and elements stand on lines of their own, tokens as they were sent', () => {
  const lines = jsonLines('{"a":[1.50, 1e400,{}],"b\\u0041/":"x"}') ?? [];
  expect(lines.map(({ depth, pointer, key, text }) => [depth, pointer, key, text])).toEqual([
    [0, '', undefined, '{'],
    [1, '/a', '"a"', '['],
    [2, '/a/0', undefined, '1.50'],
    [2, '/a/1', undefined, '1e400'],
    [2, '/a/2', undefined, '{}'],
    [1, '/a', undefined, ']'],
    [1, '/bA~1', '"b\\u0041/"', '"x"'],
    [0, '', undefined, '}'],
  ]);
});

test('nothing is lost or added, whatever the JSON', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const lines = jsonLines(text);
      expect(JSON.stringify(JSON.parse(textOf(lines ?? [])))).toBe(
        JSON.stringify(JSON.parse(text)),
      );
    }),
  );
});

test.each([
  '',
  '{',
  '{"a":1,}',
  'nothing',
  '[1 2]',
  '{"a" 1}',
  `${'['.repeat(102)}${']'.repeat(102)}`,
])('what is no JSON, or nests too deep, has no lines: %s', (text) => {
  expect(jsonLines(text)).toBeUndefined();
});

test('a text of too many values has no lines', () => {
  const values = (count: number): string => `[${Array.from({ length: count }, () => '0').join()}]`;
  expect(jsonLines(values(MAX_JSON_LINES - 1))).toHaveLength(MAX_JSON_LINES + 1);
  expect(jsonLines(values(MAX_JSON_LINES))).toBeUndefined();
});

test('a long string of escapes takes no long time', () => {
  const text = `"${'\\"'.repeat(500_000)}"`;
  expect(jsonLines(text)?.[0]?.text).toBe(text);
});

test('the lines of a value are marked, or those of what would hold it', () => {
  const lines = jsonLines('{"data":{"path":[{"a":1}]},"x":2}') ?? [];
  expect(markedLines(lines, '/data/path/0/a')).toEqual({ first: 4, last: 4, isThere: true });
  expect(markedLines(lines, '/data/path')).toEqual({ first: 2, last: 6, isThere: true });
  expect(markedLines(lines, '/data/path/0/b/c')).toEqual({ first: 3, last: 5, isThere: false });
  expect(markedLines(lines, '/gone')).toEqual({ first: 0, last: 9, isThere: false });
});
