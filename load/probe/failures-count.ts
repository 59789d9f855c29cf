/** Whether requests that fail for another reason than a limit count. */

import { bucketMet } from '../../contracts/run/load/bucket-met.ts';
import type {
  FailuresCount,
  FanOut,
  LimitEstimate,
} from '../../contracts/run/load/limit-measurement.ts';
import type { Reported } from './sender.ts';
import { capacityOf, isRejected, type ProbedBucket, type Probing } from './probing.ts';

/** How a bucket was used up. */
export interface Exhausted {
  /** What the service, which says it truly, said was left before; absent if the bucket was full. */
  readonly left?: number;
  /** Requests that failed before. */
  readonly failed: number;
  /** Plain requests after them, until one was rejected. */
  readonly admitted: number;
  /** What all of them took. */
  readonly seconds: number;
}

const MAX_FAILURES = 3;
/** What comes back is waited for as if it were so many times as much. */
const TIMES_AS_MANY = 2;

/**
 * What a service that says so truly has left: enough for requests that fail, after some silence if need be, or less
 * if little came back in it.
 */
export async function leftToFail(
  probed: ProbedBucket,
  { sender, budgetLeft }: Pick<Probing, 'sender' | 'budgetLeft'>,
): Promise<number> {
  const { bucket, fullSeconds = 0 } = probed;
  const ask = async (): Promise<number> => (await sender(bucket.plain)).report?.remaining ?? 0;
  const left = await ask();
  if (left > MAX_FAILURES) return left;
  const part = Math.min(1, TIMES_AS_MANY * (MAX_FAILURES / (capacityOf(probed) ?? 1)));
  await budgetLeft.sleep(
    1000 * fullSeconds * part,
    'a silence in which some of the limit comes back',
  );
  return ask();
}

/** Sends as many failing requests as leave room in a bucket; stops at the first that does not fail. */
export async function failFirst(
  { bucket, facts }: ProbedBucket,
  { sender }: Pick<Probing, 'sender'>,
  left?: number,
): Promise<number> {
  const { failing } = bucket;
  if (failing === undefined) return 0;
  const limit = left ?? facts.estimate.burst ?? facts.estimate.limit ?? 0;
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
  { left, failed, admitted, seconds }: Exhausted,
  fanOut: readonly FanOut[],
  estimate: LimitEstimate,
): FailuresCount {
  const { verdict, limit, burst = limit, refillPerSecond = 0 } = estimate;
  const had = left ?? burst;
  if (verdict !== 'identified' || had === undefined || failed === 0) return 'undecided';
  const earlier = fanOut.filter(
    (fan) => fan.admittedBefore > 0 && bucketMet(fan, estimate) !== 'separate',
  ).length;
  const taken = left === undefined ? earlier : 0;
  const refilled = Math.ceil(refillPerSecond * seconds);
  if (refilled + taken >= failed) return 'undecided';
  if (admitted >= had - taken && admitted <= had + refilled) return 'not-counted';
  const rest = had - failed;
  return admitted >= rest - taken && admitted <= rest + refilled ? 'counted' : 'undecided';
}

/**
 * What all stages show. Plain requests that are refused for another reason, until a limit refuses them,
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
