/** Whether requests that fail for another reason than a limit count. */

import { bucketMet } from '../../contracts/run/load/bucket-met.ts';
import type {
  FailuresCount,
  FanOut,
  LimitEstimate,
} from '../../contracts/run/load/limit-measurement.ts';
import type { Reported } from './sender.ts';
import { isRejected } from './probing.ts';

/**
 * What a cycle tells: whether so many failures took their share of a bucket that was full.
 *
 * @param failed requests that failed before
 * @param reported plain requests after them, until one was rejected
 * @param seconds that all of them took
 */
export function failuresInCycle(
  estimate: LimitEstimate,
  failed: number,
  reported: readonly Reported[],
  seconds: number,
): FailuresCount {
  const { verdict, limit, burst = limit, refillPerSecond = 0 } = estimate;
  if (verdict !== 'identified' || burst === undefined || failed === 0) return 'undecided';
  if (!reported.some(isRejected)) return 'undecided';
  const admitted = reported.filter(({ outcome }) => outcome === 'admitted').length;
  const refilled = Math.ceil(refillPerSecond * seconds);
  if (refilled >= failed) return 'undecided';
  if (admitted >= burst && admitted <= burst + refilled) return 'not-counted';
  const left = burst - failed;
  return admitted >= left && admitted <= left + refilled ? 'counted' : 'undecided';
}

/** What a full bucket admitted when nothing had failed before. */
export interface Control {
  readonly admitted: number;
  readonly seconds: number;
}

/** Whether the control shows the limit that was measured, less what other kinds took of it before. */
function agrees(
  { admitted, seconds }: Control,
  fanOut: readonly FanOut[],
  estimate: LimitEstimate,
): boolean {
  const { limit, burst = limit ?? 0, refillPerSecond = 0 } = estimate;
  const taken = fanOut.filter(
    (fan) => fan.admittedBefore > 0 && bucketMet(fan, estimate) !== 'separate',
  );
  const refilled = Math.ceil(refillPerSecond * seconds);
  return admitted >= burst - taken.length && admitted <= burst + refilled;
}

/**
 * What all stages tell. Plain requests that are refused for another reason, until a limit refuses them,
 * count. Requests that failed go to another route than the plain ones, so that they took nothing says
 * something only where another route is known to share the bucket, and another method not to be apart.
 *
 * @param found the plain requests from which the limit was found
 * @param control what cannot be trusted to be the limit each time is no measure of what failures took
 */
export function failuresCounted(
  found: readonly Reported[],
  inCycle: FailuresCount | undefined,
  fanOut: readonly FanOut[],
  estimate: LimitEstimate,
  control?: Control,
): FailuresCount {
  const first = found.findIndex(isRejected);
  const before = found.slice(0, Math.max(0, first));
  if (before.length > 0 && before.every(({ status }) => status >= 400)) return 'counted';
  if (control !== undefined && !agrees(control, fanOut, estimate)) return 'undecided';
  if (inCycle !== 'not-counted') return inCycle ?? 'undecided';
  const met = (kind: FanOut['kind']): string | undefined => {
    const fan = fanOut.find((one) => one.kind === kind);
    return fan === undefined ? undefined : bucketMet(fan, estimate);
  };
  return met('other-route') === 'shared' && met('other-method') !== 'separate'
    ? 'not-counted'
    : 'undecided';
}
