import { describe, expect, test } from 'vitest';
import { addressKey, evmKey, isEvmAddress, NATIVE_TOKEN } from './addresses.ts';
import { isBaseUnits, isMore } from './amounts.ts';
import { keyOfPairId, pairKey } from '../service/wire/pair-id.ts';

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

  test('are told apart when more are met than are kept', () => {
    const at = (index: number): string => `0x${index.toString(16).toUpperCase().padStart(40, 'A')}`;
    for (let index = 0; index < 20_000; index += 1) {
      if (evmKey(at(index)) !== at(index).toLowerCase()) throw new Error(at(index));
    }
    expect(evmKey(at(1))).toBe(at(1).toLowerCase());
  });
});

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
      for (const [other, text] of sorted.entries()) expect(isMore(one, text)).toBe(at > other);
    }
  });
});

test('identifiers of a pair have its key in any spelling, and those of none have none', () => {
  const pair = { fromChain: 1, srcToken: NATIVE_TOKEN, toChain: 10, destToken: 'bc1Q' };
  for (const token of [NATIVE_TOKEN, NATIVE_TOKEN.toLowerCase(), NATIVE_TOKEN]) {
    expect(keyOfPairId(`1_${token}-10_bc1Q`)).toBe(pairKey(pair));
  }
  const long = 'a'.repeat(400);
  expect(keyOfPairId(`1_${NATIVE_TOKEN}-10_${long}`)).toBe(pairKey({ ...pair, destToken: long }));
  expect(keyOfPairId(`1_${NATIVE_TOKEN}-10_bc1q`)).not.toBe(pairKey(pair));
  for (const id of ['', '1_a-b', '1_a-b', 'x_a-1_b']) expect(keyOfPairId(id)).toBeUndefined();
});
