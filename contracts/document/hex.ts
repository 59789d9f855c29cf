/** Hex texts of any length. Call data is long, so they are decoded natively, not matched. */

const SCRATCH = Buffer.alloc(16_384);

const HEX = /^(?:0x[0-9a-fA-F]*|[0-9a-fA-F]+)$/;

/** Longer texts are decoded. */
const SHORT_CHARACTERS = 100;

/** The long text looked at last: several rules ask about the same one. */
let last = { text: '', isHex: false };

/** Whether the text is hex digits of any number, after `0x` or not; `0x` alone is none, empty is not. */
export function isHex(text: string): boolean {
  if (text.length <= SHORT_CHARACTERS) return HEX.test(text);
  if (text !== last.text) last = { text, isHex: isDecoded(text) };
  return last.isHex;
}

/** Whether the text is `0x` and whole bytes in hex, none at all included. */
export function isHexData(text: string): boolean {
  return text.startsWith('0x') && text.length % 2 === 0 && isHex(text);
}

function isDecoded(text: string): boolean {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  // Decoding takes a character beyond ASCII for its low byte, and leaves an odd digit out.
  if (Buffer.byteLength(digits) !== digits.length) return false;
  const even = digits.length % 2 === 0 ? digits : `${digits}0`;
  const scratch = even.length <= SCRATCH.length * 2 ? SCRATCH : Buffer.alloc(even.length / 2);
  return scratch.write(even, 'hex') * 2 === even.length;
}
