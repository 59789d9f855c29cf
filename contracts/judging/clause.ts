import type { Level } from './rule.ts';

/** Why nothing judges or observes a clause. */
export interface ClauseWaiver {
  readonly reason: string;
  /** The day by which the reason is to be looked at again, `YYYY-MM-DD`. */
  readonly expires: string;
}

/** One promise of the document, or one thing that it leaves unspecified. */
export interface Clause {
  /** Words joined by dots and hyphens. */
  readonly id: string;
  /** Of the document, e.g. `2.2`. */
  readonly section: string;
  /** `observe` marks what is unspecified. */
  readonly level: Level;
  /** What the document says or leaves open, in our words. */
  readonly text: string;
  /** Ids of the rules that judge it. */
  readonly rules?: readonly string[];
  /** Ids of the observers that watch it. */
  readonly ledger?: readonly string[];
  readonly waiver?: ClauseWaiver;
}

/** Whether something judges, watches or waives a clause. */
export function isCovered({ rules = [], ledger = [], waiver }: Clause): boolean {
  return rules.length > 0 || ledger.length > 0 || waiver !== undefined;
}
