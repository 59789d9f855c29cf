import type { LimiterClass } from '../models/index.ts';
import type { ClassEstimate, Mismatch } from './class-estimate.ts';
import type { Shaping } from './shaping.ts';

/**
 * Why no one class is named. `composite`: `none-left` each class is ruled out · `by-accident` one is left that
 * takes coincidences · `unexplained` one is left whose own state speaks against an answer, counted from 1.
 * `ambiguous`: `rivals` others that were not followed explain it alike · `several` classes are left ·
 * `imprecise` one is, its values open · `unproven` one is that was not seen to do what is its own.
 */
export type OpenReason =
  | { readonly kind: 'none-left' | 'rivals' | 'several' | 'imprecise' | 'unproven' }
  | { readonly kind: 'by-accident'; readonly class: LimiterClass }
  | { readonly kind: 'unexplained'; readonly class: LimiterClass; readonly answer: number };

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
  /** Of `composite` and `ambiguous`. */
  readonly open?: OpenReason;
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
