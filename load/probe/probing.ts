/** What the stages of a probe share. */

import type { MeasuredLimit } from '../../contracts/run/run.ts';
import type { Clock } from '../../target/budget/clock.ts';
import { BudgetExceeded, Interrupted } from '../../target/budget/governor.ts';
import type { ProbeResult } from '../limits/index.ts';
import type { Bucket } from './bucket.ts';
import type { Sender, Reported } from './sender.ts';
import type { Facts } from './facts/facts.ts';
import { WaitTooLong, type BudgetLeft } from './budget-left.ts';
import { failureStop } from './stops.ts';

/** What every stage needs. */
export interface Probing {
  readonly sender: Sender;
  /** Tells the time alone: whoever waits does so by the budget, which knows how much is left. */
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly budgetLeft: BudgetLeft;
  /** Ends all waiting; what is known by then is reported. */
  readonly signal: AbortSignal;
  /** Says what is being done, one line at a time. */
  readonly say: (line: string) => void;
  /** Draws the order of what is compared: from 0 up to, but not including, 1. */
  readonly random: () => number;
  /**
   * Called with what is known of the limits so far, each time when that is more; absent where nobody
   * asks.
   */
  readonly keep?: (limits: readonly MeasuredLimit[]) => void;
}

/** A bucket whose limit was looked for. */
export interface ProbedBucket {
  readonly bucket: Bucket;
  readonly result: ProbeResult;
  readonly facts: Facts;
  /** The plain requests, in the order of sending. */
  readonly reported: readonly Reported[];
  /**
   * Silence after which it is full; Infinity when that is not known, undefined when it is not known
   * to have been exhausted.
   */
  readonly fullSeconds: number | undefined;
  /** Why the target made the probe stop; absent when it did not. */
  readonly stopped?: string;
}

/** Rejections that a stage leaves for those that follow. */
const MIN_REJECTS = 3;

/**
 * Sees that there is budget for so many more requests and seconds.
 *
 * @throws {NotAffordable} where there is not
 * @throws {WaitTooLong} where nobody knows how long it takes
 */
export function afford({ left, spacingMs }: BudgetLeft, requests: number, seconds: number): void {
  if (seconds === Infinity) throw new WaitTooLong('it', Infinity, left.seconds * 1000);
  const paced = seconds + (requests * spacingMs) / 1000;
  if (left.requests < requests) throw new NotAffordable(requests, 'requests', left.requests);
  if (left.rejects < MIN_REJECTS) {
    throw new NotAffordable(MIN_REJECTS, 'rejections', left.rejects);
  }
  if (left.seconds < paced) throw new NotAffordable(paced, 'seconds', left.seconds);
}

/** Thrown before a stage for which what is left of the budget is too little. */
export class NotAffordable extends Error {
  override readonly name = 'NotAffordable';

  constructor(wanted: number, what: 'requests' | 'rejections' | 'seconds', left: number) {
    const [takes, has] = [Math.ceil(wanted), Math.max(0, Math.floor(left))];
    super(`it may take ${takes} ${what}, and ${has} are left of the budget.`);
  }
}

/** What ends a stage but is no fault: the budget, the time, or an interruption. */
export type Ending = BudgetExceeded | WaitTooLong | Interrupted;

/** Takes a step of a stage; what ended it is answered, so that what was found until then stays. */
export async function endingOf(step: () => Promise<void>): Promise<Ending | undefined> {
  try {
    await step();
    return undefined;
  } catch (error) {
    const isEnding =
      error instanceof BudgetExceeded ||
      error instanceof WaitTooLong ||
      error instanceof Interrupted;
    if (isEnding) return error;
    throw error;
  }
}

/**
 * All of them, once all have ended: nothing is on its way any more when the first rejection is
 * reported.
 */
export async function allEnded<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

/** How many requests a bucket takes at once, as far as it is known. */
export function capacityOf({ facts }: ProbedBucket): number | undefined {
  const { limit, burst, admitted } = facts.estimate;
  return burst ?? limit ?? admitted?.requests;
}

/** Most requests that are sent at once while a bucket is being exhausted. */
const MAX_AT_ONCE = 20;

/**
 * Sends plain requests until one is rejected, many at once while there is far to go. Gives up when
 * far more are admitted than the bucket takes; then the last one was not rejected.
 */
export async function exhaust(
  probed: ProbedBucket,
  { sender, signal }: Pick<Probing, 'sender' | 'signal'>,
): Promise<Reported[]> {
  const capacity = capacityOf(probed) ?? 1;
  const reported: Reported[] = [];
  const most = 2 * capacity + 10;
  while (reported.length < most && !reported.some(isRejected)) {
    signal.throwIfAborted();
    const left = Math.min(MAX_AT_ONCE, Math.floor((capacity - reported.length) / 2));
    const burst = Array.from({ length: Math.max(1, left) }, () => sender(probed.bucket.plain));
    reported.push(...(await allEnded(burst)));
    if (isFailing(reported)) break;
  }
  return reported;
}

/** Whether it does not let requests in, or hardly answers; one that fails now and then tells nothing. */
function isFailing(reported: readonly Reported[]): boolean {
  if (reported.filter(({ status }) => status === 0).length > MAX_UNANSWERED) return true;
  return reported.some((one, at) => {
    return one.outcome === 'failed' && failureStop(reported.slice(0, at + 1)) !== null;
  });
}

/** Requests without an answer that are borne while a bucket is being exhausted. */
const MAX_UNANSWERED = 2;

/** Whether a limit turned it away. */
export function isRejected({ outcome }: Reported): boolean {
  return outcome === 'rejected';
}
