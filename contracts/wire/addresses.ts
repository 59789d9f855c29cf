/** Addresses, as the document writes them. */

import { TextMemo } from './text-memo.ts';

/** The constant that addresses the native token (document, section 1, convention 3). */
export const NATIVE_TOKEN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const EVM_LENGTH = 42;

/** Texts as long as an EVM address: the lower-case spelling of what is one, else empty. */
const known = new TextMemo<string>(8_192);

/** An EVM address in lower case, under which its spellings meet; empty when the text is none. */
export function evmKey(text: string): string {
  if (text.length !== EVM_LENGTH) return '';
  return known.find(text) ?? known.add(text, EVM_ADDRESS.test(text) ? text.toLowerCase() : '');
}

/** Whether the value is a 20-byte EVM address in hex, in any letter case. */
export function isEvmAddress(value: unknown): value is string {
  return typeof value === 'string' && evmKey(value) !== '';
}

/** Whether the value is the EVM address of zeros alone, which no contract and nobody has. */
export function isZeroAddress(value: unknown): value is string {
  return typeof value === 'string' && /^0x0{40}$/.test(value);
}

/**
 * A key under which two spellings of one address meet: EVM addresses ignore letter case, all others
 * (base58 on Solana, bech32 on Bitcoin) are compared as written.
 */
export function addressKey(address: string): string {
  return evmKey(address) || address;
}
