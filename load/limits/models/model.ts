import type { ProbeEvent } from '../transcript.ts';
import type { Ahead } from './ahead.ts';
import type { Interval } from './interval.ts';

/** The kinds of limiters that are distinguished. Token bucket, GCRA and leaky meter are one. */
export type LimiterClass =
  | 'fixed-window'
  | 'clock-window'
  | 'sliding-log'
  | 'sliding-log-counting-rejects'
  | 'sliding-counter'
  | 'sliding-counter-counting-rejects'
  | 'token-bucket'
  | 'interval-refill'
  | 'penalty'
  | 'restart-on-reject'
  | 'concurrency';

/** Classes in which asking while rejected puts the recovery off. */
export const PUT_OFF: ReadonlySet<LimiterClass> = new Set([
  'restart-on-reject',
  'sliding-log-counting-rejects',
  'sliding-counter-counting-rejects',
]);

/** A family of limiters of one class that explains every event so far. */
export interface Candidate {
  readonly class: LimiterClass;
  /** Requests in a window, or the bucket's capacity: whole numbers. */
  readonly limit: Interval;
  /** What the class waits for, ms: window, block, or the time in which one token (interval) comes. */
  readonly timeMs: Interval;
  /** The window in which requests are counted, ms, where it is not `timeMs`; only penalties. */
  readonly windowMs?: Interval;
  /** Tokens that an interval brings; only interval refill. */
  readonly refill?: Interval;
  /** Whether the next request would be admitted; `maybe`: within the parameters' intervals, both. */
  readonly open: 'yes' | 'no' | 'maybe';
  /** While not open, the next admission comes at `base + factor × time`, ms on the probe's clock. */
  readonly base: Interval;
  readonly factor: number;
  /** The same, where it is known better than that. */
  readonly nextMs?: Interval;
  /** A boundary of the windows, where their phase belongs to the class. */
  readonly boundaryMs?: Interval;
  /** How likely what was seen is, where the intervals do not say it; 1 when absent. */
  readonly likelihood?: number;
  /** How many more would be admitted right after the last event. */
  readonly left?: Interval;
  /** Whether tokens of more than one refill were seen to add up. */
  readonly accumulated?: boolean;
  /** The limiter from now on, once its parameters are settled. */
  readonly ahead: (choice: Choice) => Ahead;
}

/** What of a candidate says how much of all that was possible it leaves. */
export type Extent = Pick<Candidate, 'timeMs' | 'windowMs' | 'boundaryMs' | 'likelihood'>;

/** One value for each parameter of a candidate. */
export interface Choice {
  readonly limit: number;
  readonly timeMs: number;
  /** From 0 to 1: where in its interval the phase lies, for classes that have one. */
  readonly phase: number;
  /** From 0 to 1: which of the refills. */
  readonly refillPart: number;
  /** The window in which a penalty counts, where something speaks for one. */
  readonly countingMs?: number;
}

/** One class following a transcript. Immutable: `observe` answers a new tracker. */
export interface Tracker {
  readonly class: LimiterClass;
  observe(event: ProbeEvent): Tracker;
  /** What is left of the class; empty once no parameters explain the transcript. */
  candidates(): readonly Candidate[];
  /** Whether any candidate is left; cheaper than asking for them. */
  readonly isLeft: boolean;
  /** Whether explanations were dropped since there were too many: the truth may be among them. */
  readonly cut: boolean;
}

/**
 * A class described as a machine over unknown parameters: states hold intervals, and a step answers every
 * way in which the event could have come about, narrowing the intervals to where it could.
 */
export interface Model<S> {
  readonly class: LimiterClass;
  readonly initial: readonly S[];
  step(state: S, event: ProbeEvent): readonly S[];
  candidate(state: S): Candidate;
  /** A part of the candidate, where that is much cheaper than all of it. */
  extent?(state: S): Extent;
  /**
   * The states after admissions and failures alone, up to the first rejection, all at once; without it
   * they are taken one by one, which costs the square of their number where windows may begin anywhere.
   */
  afterRun?(run: readonly ProbeEvent[]): readonly S[];
  /** States with the same key are made one by `join`. */
  key(state: S): string;
  /** The same, when there are too many states: equal for more of them. */
  roughKey?(state: S): string;
  join(a: S, b: S): S;
}

/** The middle of an interval; its finite end where the other is open. */
export function middleOf({ lo, hi }: Interval, part = 0.5): number {
  if (!Number.isFinite(lo)) return hi;
  return Number.isFinite(hi) ? lo + part * (hi - lo) : lo;
}

/** Over a network, windows shorter than this cannot be distinguished from no limit at all. */
export const MIN_WINDOW_MS = 200;
/** Seven days; nobody waits longer. */
export const MAX_WINDOW_MS = 604_800_000;
/** Limits above this are above every budget. */
export const MAX_LIMIT = 100_000;
