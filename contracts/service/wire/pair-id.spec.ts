import { expect, test } from 'vitest';
import { NATIVE_TOKEN } from '../../wire/addresses.ts';
import { keyOfPairId, pairKey } from './pair-id.ts';

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
