/** What builds of one request say together of a promise. */

import type { Broken } from '../../../judging/rule.ts';

/** So many builds of one request are made at most; what two of them show counts. */
export const MOST_ATTEMPTS = 3;

const DECIDE = 2;

/**
 * Prices move, and nodes err: what is wrong with one build counts only if it is wrong with another, too. Else
 * `inconclusive`, and undefined if none was judged.
 */
export function agreed(
  judgements: readonly (readonly Broken[])[],
): 'broken' | 'kept' | 'inconclusive' | undefined {
  const broken = judgements.filter((judgement) => judgement.length > 0).length;
  if (broken >= DECIDE) return 'broken';
  if (broken > 0) return 'inconclusive';
  return judgements.length > 0 ? 'kept' : undefined;
}
