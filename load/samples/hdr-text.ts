import { MendableError } from '../../contracts/wire/mendable-error.ts';
import { inflateSync } from 'node:zlib';

/** Thrown for a text that is no histogram as Assay writes it; the message says why. */
export class NotAHistogram extends MendableError {
  override readonly name = 'NotAHistogram';
  override readonly exitCode = 4;

  constructor(why: string) {
    super(
      `this is no latency histogram: ${why}. It should be as load runs write it: HDR V2, deflated, base64.`,
    );
  }
}

/** Relative error of a value at most 10 to the minus this; the same in all, so that any two of them can be added. */
export const DIGITS = 3;
/** One hour: what took longer is counted as this. */
export const HIGHEST_MICROS = 3_600_000_000;

/** The first word of a deflated V2 histogram, and of what is inside; bits 4 to 7 are the word size. */
const DEFLATED = 0x1c849304;
const PLAIN = 0x1c849303;
const WORD_SIZE = 0xf0;
const HEADER_BYTES = 40;
/** A full histogram has at most 23,552 counts of at most 9 bytes. */
const MAX_BYTES = 262_144;
const MAX_COUNTS = 32_768;
/** Counts are kept in 32 bits. */
const MAX_OF_A_COUNT = 0xffff_ffff;

/**
 * Looks at an encoded histogram, which may come from anywhere, before it is decoded: the decoder
 * allocates and loops as the text says. Format: HdrHistogram, V2 encoding (ZigZag LEB128 of counts,
 * negative ones being runs of zeros).
 *
 * @throws {NotAHistogram}
 */
export function checkHistogramText(text: string): void {
  if (text.length > MAX_BYTES) throw new NotAHistogram(`it has ${text.length} characters`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new NotAHistogram('it is not base64');
  const packed = Buffer.from(text, 'base64');
  if (packed.length < 8 || (packed.readUInt32BE(0) & ~WORD_SIZE) !== DEFLATED) {
    throw new NotAHistogram('it does not begin as one');
  }
  const plain = inflated(packed.subarray(8, 8 + packed.readUInt32BE(4)));
  if (plain.length < HEADER_BYTES || (plain.readUInt32BE(0) & ~WORD_SIZE) !== PLAIN) {
    throw new NotAHistogram('what is deflated does not begin as one');
  }
  const [digits, lowest] = [plain.readUInt32BE(12), plain.readBigUInt64BE(16)];
  const highest = plain.readBigUInt64BE(24);
  if (digits !== DIGITS || lowest !== 1n || highest < 2n || highest > HIGHEST_MICROS * 2) {
    throw new NotAHistogram(`it has ${digits} digits from ${lowest} to ${highest} µs`);
  }
  const end = HEADER_BYTES + plain.readUInt32BE(4);
  if (end !== plain.length) throw new NotAHistogram('its length is not what it says');
  checkCounts(plain, end);
}

function inflated(bytes: Uint8Array): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    throw new NotAHistogram(error instanceof Error ? error.message : String(error));
  }
}

function checkCounts(bytes: Buffer, end: number): void {
  let counts = 0;
  for (let at = HEADER_BYTES; at < end;) {
    let [word, factor, byte] = [0, 1, 0x80];
    for (let length = 1; byte >= 0x80 && length <= 9; length += 1) {
      byte = bytes[at] ?? 0;
      word += (length === 9 ? byte : byte & 0x7f) * factor;
      factor *= 128;
      at += 1;
      if (length === 9) byte = 0;
    }
    const count = word % 2 === 0 ? word / 2 : -(word + 1) / 2;
    if (count > MAX_OF_A_COUNT) throw new NotAHistogram('a count is too large');
    counts += count < 0 ? -count : 1;
    if (counts > MAX_COUNTS) throw new NotAHistogram('it has too many counts');
  }
}
