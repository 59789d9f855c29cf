/** Numbers and addresses as JSON-RPC and the ABI of contracts write them. */

const WORD_DIGITS = 64;

/** A number as JSON-RPC writes quantities. */
export function quantityOf(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** A number as an ABI word, 64 hex digits without `0x`. */
export function wordOfNumber(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, '0');
}

/** An address as an ABI word, 64 hex digits without `0x`. */
export function wordOfAddress(address: string): string {
  return address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0');
}

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;

/** The number of a quantity; undefined of anything else. */
export function numberOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && QUANTITY.test(value) ? BigInt(value) : undefined;
}

/** The first ABI word of what a call returned; undefined if it returned less. */
export function firstWord(data: unknown): bigint | undefined {
  if (typeof data !== 'string' || data.length < 2 + WORD_DIGITS) return undefined;
  return numberOf(data.slice(0, 2 + WORD_DIGITS));
}
