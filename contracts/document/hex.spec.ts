import { expect, test } from 'vitest';
import { isHex, isHexData } from './hex.ts';

// Short texts are matched, long ones decoded, and those beyond the scratch buffer in one of their own.
const SIZES = [2, 98, 100, 102, 5_000, 32_766, 32_768, 32_770, 90_000];

test.each(SIZES)('%i digits are hex, with 0x and without, even and odd', (size) => {
  const digits = '0123456789abcdefABCDEF'.repeat(size).slice(0, size);
  for (const text of [digits, `0x${digits}`, `${digits}a`, `0x${digits}a`]) {
    expect(isHex(text)).toBe(true);
  }
  expect(isHexData(`0x${digits}`)).toBe(true);
  expect(isHexData(`0x${digits}a`)).toBe(false);
  expect(isHexData(digits)).toBe(false);
});

test.each(SIZES)('one other character among %i is seen wherever it stands', (size) => {
  for (const odd of ['g', ' ', '\n', 'x', 'é', 'İ', '\u{1F600}']) {
    for (const at of [0, Math.floor(size / 2), size - 1]) {
      const digits = 'a'.repeat(at) + odd + 'a'.repeat(size - at - 1);
      const texts = [`0x${digits}`, `0x${digits}a`];
      expect(texts.filter(isHex)).toEqual([]);
    }
  }
});

test('0x alone is no data, and nothing is no hex', () => {
  expect([isHex('0x'), isHexData('0x'), isHex('')]).toEqual([true, true, false]);
});

test('the text looked at last is not taken for another', () => {
  const digits = 'a'.repeat(200);
  expect([isHex(digits), isHex(`${digits}g`), isHex(digits)]).toEqual([true, false, true]);
});
