/** What builds of one request say together of a promise. */

import type { Broken } from '../../../judging/rule.ts';

/** What one build says of a promise. `inconclusive`: it was executed, and that does not decide it. */
export type Said = readonly Broken[] | 'inconclusive';

/** So many builds of one request are made at most; what two of them show counts. */
export const MOST_ATTEMPTS = 3;

const DECIDE = 2;

/** What one build says of a promise. */
export interface Judged {
  readonly said: Said;
  /** Whether the transaction succeeds, and loses money by what is wrong with it: no price of right ones does that. */
  readonly isLoss: boolean;
}

/** What builds of one API say together of a promise, request by request; losses of two requests count as two of one. */
export function agreedOver(requests: readonly (readonly Judged[])[]): ReturnType<typeof agreed>[] {
  const isLosing = (all: readonly Judged[]): boolean => all.some(({ isLoss }) => isLoss);
  const addsUp = requests.filter(isLosing).length >= DECIDE;
  return requests.map((all) =>
    addsUp && isLosing(all) ? 'broken' : agreed(all.map(({ said }) => said)),
  );
}

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
