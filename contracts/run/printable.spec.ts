import { expect, test } from 'vitest';
import { printable, printableLines } from './printable.ts';

test('printable reaches every string and changes nothing else', () => {
  const value = { a: ['x\u001b[31my', 1, null], b: { c: 'line\nend\u202e' }, 'd\u0007': true };
  expect(printable(value)).toEqual({
    a: ['x\\u{1b}[31my', 1, null],
    b: { c: 'line\\nend\\u{202e}' },
    'd\\u{7}': true,
  });
});

test('of several lines the breaks stay', () => {
  expect(printableLines('one\n  two\r\n\u009b31m\u2066\ttab')).toBe(
    'one\n  two\\r\n\\u{9b}31m\\u{2066}\\ttab',
  );
});
