/** Decimal numbers as texts. By hand: prices differ in each answer, and are asked about in all of them. */

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;

/** Where the digits that begin here end; here itself if there are none. */
function endOfDigits(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) break;
  }
  return at;
}

/** Where a number without exponent that begins the text ends, such as `-1`, `1.`, `1.5` or `.5`; else -1. */
function endOfDecimal(text: string): number {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  const point = endOfDigits(text, start);
  if (text.charCodeAt(point) !== POINT) return point > start ? point : -1;
  const end = endOfDigits(text, point + 1);
  return end - start > 1 ? end : -1;
}

/** Whether the text is a decimal number without exponent, digits on one side of the point at least. */
export function isDecimal(text: string): boolean {
  return endOfDecimal(text) === text.length;
}

/** Whether the text is a decimal number, with an exponent or without. */
export function isNumberText(text: string): boolean {
  const end = endOfDecimal(text);
  if (end < 0 || end === text.length) return end >= 0;
  if ((text.charCodeAt(end) | 0x20) !== 0x65) return false;
  const sign = text.charCodeAt(end + 1);
  const digits = end + (sign === MINUS || sign === PLUS ? 2 : 1);
  return digits < text.length && endOfDigits(text, digits) === text.length;
}
