/** Whether errors that stopped a probe look like rejections by a limit, as those of some gateways do. */

import { isRejected, type ProbedBucket, type Probing } from './probing.ts';
import type { Reported } from './sender.ts';

/** At least this many must have been admitted before: a limit lets some in. */
const MIN_ADMITTED = 2;
/** From the first error on, the part of errors that a limit causes at least; others come now and then. */
const MIN_PART = 0.5;
/** When it is asked again, s after the one before; some gateways shut clients out for 10 s. */
const AGAIN_AFTER_SECONDS = [2, 12];
/** No wait takes more than this part of the time that is left. */
const LEFT_PART = 0.1;

/**
 * Where a status that is no rejection by itself came only after others had been admitted, and is over
 * after a wait: a sentence that says so, and how to have it counted as one. Sends one or two requests,
 * after seconds of silence; undefined where it looks like nothing of the kind.
 *
 * @throws what the sender and the budget throw
 */
export async function throttlePattern(
  { bucket, reported, stopped }: ProbedBucket,
  { sender, budgetLeft }: Probing,
): Promise<string | undefined> {
  const status = reported.findLast(({ outcome }) => outcome === 'failed')?.status ?? 0;
  if (stopped === undefined || reported.some(isRejected) || !looksThrottled(reported, status)) {
    return undefined;
  }
  let seconds = 0;
  for (const waitSeconds of AGAIN_AFTER_SECONDS) {
    if (waitSeconds > LEFT_PART * budgetLeft.left.seconds) return undefined;
    await budgetLeft.sleep(waitSeconds * 1000);
    seconds += waitSeconds;
    const { outcome } = await sender(bucket.plain);
    if (outcome === 'admitted') return sentenceOf(reported, status, seconds);
  }
  return undefined;
}

/** Errors of one kind, and from the first of them on hardly anything else. */
function looksThrottled(reported: readonly Reported[], status: number): boolean {
  if (status !== 403 && !(status >= 500 && status !== 501)) return false;
  const first = reported.findIndex(({ outcome }) => outcome === 'failed');
  const late = reported.slice(first);
  const errors = late.filter((one) => one.outcome === 'failed' && one.status === status).length;
  return first >= MIN_ADMITTED && errors >= MIN_PART * late.length;
}

function sentenceOf(reported: readonly Reported[], status: number, seconds: number): string {
  const first = reported.findIndex(({ outcome }) => outcome === 'failed');
  return `it answered ${status} once ${first} requests had been admitted, and admitted one again after ${seconds} s of silence. So do gateways that throttle with ${status}: if this one does, --throttle-status ${status} has it counted as a rejection.`;
}
