/** Rate limits that a run measured, as `run.json` has them. */

import type {
  EnvelopeRow,
  FailuresCount,
  FanOutKind,
  LimitEstimate,
  LimitMeasurement,
  LimitVerdict,
  LimitedApi,
  StackedLimit,
  WaitSource,
  WaitVerdict,
} from './load/limit-measurement.ts';

export type { LimitVerdict, WaitVerdict };

/** Whether the announced wait is what it takes, by the source that clients read first. */
export interface RetryAfterRow {
  readonly verdict: WaitVerdict;
  /** One sentence with the announced and the measured wait. */
  readonly detail: string;
  readonly medianErrorMs?: number;
  readonly worstErrorMs?: number;
}

/** The least and the greatest value that explain what was seen. */
export type LimitIntervals = Readonly<
  Partial<
    Record<
      | 'limit'
      | 'windowSeconds'
      | 'burst'
      | 'refillPerSecond'
      | 'refill'
      | 'intervalSeconds'
      | 'penaltySeconds',
      readonly [least: number, greatest: number]
    >
  >
>;

/** What became of a client that paces itself by the measured limit. */
export interface LimitScenario {
  /** Whether it got through at 95 % of the measured rate, rejected once in a window at most. */
  readonly held: boolean;
  readonly admitted: number;
  readonly rejected: number;
  readonly seconds: number;
  /** Of the measured rate, from 0 to 1. */
  readonly shareOfRate: number;
  readonly detail: string;
}

/** A client keeps to this part of a measured rate, since that is known to some hundredths. */
export const PACE_SHARE = 0.97;

/** What a client is to be set to: of the least limit and the longest time that explain what was seen. */
export interface ClientLimit {
  /** So many pass at once if nothing was sent for `afterSilenceSeconds`. */
  readonly requests?: number;
  /** Absent if nobody knows how long that takes. */
  readonly afterSilenceSeconds?: number;
  /** Requests a second, evenly, that are never rejected. */
  readonly pacePerSecond?: number;
  /** Of a limit on requests in flight: how many. */
  readonly inFlight?: number;
  /**
   * What to do with announced waits. `obey`: none is too short · `ignore`: they are not true ·
   * `not-tried`: nobody knows · `absent`: there are none.
   */
  readonly retryAfter: 'obey' | 'ignore' | 'not-tried' | 'absent';
}

/** What something took. */
export interface LimitCost {
  readonly requests: number;
  readonly rejects: number;
  /** Silences included. */
  readonly seconds: number;
}

/** What a variation of the request met while the bucket was exhausted. */
export interface LimitBucketRow {
  readonly kind: FanOutKind;
  /** `separate`: admitted, from another bucket or a larger one · `shared`: refused along. */
  readonly met: 'shared' | 'separate' | 'undecided';
}

/** One rate limit, seen from outside. What was not found is absent. */
export interface LimitRow {
  readonly api: LimitedApi;
  /** Whom and what the limit covers, e.g. `per client address`. */
  readonly scope: string;
  readonly verdict: LimitVerdict;
  /** Of `composite` and `ambiguous`: why no one class is named, in a sentence. */
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
  /** Of `shaped`: the requests that wait beyond the burst. */
  readonly queue?: NonNullable<LimitEstimate['queue']>;
  /** How sure the values are. */
  readonly intervals?: LimitIntervals;
  /** Posterior in the first of the classes, from 0 to 1. */
  readonly confidence?: number;
  /** Where no limit was found: the most requests that were admitted in a row. */
  readonly admitted?: NonNullable<LimitEstimate['admitted']>;
  /** Of two limits that hold at once: both, the one with the shorter window first. */
  readonly stacked?: readonly StackedLimit[];
  /** The most that were admitted within any so many seconds; of an identified limit as far as it was tried. */
  readonly envelope?: readonly EnvelopeRow[];
  /** Of the body's `retryAfter`. */
  readonly retryAfter?: RetryAfterRow;
  /** Of the `Retry-After` field and of the reset of the rate-limit headers. */
  readonly headers?: Readonly<Partial<Record<Exclude<WaitSource, 'body'>, RetryAfterRow>>>;
  /** Statuses of its rejections other than 429; absent if there was none. */
  readonly throttledWith?: readonly number[];
  readonly buckets?: readonly LimitBucketRow[];
  /** Whether requests that fail for other reasons count. */
  readonly failures?: FailuresCount;
  /** What the rate-limit headers claim, against what was measured. */
  readonly headerClaims?: readonly string[];
  readonly scenario?: LimitScenario;
  /** What a client is to be set to; absent if too little is known, and in records of earlier versions. */
  readonly client?: ClientLimit;
  /** Why the target made the probe stop. */
  readonly stopped?: string;
  /** What of the budget ended the search for the limit; absent if nothing did. */
  readonly endedBy?: 'max-requests' | 'max-rejects' | 'max-seconds';
  /** What all stages on this bucket took; absent from records of earlier versions. */
  readonly whole?: LimitCost;
  /** What finding it took. */
  readonly requests: number;
  readonly rejects?: number;
  readonly seconds: number;
}

/** One bucket: as rules judge it, and as reports show it. A run of `assay limits` records it. */
export interface MeasuredLimit {
  readonly measurement: LimitMeasurement;
  readonly row: LimitRow;
}

/** What is kept of a limit if many runs stand together. */
export type LimitFigures = Pick<
  LimitRow,
  | 'api'
  | 'scope'
  | 'verdict'
  | 'algorithms'
  | 'limit'
  | 'windowSeconds'
  | 'burst'
  | 'refillPerSecond'
>;

/** A limit without how it was found. */
export function limitFigures(row: LimitRow): LimitFigures {
  const { api, scope, verdict, algorithms, limit, windowSeconds, burst, refillPerSecond } = row;
  const figures = { limit, windowSeconds, burst, refillPerSecond };
  const known = Object.entries(figures).filter(([, value]) => value !== undefined);
  return { api, scope, verdict, algorithms, ...Object.fromEntries(known) };
}
