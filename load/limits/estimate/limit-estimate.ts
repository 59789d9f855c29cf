import type { ClassEstimate, Mismatch } from './class-estimate.ts';
import type { Shaping } from './shaping.ts';

/** What a transcript says of a limit. */
export interface LimitEstimate {
  /**
   * `identified`: one class, its parameters known · `ambiguous`: several classes or values are left ·
   * `above-budget`: a limit is reported, and not reached · `unlimited-within-budget`: no sign of one ·
   * `shaped`: requests are delayed before they are rejected, if ever · `composite`: no single class
   * explains it · `stacked`: two limits at once do.
   */
  readonly kind:
    | 'identified'
    | 'ambiguous'
    | 'above-budget'
    | 'shaped'
    | 'composite'
    | 'stacked'
    | 'unlimited-within-budget';
  /** Best first; the inner of two limits first; empty unless `identified`, `ambiguous` or `stacked`. */
  readonly classes: readonly ClassEstimate[];
  /** Posterior in the first class, from 0 to 1. */
  readonly confidence: number;
  readonly mismatches: readonly Mismatch[];
  /** The longest run of admissions, which is what a limit is known to allow. */
  readonly admittedInARow: number;
  /** Only of `shaped`: the rate at which requests pass, and the queue in which they wait. */
  readonly refillPerSecond?: number;
  readonly shaping?: Shaping;
}
