import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { walkJson } from './json-walk.ts';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Pieces that put together are JSON now and then, and nearly JSON mostly. */
const pieces = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"a"', '"\\u00e9"', '"\\u00g9"', '"\\', '"', '"\n"', ' ', '\t'],
  ...[
    'true',
    'nul',
    'null',
    '0',
    '01',
    '-',
    '-1',
    '1.',
    '1.5',
    '.5',
    '1e',
    '1e+9',
    '1E-',
    '\u00a0',
  ],
);

describe('walkJson', () => {
  test('takes what JSON.parse takes, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        expect(walkJson(text, {})).toBe(parses(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('agrees with JSON.parse on JSON that one edit has damaged', () => {
    const edits = fc.tuple(fc.json(), fc.nat(), pieces, fc.nat({ max: 3 }));
    fc.assert(
      fc.property(edits, ([json, place, piece, removed]) => {
        const at = place % (json.length + 1);
        const text = json.slice(0, at) + piece + json.slice(at + removed);
        expect(walkJson(text, {})).toBe(parses(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('reports every value, innermost first, with its place', () => {
    const reported: string[] = [];
    const text = '{"k\\u0065y" : [1, {}]}';
    walkJson(text, {
      enter: (depth, key) => reported.push(`${depth} enter ${key}`),
      leave: (depth, start, end) => reported.push(`${depth} leave ${text.slice(start, end)}`),
    });
    expect(reported).toEqual([
      '1 enter key',
      '2 enter 0',
      '2 leave 1',
      '2 enter 1',
      '2 leave {}',
      '1 leave [1, {}]',
      `0 leave ${text}`,
    ]);
  });

  test.each([
    ['nested arrays', (n: number) => '['.repeat(n) + ']'.repeat(n)],
    ['a long string', (n: number) => `"${'\\n'.repeat(n)}"`],
  ])('does not overflow on %s', (_, textOf) => {
    expect(walkJson(textOf(2_000_000), {})).toBe(true);
  });
});
