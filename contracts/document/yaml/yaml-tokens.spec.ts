import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isScalar, parseDocument, visit } from 'yaml';
import type { Document } from 'yaml';
import { CONTRACT_YAML, documentOf, YamlProblem } from './yaml.ts';
import { tokensOf } from './yaml-tokens.ts';

const limits = CONTRACT_YAML;

/** How many tokens are kept of a text, at any depth. */
function tokensIn(text: string): number {
  const tokens = JSON.stringify([...tokensOf(text, limits)]);
  return [...tokens.matchAll(/"offset":/g)].length;
}

describe('what means nothing takes no memory', () => {
  const MANY = 100_000;
  test.each([
    ['comments before a document', `${'# c\n'.repeat(MANY)}a: 1\n`],
    ['comments after it', `a: 1\n${'#\n'.repeat(MANY)}`],
    ['indented comments in a mapping', `a:\n${'  # c\n'.repeat(MANY)}  b: 1\n`],
    ['comments between items', `- 1\n${'# c\n'.repeat(MANY)}- 2\n`],
    ['comments in a flow', `a: [\n${' # c\n'.repeat(MANY)}]\n`],
    ['blank lines', `${'\n'.repeat(MANY)}a: 1\n${'  \n'.repeat(MANY)}b: 2\n`],
    ['blank lines after a block scalar', `a: |\n  x\n${'\r\n'.repeat(MANY)}b: 1\n`],
    ['documents', '---\na: 1\n'.repeat(MANY)],
    ['ends of documents', `a: 1\n${'...\n'.repeat(MANY / 20)}`],
    ['closing brackets', ']'.repeat(MANY)],
  ])('%s', (_, text) => {
    expect(tokensIn(text)).toBeLessThan(30);
  });
});

describe('a text with a problem at each character is reported by its first one', () => {
  test.each([
    ['escapes', `a: "${'\\q'.repeat(200_000)}"`, 'Invalid escape sequence \\q', 5],
    ['comments without a blank', '- "x"#c\n'.repeat(50_000), 'Comments must be separated', 6],
    ['keys that stand twice', 'k: 1\n'.repeat(40_000), 'Map keys must be unique', 1],
  ])('%s', (_, text, message, column) => {
    const problem = problemOf(text);
    expect(problem.message).toContain(message);
    expect(problem.place?.column).toBe(column);
    expect(problem.isLimit).toBe(false);
  });
});

describe('what is too much is refused', () => {
  test.each([
    ['a scalar of many lines', `a: >\n${'  x\n'.repeat(500_000)}`, /more than 400000 .* lines/],
    ['tags', '- !t x\n'.repeat(20_000), /more than 10000 anchors, aliases, tags/],
    ['directives', `${'%FOO bar\n'.repeat(20_000)}---\na: 1`, /more than 10000 .* directives/],
    ['colons in a row', `[${': '.repeat(100_000)}]`, /more than 200 levels deep/],
    ['question marks in a row', `[${'? '.repeat(100_000)}]`, /more than 200 levels deep/],
  ])('%s', (_, text, message) => {
    const problem = problemOf(text);
    expect(problem.message).toMatch(message);
    expect(problem.isLimit).toBe(true);
  });
});

const EMPTY_LINES = ['', '  ', '    ', '# c', '  # c', '      # c'];
const LINES = [
  ...['a: 1', 'b:', 'c: |', '  # in it', '  x', '    y', '- 1', '  - 2', 'd: >+', 'e: "x', '  y"'],
  ...["f: 'q", "q'", 'g: [1,', '2]', 'h: {k: 1,', 'l: 2}', '---', '...', '? k', ': v', 'i: x'],
  ...['m: &z 1', '  j: *z', '!t n: 2', '"x"#c', 'o: 1 # c', 'p: |2', '%FOO bar', ']', '  k: |-'],
];

test('comments and blank lines change neither a value nor a place', () => {
  const line = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...EMPTY_LINES) },
    { weight: 5, arbitrary: fc.constantFrom(...LINES) },
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('\n', '\r\n'))
    .map(([all, end]) => all.join(end));
  fc.assert(
    fc.property(text, (given) => {
      const wanted = parseDocument(given, { prettyErrors: false });
      // What is wrong with keys and aliases is found elsewhere.
      fc.pre(wanted.errors.length === 0 && !given.includes('*z'));
      expect(scalarsOf(documentOf(given, { limits }))).toEqual(scalarsOf(wanted));
    }),
    { numRuns: 400 },
  );
});

/** The scalars of a document that are written, with their places. */
function scalarsOf(document: Document | undefined): unknown[] {
  const scalars: unknown[] = [];
  visit(document?.contents ?? null, (_, node) => {
    if (isScalar(node) && node.value !== null) scalars.push([node.value, node.range?.[0]]);
  });
  return scalars;
}

function problemOf(text: string): YamlProblem {
  try {
    documentOf(text, { limits });
  } catch (error) {
    if (error instanceof YamlProblem) return error;
    throw error;
  }
  throw new Error('it was read');
}
