/** What the call data of equal builds shows of a build in which one thing was asked otherwise. */

import { isHexData } from '../../../document/hex.ts';

/** The calls of one build, cut into pieces that are compared with those of another. */
export interface Calls {
  /** Hex digits in lower case: what is called, its value, the selector and 32-byte words of the data. */
  readonly pieces: readonly string[];
  /** How many of the pieces are whole or last words of call data. */
  readonly words: number;
  /** Base units of the native token over all calls. */
  readonly value: bigint;
  /** All call data, without `0x`. */
  readonly data: string;
}

/** A call as a build has it, unread. */
export interface Call {
  readonly to: unknown;
  readonly data: unknown;
  /** Base units; undefined if they cannot be read. */
  readonly value: bigint | undefined;
}

/** Longer call data fits in no block. */
const MAX_DIGITS = 260_000;
const MAX_CALLS = 50;
const SELECTOR = 8;
const WORD = 64;
const MAX_TARGET = 300;

/** The calls of a build; null if there are none, or one of them cannot be read. */
export function callsOf(calls: readonly Call[]): Calls | null {
  if (calls.length === 0 || calls.length > MAX_CALLS) return null;
  const pieces: string[] = [];
  let words = 0;
  let total = 0n;
  let all = '';
  for (const { to, data, value } of calls) {
    if (typeof to !== 'string' || to.length > MAX_TARGET || value === undefined) return null;
    if (typeof data !== 'string' || !isHexData(data)) return null;
    if (all.length + data.length > MAX_DIGITS) return null;
    const digits = data.slice(2).toLowerCase();
    pieces.push(to.toLowerCase(), value.toString(16), digits.slice(0, SELECTOR));
    for (let at = SELECTOR; at < digits.length; at += WORD) {
      pieces.push(digits.slice(at, at + WORD));
      words += 1;
    }
    total += value;
    all += digits;
  }
  return { pieces, words, value: total, data: all };
}

/** Whether calls depend on what was asked otherwise; else why nothing says so, as a clause. */
export type Dependence = boolean | { readonly why: string };

/** So many bytes side by side are not equal by chance in two words that are drawn. */
const STEADY_RUN = 4;
/** So many bytes of a word that differ between equal requests: it is drawn, or a hash of what is. */
const DRAWN_BYTES = 16;

/**
 * Compares builds of one request with a build in which one thing was asked otherwise. Nonces,
 * deadlines and quotes move by themselves: what differs between the equal builds is left out, byte
 * by byte if a word holds several things.
 *
 * @param controls two at least, of equal requests
 * @param sign hex digits of what was asked otherwise, which may stand where others move
 * @param known hex digits of other things that were asked for. A build that holds none of them, but
 *   something drawn, may keep all that was asked for behind a hash or an order number
 */
export function dependenceOf(
  controls: readonly Calls[],
  changed: Calls,
  sign: string,
  known: readonly string[],
): Dependence {
  const [first, ...others] = controls;
  if (first === undefined || others.length === 0) {
    return { why: 'there was no second build of an equal request to compare with' };
  }
  if (!others.every((other) => isSameShape(first, other))) {
    return { why: 'the calls of equal requests differ in their number or length' };
  }
  if (!isSameShape(first, changed)) return true;
  const holds = ({ data }: Calls): boolean => data.includes(sign);
  if (sign.length >= SELECTOR && holds(changed) && !controls.some(holds)) return true;
  let steadyWords = first.words;
  let [isDrawn, isHashed] = [false, false];
  for (const [index, piece] of first.pieces.entries()) {
    const same = others.map(({ pieces }) => pieces[index] ?? '');
    const other = changed.pieces[index] ?? '';
    if (same.every((one) => one === piece)) {
      if (other === piece) continue;
      if (bytesThatDiffer(piece, other) < DRAWN_BYTES) return true;
      isHashed = true;
      continue;
    }
    steadyWords -= 1;
    if (differsWhereSteady([piece, ...same], other)) return true;
    if (bytesThatDiffer(piece, same[0] ?? '') >= DRAWN_BYTES) isDrawn = true;
  }
  if (isHashed) return { why: 'what differs with it may be a hash of the request' };
  if (steadyWords <= 0) return { why: 'all of the call data differs between equal requests' };
  if (isDrawn && !known.some((digits) => first.data.includes(digits))) {
    return {
      why: 'the call data holds what is drawn for each build, which may stand for all else',
    };
  }
  return false;
}

