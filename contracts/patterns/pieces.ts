import type { Stretch } from './code-points.ts';
import { joined, LAST_CODE_POINT, others } from './code-points.ts';

/** A part of a pattern in the syntax of RE2. */
export interface Piece {
  readonly text: string;
  /** How many characters of a text it may stand for at once, its repetitions written out. */
  readonly weight: number;
  /** The product of the counted repetitions that stand in one another. */
  readonly nested: number;
}

/** Thrown if a pattern is not one that RE2 can do; the message continues `since it …`. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
}

/** Heavier patterns are not run: each of their states would cost so much. */
const MAX_WEIGHT = 5_000;
/** What RE2 takes as a count, and as the product of counts that stand in one another. */
const MAX_COUNT = 1_000;

/** A piece that stands for one character out of a set. */
export function oneOf(stretches: readonly Stretch[]): Piece {
  return { text: classText(stretches), weight: 1, nested: 1 };
}

/** A piece that stands for no character: an assertion. */
export function assertion(text: string): Piece {
  return { text, weight: 1, nested: 1 };
}

/** Pieces one after another. */
export function sequence(pieces: readonly Piece[]): Piece {
  return {
    text: pieces.map(({ text }) => text).join(''),
    weight: checked(pieces.reduce((sum, { weight }) => sum + weight, 0)),
    nested: Math.max(1, ...pieces.map(({ nested }) => nested)),
  };
}

/** One of several pieces, as a group that is not captured. */
export function choice(pieces: readonly Piece[]): Piece {
  const { weight, nested } = sequence(pieces);
  return { text: `(?:${pieces.map(({ text }) => text).join('|')})`, weight, nested };
}

/**
 * A piece repeated. Counts above those that RE2 takes are written as several, which matches the same
 * texts.
 *
 * @param most Infinity if nothing bounds it
 */
export function repeated(piece: Piece, least: number, most: number): Piece {
  const { text, weight, nested } = piece;
  const copies = most === Infinity ? least + 1 : most;
  const total = checked(Math.max(1, copies) * weight);
  if (least === 0 && most === Infinity) return { text: `${text}*`, weight, nested };
  if (least === 1 && most === Infinity) return { text: `${text}+`, weight, nested };
  if (least === 0 && most === 1) return { text: `${text}?`, weight, nested };
  // RE2 takes no empty group in place of nothing, so that this is one that matches nothing.
  if (most === 0) return { text: '(?:)', weight: 1, nested: 1 };
  const chunk = Math.max(1, Math.floor(MAX_COUNT / nested));
  const parts = [
    ...counted(text, least, chunk, (count) => `{${count}}`),
    ...(most === Infinity
      ? [`${text}*`]
      : counted(text, most - least, chunk, (count) => `{0,${count}}`)),
  ];
  const largest = Math.min(chunk, Math.max(least, most === Infinity ? 1 : most - least));
  return { text: `(?:${parts.join('')})`, weight: total, nested: nested * largest };
}

function counted(
  text: string,
  count: number,
  chunk: number,
  quantifier: (count: number) => string,
): string[] {
  const parts: string[] = [];
  for (let left = count; left > 0; left -= chunk) {
    parts.push(text + quantifier(Math.min(left, chunk)));
  }
  return parts;
}

function checked(weight: number): number {
  if (weight <= MAX_WEIGHT) return weight;
  throw new Unsupported(`is larger than ${MAX_WEIGHT} characters with its repetitions written out`);
}

function classText(stretches: readonly Stretch[]): string {
  const all = joined(stretches);
  if (all.length === 0) return `[^${point(0)}-${point(LAST_CODE_POINT)}]`;
  const [only] = all;
  if (all.length === 1 && only !== undefined && only[0] === only[1]) return point(only[0]);
  const rest = others(all);
  if (rest.length > 0 && rest.length < all.length) return `[^${rest.map(stretchText).join('')}]`;
  return `[${all.map(stretchText).join('')}]`;
}

function stretchText([first, last]: Stretch): string {
  return first === last ? point(first) : `${point(first)}-${point(last)}`;
}

function point(code: number): string {
  const character = String.fromCodePoint(code);
  return /^[0-9A-Za-z]$/.test(character) ? character : `\\x{${code.toString(16)}}`;
}
