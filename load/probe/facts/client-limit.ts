/** What a client is to be set to, so that by all that was seen nothing rejects it. */

import type { LimitEstimate, WaitVerdict } from '../../../contracts/run/load/limit-measurement.ts';
import {
  PACE_SHARE,
  type ClientLimit,
  type LimitIntervals,
} from '../../../contracts/run/run-limits.ts';

/** What is known of a limit. */
export interface KnownLimit {
  readonly estimate: LimitEstimate;
  readonly intervals: LimitIntervals;
  /** Silence after which it is surely full again; Infinity or undefined where that is not known. */
  readonly fullSeconds: number | undefined;
  /** What came of the announced waits, of the source that clients read first; undefined where there was none. */
  readonly waits: WaitVerdict | undefined;
}

/** The settings, of the least limit and the longest time that explain what was seen; undefined where none is known. */
export function clientLimit({
  estimate,
  intervals,
  fullSeconds = Infinity,
  waits,
}: KnownLimit): ClientLimit | undefined {
  const { algorithms, stacked } = estimate;
  const least = intervals.burst?.[0] ?? intervals.limit?.[0] ?? estimate.burst ?? estimate.limit;
  const requests = stacked === undefined ? least : Math.min(...stacked.map(({ limit }) => limit));
  if (requests === undefined) return undefined;
  const retryAfter = waits === undefined ? 'absent' : (USE_OF_WAITS[waits] ?? 'ignore');
  if (algorithms.includes('concurrency')) {
    return algorithms.length > 1 ? undefined : { inFlight: requests, retryAfter };
  }
  const perSecond = paceOf(estimate, intervals, requests);
  if (perSecond === undefined) return undefined;
  return {
    requests,
    ...(Number.isFinite(fullSeconds) ? { afterSilenceSeconds: up(fullSeconds) } : {}),
    pacePerSecond: down(PACE_SHARE * perSecond),
    retryAfter,
  };
}

/** Requests a second that no limit rejects which explains what was seen. */
function paceOf(
  { verdict, stacked, windowSeconds, refillPerSecond }: LimitEstimate,
  intervals: LimitIntervals,
  requests: number,
): number | undefined {
  if (stacked !== undefined)
    return Math.min(...stacked.map((one) => one.limit / one.windowSeconds));
  if (verdict === 'shaped') return refillPerSecond;
  const seconds = windowSeconds === undefined ? undefined : intervals.windowSeconds?.[1];
  // Of a bucket both say the same; the lower one holds.
  const rates = [
    refillPerSecond === undefined ? undefined : intervals.refillPerSecond?.[0],
    seconds === undefined ? undefined : requests / seconds,
  ].filter((rate) => rate !== undefined && rate > 0);
  return rates.length === 0 ? undefined : Math.min(...rates.map((rate = 0) => rate));
}

/** What a client does best with waits of a verdict; `ignore` where it is none of these. */
const USE_OF_WAITS: Readonly<Partial<Record<WaitVerdict, ClientLimit['retryAfter']>>> = {
  honest: 'obey',
  // Later than it need be, and never too early.
  'too-late': 'obey',
  constant: 'obey',
  absent: 'absent',
  'not-judged': 'not-tried',
};

/** Three digits, never more than the value. */
function down(value: number): number {
  const unit = unitOf(value);
  return Number((Math.floor(value / unit + 1e-9) * unit).toPrecision(3));
}

/** Three digits, never less than the value. */
function up(value: number): number {
  const unit = unitOf(value);
  return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(3));
}

function unitOf(value: number): number {
  return value > 0 ? 10 ** (Math.floor(Math.log10(value)) - 2) : 1;
}
