import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excessOf, jsonOrUndefined, MAX_CONTAINERS, MAX_LEVELS, parseJson } from './parse-json.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('what nests a hundred deep is parsed, what nests deeper is not, and is reported in words', () => {
  const nested = (levels: number): string =>
    `${'{"a":'.repeat(levels - 1)}[]${'}'.repeat(levels - 1)}`;
  expect(parseJson(nested(MAX_LEVELS)).kind).toBe('json');
  expect(parseJson(nested(MAX_LEVELS + 1))).toMatchObject({
    kind: 'too much',
    problem: expect.stringContaining('deeper than 100 levels') as string,
  });
  expect(jsonOrUndefined('['.repeat(2_000_000))).toBeUndefined();
});

test('a text is nested as deep as its value, brackets in strings left aside', () => {
  const text = fc.constantFrom('', '[', ']', '{"', '}', '\\', '\\"', '"', 'a');
  const json = fc.jsonValue({ maxDepth: 6 });
  fc.assert(
    fc.property(
      json,
      fc.array(text).map((all) => all.join('')),
      (value, string) => {
        const whole = [string, { [string]: value }];
        const depth = depthOf(whole);
        const written = JSON.stringify(whole, null, 1);
        expect(excessOf(written, depth, 1_000)).toBeUndefined();
        expect(excessOf(written, depth - 1, 1_000)).toBe('depth');
      },
    ),
  );
});

test('what is no JSON is reported as the parser words it', () => {
  expect(parseJson('{"a"')).toMatchObject({
    kind: 'none',
    problem: expect.stringContaining('SyntaxError') as string,
  });
  expect(jsonOrUndefined('')).toBeUndefined();
  expect(jsonOrUndefined(' 1 ')).toBe(1);
});

test('so many objects and arrays are parsed, and one more is too many', () => {
  const many = (count: number): string =>
    `[${Array.from({ length: count - 1 }, () => '{}').join()}]`;
  expect(parseJson(many(MAX_CONTAINERS)).kind).toBe('json');
  expect(parseJson(many(MAX_CONTAINERS + 1))).toMatchObject({
    kind: 'too much',
    problem: expect.stringContaining('more than 250000 objects and arrays') as string,
  });
  expect(excessOf('["[{", "\\"[{"]', 1, 1)).toBeUndefined();
});
