/** Amounts in token base units: strings of decimal digits (document, section 1, convention 2). */

/** The largest amount that an EVM word holds. */
export const MAX_UINT256: bigint = (1n << 256n) - 1n;

/** To make a number of more digits takes time that grows with their square. */
const MAX_DIGITS = 1_000;

/**
 * Whether the text is a plain non-negative decimal integer: no sign, point, exponent or leading zero.
 * One of more than 1000 digits is none, since no amount is near it.
 */
export function isBaseUnits(text: unknown): text is string {
  if (typeof text !== 'string' || text === '' || text.length > MAX_DIGITS) return false;
  // By hand, since it is asked of every amount and a regular expression takes twice as long.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return false;
  }
  return text.length === 1 || text.charCodeAt(0) !== 0x30;
}

/** Whether one text of base units stands for more than another. */
export function isGreater(one: string, other: string): boolean {
  return one.length === other.length ? one > other : one.length > other.length;
}

/** Shorter texts of digits fit an EVM word whatever they say. */
const WORD_DIGITS = String(MAX_UINT256).length;

/** Whether an amount fits an EVM word, as every amount of a token does. */
export function isWithinWord(baseUnits: string): boolean {
  if (baseUnits.length !== WORD_DIGITS) return baseUnits.length < WORD_DIGITS;
  return BigInt(baseUnits) <= MAX_UINT256;
}

/** The amount as a bigint, or undefined when the value is not a string of base units. */
export function baseUnitsOf(value: unknown): bigint | undefined {
  return isBaseUnits(value) ? BigInt(value) : undefined;
}
