import { expect, test } from 'vitest';
import { baseUnitsOf, isBaseUnits, isWithinWord, MAX_UINT256 } from './amounts.ts';

test('a text of very many digits is no amount, and is told so at once', () => {
  const digits = '9'.repeat(4_000_000);
  expect(isBaseUnits('9'.repeat(1_000))).toBe(true);
  expect(isBaseUnits(digits)).toBe(false);
  expect(isWithinWord(digits)).toBe(false);
  expect(baseUnitsOf(digits)).toBeUndefined();
  expect([String(MAX_UINT256), String(MAX_UINT256 + 1n)].map(isWithinWord)).toEqual([true, false]);
});
