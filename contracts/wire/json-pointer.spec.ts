import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePointer, pointerOf } from './json-pointer.ts';

// The examples of RFC 6901 section 5.
test.each([
  ['', []],
  ['/foo', ['foo']],
  ['/foo/0', ['foo', '0']],
  ['/', ['']],
  ['/a~1b', ['a/b']],
  ['/m~0n', ['m~n']],
  ['/~01', ['~1']],
])('%j is the path %j', (pointer, tokens) => {
  expect(parsePointer(pointer)).toEqual(tokens);
  expect(pointerOf(tokens)).toBe(pointer);
});

test.each(['foo', '#/foo', '/~', '/~2', '/a~b'])('%j is no pointer', (pointer) => {
  expect(parsePointer(pointer)).toBeUndefined();
});

test('any path survives', () => {
  const path = fc.array(fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'é') }));
  fc.assert(
    fc.property(path, (tokens) => {
      expect(parsePointer(pointerOf(tokens))).toEqual(tokens);
    }),
  );
});
