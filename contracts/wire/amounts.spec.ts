import { describe, expect, test } from 'vitest';
import { isBaseUnits, isGreater } from './amounts.ts';

describe('base units', () => {
  test.each(['0', '7', '10', '9'.repeat(90)])('%s', (text) => {
    expect(isBaseUnits(text)).toBe(true);
  });

  test.each(['', '00', '01', '-1', '+1', '1.0', '1e3', '0x1', ' 1', '1 ', '1\n', '١', 1, null])(
    '%j is none',
    (value) => {
      expect(isBaseUnits(value)).toBe(false);
    },
  );

  test('are compared as the numbers that they write', () => {
    const sorted = [
      '0',
      '1',
      '9',
      '10',
      '11',
      '99',
      '100',
      '9007199254740993',
      '1' + '0'.repeat(60),
    ];
    for (const [at, one] of sorted.entries()) {
      for (const [other, text] of sorted.entries()) expect(isGreater(one, text)).toBe(at > other);
    }
  });
});
