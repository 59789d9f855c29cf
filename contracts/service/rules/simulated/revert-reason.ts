/** Why a contract reverts, as its ABI-encoded error says. */

import { excerpt } from '../../../judging/excerpt.ts';

/** `Error(string)`, what `require` and `revert` give. */
const ERROR = '0x08c379a0';
/** `Panic(uint256)`, what the compiler adds. */
const PANIC = '0x4e487b71';
const WORD = 64;
const SELECTOR = 10;
const MOST_CHARACTERS = 120;
const UNPRINTABLE = /\p{C}|\p{Zl}|\p{Zp}/gu;

/** The reason in data of a revert, in printable characters; undefined if it is none. */
export function revertReason(data: unknown): string | undefined {
  if (typeof data !== 'string' || !/^0x[0-9a-f]{8}/i.test(data)) return undefined;
  const selector = data.slice(0, SELECTOR).toLowerCase();
  const rest = data.slice(SELECTOR);
  if (selector === PANIC && /^[0-9a-f]{64}/i.test(rest))
    return `panic 0x${BigInt(`0x${rest.slice(0, WORD)}`).toString(16)}`;
  if (selector !== ERROR)
    return /[1-9a-f]/.test(selector.slice(2)) ? `error ${selector}` : undefined;
  const size = rest.slice(WORD, 2 * WORD);
  const length = /^0{56}[0-9a-f]{8}$/i.test(size) ? 2 * Number.parseInt(size, 16) : 0;
  const digits = rest.slice(2 * WORD, 2 * WORD + Math.min(length, 8 * MOST_CHARACTERS));
  const text = Buffer.from(digits, 'hex').toString('utf8').replace(UNPRINTABLE, ' ');
  return excerpt(text, MOST_CHARACTERS).trim() || undefined;
}
