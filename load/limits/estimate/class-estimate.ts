import type { LimiterClass } from '../models/index.ts';

/** A parameter: its best value, and every value that the transcript leaves. */
export interface Parameter {
  readonly value: number;
  readonly lo: number;
  readonly hi: number;
}

/** One class that explains the transcript, with its parameters. */
export interface ClassEstimate {
  readonly class: LimiterClass;
  /** How likely this class is among those that are left, from 0 to 1. */
  readonly probability: number;
  /** Other classes that explain the same with this limit and window; none when absent. */
  readonly alike?: readonly LimiterClass[];
  /** Requests in a window, in flight at once, or in a full bucket. */
  readonly limit: Parameter;
  /** The window; of a bucket the time in which it fills; of a penalty that in which is counted. */
  readonly windowSeconds?: Parameter;
  /** The capacity of a bucket. */
  readonly burst?: Parameter;
  /** The rate at which a bucket fills. */
  readonly refillPerSecond?: Parameter;
  /** Tokens that fall at once, each `intervalSeconds`. */
  readonly refill?: Parameter;
  readonly intervalSeconds?: Parameter;
  /** How long a rejection blocks. */
  readonly penaltySeconds?: Parameter;
}

/** A class that is ruled out, and after how many events. */
export interface Mismatch {
  readonly class: LimiterClass;
  readonly afterEvents: number;
}
