import { getAddress } from 'viem';
import { expect, test } from 'vitest';
import { checksummed, keepsChecksum } from './checksum.ts';
import { NATIVE_TOKEN } from '../wire/addresses.ts';

// The examples of EIP-55.
const EXAMPLES = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  NATIVE_TOKEN,
];

test.each(EXAMPLES)('%s', (address) => {
  expect(checksummed(address.toLowerCase())).toBe(address);
  expect(checksummed(address.toLowerCase())).toBe(getAddress(address.toLowerCase()));
});

test('an address of one letter case, or of no EVM chain, carries no checksum', () => {
  const [upper = '', lower = '', mixed = ''] = EXAMPLES;
  expect([upper, lower, 'bc1qexample', '', 7].map(keepsChecksum)).toEqual(Array(5).fill(undefined));
  expect(keepsChecksum(mixed)).toBe(true);
  expect(keepsChecksum(mixed.replace('A', 'a'))).toBe(false);
  // Asked again, it is remembered.
  expect(keepsChecksum(mixed.replace('A', 'a'))).toBe(false);
});
