/** What builds of one request say together of a promise. */

import type { Broken } from '../../../judging/rule.ts';

/** What one build says of a promise. `inconclusive`: it was executed, and that does not decide it. */
export type Said = readonly Broken[] | 'inconclusive';

/** So many builds of one request are made at most; what two of them show counts. */
export const MOST_ATTEMPTS = 3;

const DECIDE = 2;

/**
 * Prices move, and nodes err: what is wrong with one build counts only if it is wrong with another, too. Else
 * `inconclusive`, and undefined if none was judged.
 */
export function agreed(said: readonly Said[]): 'broken' | 'kept' | 'inconclusive' | undefined {
  if (brokenAmong(said) >= DECIDE) return 'broken';
  if (isOpen(said) || said.includes('inconclusive')) return 'inconclusive';
  return said.length > 0 ? 'kept' : undefined;
}

/** Whether something is wrong, and a further build may decide whether it counts. */
export function isOpen(said: readonly Said[]): boolean {
  const broken = brokenAmong(said);
  return broken > 0 && broken < DECIDE;
}

/** Whether a build shows that a promise is broken. */
export const isBroken = (said: Said | null): said is readonly Broken[] =>
  said !== null && said !== 'inconclusive' && said.length > 0;

const brokenAmong = (said: readonly Said[]): number => said.filter(isBroken).length;
