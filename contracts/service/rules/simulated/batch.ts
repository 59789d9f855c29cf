/** Many calls in one: what `eth_call` is given if a node does not have `eth_simulateV1`. */

import type { PlannedCall } from './plan.ts';
import { numberOf, wordOfAddress, wordOfNumber } from './words.ts';

/**
 * Code that runs at the account's own address, which is the caller then. Its input is a list of calls:
 * target, value, length of the data, data. It returns two words for each: whether it succeeded, and the
 * first word that it returned, or 0. In words, with `out` and `at` on the stack:
 *
 *     while (calldatasize > at) {
 *       size = calldataload(at + 0x40); calldatacopy(out + 0x40, at + 0x60, size)
 *       mstore(out, call(gas, calldataload(at), calldataload(at + 0x20), out + 0x40, size, 0, 0))
 *       mstore(out + 0x20, 0); if (returndatasize >= 0x20) returndatacopy(out + 0x20, 0, 0x20)
 *       at += 0x60 + size; out += 0x40
 *     }
 *     return(0, out)
 */
export const BATCH_CODE: string =
  '0x60006000' +
  '5b803611600f57506000f3' +
  '5b806040013580826060018460400137' +
  '600060008285604001856020013586355af18352' +
  '6000836020015260203d10604a5760206000846020013e' +
  '5b016060019060400190600456';

/** The calls as the input of {@link BATCH_CODE}. */
export function batchOf(calls: readonly PlannedCall[]): string {
  const parts = calls.map(({ to, data, value }) => {
    const digits = data.slice(2);
    const size = BigInt(digits.length / 2);
    return wordOfAddress(to) + wordOfNumber(value) + wordOfNumber(size) + digits;
  });
  return `0x${parts.join('')}`;
}

/** What came of one call of a batch. */
export interface BatchResult {
  readonly succeeded: boolean;
  readonly word: bigint;
}

const DIGITS = 64;

/** What {@link BATCH_CODE} returned for so many calls; undefined if it is anything else. */
export function batchResults(data: unknown, count: number): BatchResult[] | undefined {
  if (typeof data !== 'string' || data.length !== 2 + 2 * DIGITS * count) return undefined;
  const words = Array.from({ length: 2 * count }, (_, index) =>
    numberOf(`0x${data.slice(2 + DIGITS * index, 2 + DIGITS * (index + 1))}`),
  );
  const results: BatchResult[] = [];
  for (let at = 0; at < words.length; at += 2) {
    const [flag, word] = [words[at], words[at + 1]];
    if (word === undefined || flag === undefined || flag > 1n) return undefined;
    results.push({ succeeded: flag === 1n, word });
  }
  return results;
}
