/** Addresses, as the document writes them. */

/** The constant that addresses the native token (document, section 1, convention 3). */
export const NATIVE_TOKEN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Whether the value is a 20-byte EVM address in hex, in any letter case. */
export function isEvmAddress(value: unknown): value is string {
  return typeof value === 'string' && EVM_ADDRESS.test(value);
}

/**
 * A key under which two spellings of one address meet: EVM addresses ignore letter case, all others
 * (base58 on Solana, bech32 on Bitcoin) are compared as written.
 */
export function addressKey(address: string): string {
  return isEvmAddress(address) ? address.toLowerCase() : address;
}
