import type { Observer } from './ledger.ts';
import type { View } from './view.ts';

/** A place in the work of a judge: an exchange by its number, and a rule by its place from 1, or 0. */
export interface InHand {
  readonly exchange: number;
  readonly rule: number;
}

/** What a judge may be given besides rules. */
export interface JudgeOptions {
  readonly observers?: readonly Observer[];
  /**
   * Shows where the judge is, for whoever watches it from another thread: the number of the exchange,
   * from 1, and the place of the rule at work, 0 when none is.
   */
  readonly inHand?: Int32Array;
  /** What an earlier judge did not finish; it is left out, and reported. */
  readonly leaveOut?: readonly InHand[];
  /**
   * Whether exchanges come without an end in sight: memory does not grow with their number. Only rules
   * over single exchanges can be judged so, few places of each are kept, and no latencies.
   */
  readonly isEndless?: boolean;
  /** Whether exchanges are a sample, in which what broke a rule is more than its share: no rates are known. */
  readonly isSampled?: boolean;
  /** Statuses that whoever ran it knows to be rejections by a limit, besides 429. */
  readonly throttleStatuses?: readonly number[];
  /** Names of the variables whose secrets the record has names for; any that are named so when absent. */
  readonly credentials?: readonly string[];
  /**
   * Called with each piece of evidence as it comes: the place of the rule, from 1, and whether it
   * broke.
   */
  readonly onEvidence?: (place: number, isBroken: boolean) => void;
  /** Called with each exchange that the judge looks at, as it sees it. */
  readonly onView?: (view: View) => void;
}

/** What is left out of each exchange, by its number: places of rules, or 0 for all of it. */
export function leftOutOf(leaveOut: readonly InHand[]): ReadonlyMap<number, readonly number[]> {
  const rulesOf = (exchange: number): number[] =>
    leaveOut.filter((one) => one.exchange === exchange).map(({ rule }) => rule);
  return new Map(leaveOut.map(({ exchange }) => [exchange, rulesOf(exchange)]));
}
