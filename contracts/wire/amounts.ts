/** Amounts in token base units: strings of decimal digits (document, section 1, convention 2). */

const BASE_UNITS = /^(?:0|[1-9][0-9]*)$/;

/** The largest amount that an EVM word holds. */
export const MAX_UINT256: bigint = (1n << 256n) - 1n;

/** Whether the text is a plain non-negative decimal integer: no sign, point, exponent or leading zero. */
export function isBaseUnits(text: unknown): text is string {
  return typeof text === 'string' && BASE_UNITS.test(text);
}

/** Shorter texts of digits fit an EVM word whatever they say. */
const WORD_DIGITS = String(MAX_UINT256).length;

/** Whether an amount fits an EVM word, as every amount of a token does. */
export function isWithinWord(baseUnits: string): boolean {
  return baseUnits.length < WORD_DIGITS || BigInt(baseUnits) <= MAX_UINT256;
}

/** The amount as a bigint, or undefined when the value is not a string of base units. */
export function baseUnitsOf(value: unknown): bigint | undefined {
  return isBaseUnits(value) ? BigInt(value) : undefined;
}
