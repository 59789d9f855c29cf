/** What the stages of a probe share. */

import type { Clock } from '../../fixtures/target/clock.ts';
import type { ProbeResult } from '../limits/run-probe.ts';
import type { Bucket } from './buckets.ts';
import type { Courier, Told } from './courier.ts';
import type { Facts } from './facts.ts';
import type { Purse } from './purse.ts';

/** What every stage needs. */
export interface Probing {
  readonly courier: Courier;
  readonly clock: Clock;
  readonly purse: Purse;
  /** Ends all waiting; what is known by then is reported. */
  readonly signal: AbortSignal;
  /** Says what is being done, one line at a time. */
  readonly say: (line: string) => void;
}

/** A bucket whose limit was looked for. */
export interface ProbedBucket {
  readonly bucket: Bucket;
  readonly result: ProbeResult;
  readonly facts: Facts;
  /** The plain requests, in the order of sending. */
  readonly told: readonly Told[];
  /** Silence after which it is full; undefined when it is not known to have been exhausted. */
  readonly fullSeconds: number | undefined;
  /** Why the target made the probe stop; absent when it did not. */
  readonly stopped?: string;
}

/** Rejections that a stage leaves for those that follow. */
const LEAST_REJECTS = 3;

/** Whether there is budget for so many more requests and seconds. */
export function affords(purse: Purse, requests: number, seconds: number): boolean {
  const { left } = purse;
  const paced = seconds + (requests * purse.spacingMs) / 1000;
  return left.requests >= requests && left.rejects >= LEAST_REJECTS && left.seconds >= paced;
}

/** How many requests a bucket takes at once, as far as it is known. */
export function capacityOf({ facts }: ProbedBucket): number | undefined {
  const { limit, burst, admitted } = facts.estimate;
  return burst ?? limit ?? admitted?.requests;
}

/** Most requests that are sent at once while a bucket is being exhausted. */
const MOST_AT_ONCE = 20;

/**
 * Sends plain requests until one is rejected, many at once while there is far to go. Gives up when
 * far more are admitted than the bucket takes; then the last one was not rejected.
 */
export async function exhaust(
  probed: ProbedBucket,
  { courier, signal }: Pick<Probing, 'courier' | 'signal'>,
): Promise<Told[]> {
  const capacity = capacityOf(probed) ?? 1;
  const told: Told[] = [];
  const most = 2 * capacity + 10;
  while (told.length < most && !told.some(isRejected)) {
    signal.throwIfAborted();
    const left = Math.min(MOST_AT_ONCE, Math.floor((capacity - told.length) / 2));
    const burst = Array.from({ length: Math.max(1, left) }, () => courier(probed.bucket.plain));
    told.push(...(await Promise.all(burst)));
    if (told.some(({ outcome }) => outcome === 'failed')) break;
  }
  return told;
}

/** Whether a limit turned it away. */
export function isRejected({ outcome }: Told): boolean {
  return outcome === 'rejected';
}