function isSameShape(one: Calls, other: Calls): boolean {
  return (
    one.pieces.length === other.pieces.length &&
    one.data.length === other.data.length &&
    one.words === other.words
  );
}

/** Whether a word differs in a run of bytes that is the same in all words of equal requests. */
function differsWhereSteady(same: readonly string[], other: string): boolean {
  const [first = ''] = same;
  let run = 0;
  let differs = false;
  for (let at = 0; at < first.length; at += 2) {
    const byte = first.slice(at, at + 2);
    if (same.every((one) => one.slice(at, at + 2) === byte)) {
      run += 1;
      if (other.slice(at, at + 2) !== byte) differs = true;
      if (differs && run >= STEADY_RUN) return true;
    } else {
      run = 0;
      differs = false;
    }
  }
  return false;
}

function bytesThatDiffer(one: string, other: string): number {
  let differing = 0;
  for (let at = 0; at < one.length; at += 2) {
    if (one.slice(at, at + 2) !== other.slice(at, at + 2)) differing += 1;
  }
  return differing;
}

/** The hex digits of an address or of an amount, as they stand in a word; short ones show nothing. */
export function digitsOf(value: string | bigint): string {
  return typeof value === 'bigint' ? value.toString(16) : value.replace(/^0x/i, '').toLowerCase();
}

/** Words that are a part of what was asked for, or that mistake its decimals. */
const TIMES: readonly (readonly [times: bigint, over: bigint])[] = [
  ...Array.from({ length: 49 }, (_, index) => [1n, BigInt(index + 2)] as const),
  [2n, 3n],
  [3n, 4n],
  ...Array.from({ length: 18 }, (_, index) => 10n ** BigInt(index + 1)).flatMap((power) => [
    [1n, power] as const,
    [power, 1n] as const,
  ]),
];
const WHATEVER = 'f'.repeat(WORD);
/** Smaller words could be anything. */
const LEAST_WORD = 1_000n;
/** A tenth may go to fees. */
const KEPT = 9n;
const OF = 10n;
/** Units by which a doubled word may be off, for what was rounded. */
const ROUNDED = 9n;
/** Smaller amounts could stand in call data by chance. */
const SMALLEST_JUDGED = 1_000_000n;

/**
 * How much of an amount a build spends, by the words that double with it. It is the amount itself if it
 * stands in the call data in any form, or is sent as value, or if such words come to most of it. Else it is
 * such a word that is a fraction of it, or some power of ten times as much. Undefined if nothing says so.
 *
 * @param calls of a request for an amount, and of one for twice as much
 * @param yields amounts that may stand there too, and grow as well
 */
export function spentOf(
  calls: readonly [once: Calls, twice: Calls],
  amount: bigint,
  yields: ReadonlySet<bigint>,
): bigint | undefined {
  const [once, twice] = calls;
  if (amount < SMALLEST_JUDGED || !isSameShape(once, twice)) return undefined;
  // Whatever is there is spent, too.
  if (once.pieces.includes(WHATEVER)) return undefined;
  if (once.value >= amount && twice.value >= 2n * amount) return amount;
  if (once.data.includes(digitsOf(amount)) && twice.data.includes(digitsOf(2n * amount))) {
    return amount;
  }
  let sum = 0n;
  let mistaken: bigint | undefined;
  for (const [index, piece] of once.pieces.entries()) {
    if (piece.length !== WORD) continue;
    const word = BigInt(`0x${piece}`);
    if (word < LEAST_WORD || yields.has(word)) continue;
    const off = BigInt(`0x${twice.pieces[index] ?? '0'}`) - 2n * word;
    if (off < -ROUNDED || off > ROUNDED) continue;
    if (word <= amount) sum += word;
    if (TIMES.some(([times, over]) => (amount * times) / over === word)) mistaken = word;
  }
  if (sum * OF >= amount * KEPT) return amount;
  return mistaken;
}
