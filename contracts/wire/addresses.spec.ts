import { describe, expect, test } from 'vitest';
import { addressKey, evmKey, isEvmAddress, NATIVE_TOKEN } from './addresses.ts';

describe('addresses', () => {
  const lower = NATIVE_TOKEN.toLowerCase();

  test('of EVM chains meet in lower case, however often they are asked for', () => {
    for (const spelled of [NATIVE_TOKEN, lower, NATIVE_TOKEN]) {
      expect([evmKey(spelled), addressKey(spelled)]).toEqual([lower, lower]);
    }
  });

  test('of other chains keep their letter case', () => {
    const other = 'So1aNaTokenPLaceho1der11111111111111111111';
    expect(other).toHaveLength(NATIVE_TOKEN.length);
    expect([evmKey(other), addressKey(other), isEvmAddress(other)]).toEqual(['', other, false]);
    expect(isEvmAddress(`${NATIVE_TOKEN}0`)).toBe(false);
    expect(isEvmAddress(7)).toBe(false);
  });

  test('are distinguished when more are met than are kept', () => {
    const at = (index: number): string => `0x${index.toString(16).toUpperCase().padStart(40, 'A')}`;
    for (let index = 0; index < 20_000; index += 1) {
      if (evmKey(at(index)) !== at(index).toLowerCase()) throw new Error(at(index));
    }
    expect(evmKey(at(1))).toBe(at(1).toLowerCase());
  });
});
