/** What `assay limits` measured: plain data, made by the probe, read by the rules on rate limits. */

import type { Witness } from '../../judging/rule.ts';
import type { ApiName } from '../../wire/exchange.ts';

/** An API whose limits the documents of its service speak of. */
export type LimitedApi = ApiName;

/**
 * `identified`: one class of limiter explains all that was seen · `ambiguous`: several do ·
 * `composite`: no single one does · `stacked`: two limits at once do · `shaped`: requests are delayed
 * before any is rejected · `above-budget`: no
 * rejection up to the requests that were allowed · `unlimited-within-budget`: none up to the rate that
 * was allowed, kept up for long · `inconclusive`: the probe had to stop.
 */
export type LimitVerdict =
  | 'identified'
  | 'ambiguous'
  | 'composite'
  | 'stacked'
  | 'shaped'
  | 'above-budget'
  | 'unlimited-within-budget'
  | 'inconclusive';

/** One of two limits that hold at once. */
export interface StackedLimit {
  readonly algorithm: string;
  /** Other classes of the same limit and window that explain what was seen as well; none when absent. */
  readonly alternatives?: readonly string[];
  /** Requests in a window, or in a full bucket. */
  readonly limit: number;
  /** The window, or the time in which the bucket fills. */
  readonly windowSeconds: number;
}

/** The most requests that were admitted within any so many seconds. */
export interface EnvelopeRow {
  readonly seconds: number;
  readonly requests: number;
}

/** One limit as it was seen. What was not found is absent. */
export interface LimitEstimate {
  readonly verdict: LimitVerdict;
  /** Of `composite` and `ambiguous`: why no one class is named, in a sentence; absent in earlier records. */
  readonly why?: string;
  /** The classes of limiter that explain what was seen. */
  readonly algorithms: readonly string[];
  /** Requests in a window. */
  readonly limit?: number;
  readonly windowSeconds?: number;
  /** Requests at once. */
  readonly burst?: number;
  readonly refillPerSecond?: number;
  /** Of an interval refill: the requests that become available together, each so many seconds. */
  readonly refill?: number;
  readonly intervalSeconds?: number;
  /** Of `shaped`: what waits beyond the burst, and what becomes of the next one while so many wait. */
  readonly queue?: { readonly requests: number; readonly beyond: 'rejected' | 'not-tried' };
  /** The most requests that were admitted in a row without a rejection, and how long they took. */
  readonly admitted?: { readonly requests: number; readonly seconds: number };
  /** Of `stacked`: the limits, the one with the shorter window first. */
  readonly stacked?: readonly StackedLimit[];
  /**
   * What was let in at most. If a limit is identified, as far as which it was tried: from its window
   * on, with all of the time last. A wider limit above that was not reached.
   */
  readonly envelope?: readonly EnvelopeRow[];
}

/** Where a rejection says how long to wait. */
export type WaitSource = 'body' | 'retry-after' | 'rate-limit-reset';

/** How a number of a wait is read. `date` is an HTTP date. */
export type WaitUnit = 'seconds' | 'milliseconds' | 'epoch-seconds' | 'epoch-milliseconds' | 'date';

/**
 * Whether the waits that a source announces are those that it takes. `constant`: too late, and the
 * same whatever is left of the wait · `wrong-unit`: right only when read in another unit ·
 * `disagrees`: says another moment than the body · `not-judged`: no recovery was seen to hold it
 * against.
 */
export type WaitVerdict =
  | 'honest'
  | 'too-early'
  | 'too-late'
  | 'constant'
  | 'wrong-unit'
  | 'disagrees'
  | 'absent'
  | 'negative'
  | 'not-a-number'
  | 'not-judged';

/** What became of one source. */
export interface WaitTruth {
  readonly source: WaitSource;
  readonly verdict: WaitVerdict;
  /** One sentence with the announced and the measured wait. */
  readonly detail: string;
  /** The unit in which the numbers make most sense; absent when nothing could be read. */
  readonly unit?: WaitUnit;
  /** Of `wrong-unit`: the verdict on the numbers when read in that unit. */
  readonly inThatUnit?: WaitVerdict;
  /**
   * Whether it names the same moment as the body of the same rejection; absent for the body itself,
   * and where one of the two cannot be read.
   */
  readonly agrees?: boolean;
  /** Rejections whose wait could be compared with a recovery. */
  readonly judged: number;
  /** Announced minus measured, as the numbers are read at first; negative is too early. */
  readonly medianErrorMs?: number;
  readonly worstErrorMs?: number;
  /** The announced wait, and the measured one, if the error was worst. */
  readonly worst?: { readonly announcedMs: number; readonly measuredMs: number };
}

/**
 * A request that differs in one thing from those that exhausted the bucket: whose it is, or how it is
 * spelled.
 */
export type FanOutKind =
  | 'other-address'
  | 'forged-forwarded-for'
  | 'with-key'
  | 'without-key'
  | 'other-key'
  | 'other-route'
  | 'other-method'
  | 'other-api'
  | 'path-case'
  | 'trailing-slash';

/** What came of a request. */
export type ProbeOutcome = 'admitted' | 'rejected' | 'failed';

/** One such request while the bucket was exhausted, and the plain ones nearest to it in time. */
export interface FanOutTrial {
  readonly before: ProbeOutcome;
  readonly outcome: ProbeOutcome;
  readonly after: ProbeOutcome;
  /** How many of this kind had been admitted before, none of which helped to exhaust the bucket. */
  readonly admitted: number;
}

/** What requests of one kind met while the bucket was exhausted. */
export interface FanOut {
  readonly kind: FanOutKind;
  /**
   * In the order of sending; absent in records of versions that asked once, which is too little to
   * judge.
   */
  readonly trials?: readonly FanOutTrial[];
  /**
   * The chance of each of them being admitted, if they differed in nothing from the plain requests of
   * the same round: their places in it were drawn. Absent unless each was admitted.
   */
  readonly chance?: number;
  /**
   * How many requests of this kind had been admitted before the bucket was exhausted, and were not
   * part of exhausting it: with none, a rejection may come of a bucket that others had emptied.
   */
  readonly admittedBefore: number;
  readonly witnesses: readonly Witness[];
}

/** How many requests a bucket takes at once; undefined when it was not found. */
export function capacityOf({ limit, burst }: LimitEstimate): number | undefined {
  return burst ?? limit;
}

/** Whether requests that fail for other reasons (400, 404) count: `undecided` where it was not tried. */
export type FailuresCount = 'counted' | 'not-counted' | 'undecided';

/** What rate-limit fields say is left of the measured limit. */
export interface RemainingTruth {
  /** Answers that say it. */
  readonly told: number;
  /** What of it cannot be so; one sentence each. */
  readonly wrong: readonly string[];
}

/** One bucket, probed. */
export interface LimitMeasurement {
  readonly api: LimitedApi;
  /** Whose requests exhausted it: an address without a key, or the holder of a key. */
  readonly client: 'address' | 'key';
  readonly estimate: LimitEstimate;
  /** One row for each source; empty when nothing was rejected. */
  readonly waits: readonly WaitTruth[];
  readonly fanOut: readonly FanOut[];
  readonly failures: FailuresCount;
  /** What the rate-limit headers claim, against what was measured; one sentence each. */
  readonly headerClaims: readonly string[];
  /** Absent if no field says it, and in records of earlier versions. */
  readonly remaining?: RemainingTruth;
  /** The exchanges that show the limit: the first rejection and those around it. */
  readonly witnesses: readonly Witness[];
}
