/** Addresses, as the document writes them. */

/** The constant that addresses the native token (document, section 1, convention 3). */
export const NATIVE_TOKEN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const EVM_LENGTH = 42;

/**
 * Texts as long as an EVM address, by what is one: its lower-case spelling, or empty. A run meets the
 * same addresses again and again.
 */
const known = new Map<string, string>();
const MAX_KNOWN = 8_192;

/** An EVM address in lower case, under which its spellings meet; empty when the text is none. */
export function evmKey(text: string): string {
  if (text.length !== EVM_LENGTH) return '';
  let lower = known.get(text);
  if (lower === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    // A copy, since a slice would keep the whole text alive that it was cut from.
    const copy = Array.from(text).join('');
    lower = EVM_ADDRESS.test(copy) ? copy.toLowerCase() : '';
    known.set(copy, lower);
  }
  return lower;
}

/** Whether the value is a 20-byte EVM address in hex, in any letter case. */
export function isEvmAddress(value: unknown): value is string {
  return typeof value === 'string' && evmKey(value) !== '';
}

/**
 * A key under which two spellings of one address meet: EVM addresses ignore letter case, all others
 * (base58 on Solana, bech32 on Bitcoin) are compared as written.
 */
export function addressKey(address: string): string {
  return evmKey(address) || address;
}
