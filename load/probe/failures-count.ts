/** Whether requests that fail for another reason than a limit count. */

import { bucketMet } from '../../contracts/run/load/bucket-met.ts';
import type {
  FailuresCount,
  FanOut,
  LimitEstimate,
} from '../../contracts/run/load/limit-measurement.ts';
import type { Reported } from './sender.ts';
import { isRejected, type ProbedBucket, type Probing } from './probing.ts';

/** How a full bucket was used up. */
export interface Exhausted {
  /** Requests that failed before. */
  readonly failed: number;
  /** Plain requests after them, until one was rejected. */
  readonly admitted: number;
  /** What all of them took. */
  readonly seconds: number;
}

const MAX_FAILURES = 3;

/** Sends as many failing requests as leave room in a full bucket; stops at the first that does not fail. */
export async function failFirst(
  { bucket, facts }: ProbedBucket,
  { sender }: Pick<Probing, 'sender'>,
): Promise<number> {
  const { failing } = bucket;
  if (failing === undefined) return 0;
  const limit = facts.estimate.burst ?? facts.estimate.limit ?? 0;
  let sent = 0;
  while (sent < Math.min(MAX_FAILURES, limit - 1)) {
    const { status, outcome } = await sender(failing);
    if (outcome !== 'admitted' || status < 400) return 0;
    sent += 1;
  }
  return sent;
}

/**
 * Whether the failures took their share of the bucket. Other kinds of requests that were admitted before, and
 * are not known to be apart, may have taken theirs.
 */
function whenExhausted(
  { failed, admitted, seconds }: Exhausted,
  fanOut: readonly FanOut[],
  estimate: LimitEstimate,
): FailuresCount {
  const { verdict, limit, burst = limit, refillPerSecond = 0 } = estimate;
  if (verdict !== 'identified' || burst === undefined || failed === 0) return 'undecided';
  const taken = fanOut.filter(
    (fan) => fan.admittedBefore > 0 && bucketMet(fan, estimate) !== 'separate',
  ).length;
  const refilled = Math.ceil(refillPerSecond * seconds);
  if (refilled + taken >= failed) return 'undecided';
  if (admitted >= burst - taken && admitted <= burst + refilled) return 'not-counted';
  const left = burst - failed;
  return admitted >= left - taken && admitted <= left + refilled ? 'counted' : 'undecided';
}

/**
 * What all stages tell. Plain requests that are refused for another reason, until a limit refuses them,
 * count. Requests that failed go to another route than the plain ones, so that they took nothing says
 * something only where another route is known to share the bucket, and another method not to be apart.
 *
 * @param found the plain requests from which the limit was found
 */
export function failuresCounted(
  found: readonly Reported[],
  exhausted: Exhausted | undefined,
  fanOut: readonly FanOut[],
  estimate: LimitEstimate,
): FailuresCount {
  const first = found.findIndex(isRejected);
  const before = found.slice(0, Math.max(0, first));
  if (before.length > 0 && before.every(({ status }) => status >= 400)) return 'counted';
  if (exhausted === undefined) return 'undecided';
  const counted = whenExhausted(exhausted, fanOut, estimate);
  if (counted !== 'not-counted') return counted;
  const met = (kind: FanOut['kind']): string | undefined => {
    const fan = fanOut.find((one) => one.kind === kind);
    return fan === undefined ? undefined : bucketMet(fan, estimate);
  };
  return met('other-route') === 'shared' && met('other-method') !== 'separate'
    ? 'not-counted'
    : 'undecided';
}
