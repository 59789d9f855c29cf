import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedMember } from './repeated-member.ts';

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['[{"x":{"b" : [],\n"b"\t:{}}}]', 'b'],
  ['{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"\\"a\\":"}', undefined],
  ['{"":1,"":1}', ''],
  ['{"a":"a","b":"a"}', undefined],
  ['"a"', undefined],
])('the name that stands twice in one object of %s is %s', (text, name) => {
  expect(repeatedMember(text)).toBe(name);
});

test('what JSON.stringify writes has no name twice', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const written = JSON.stringify(JSON.parse(text));
      expect(repeatedMember(written)).toBeUndefined();
    }),
  );
});
