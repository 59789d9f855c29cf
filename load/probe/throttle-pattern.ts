/** Whether errors that stopped a probe look like rejections by a limit, as those of some gateways do. */

import { isRejected, type ProbedBucket, type Probing } from './probing.ts';
import type { Told } from './courier.ts';

/** So many must have been admitted before: a limit lets some in. */
const LEAST_ADMITTED = 2;
/** From the first error on, the part of errors that a limit causes at least; others come now and then. */
const LEAST_PART = 0.5;
/** When it is asked again, s after the one before; some gateways shut clients out for 10 s. */
const AGAIN_AFTER_SECONDS = [2, 12];
/** No wait takes more than this part of the time that is left. */
const LEFT_PART = 0.1;

/**
 * Where a status that is no rejection by itself came only after others had been admitted, and is over
 * after a wait: a sentence that says so, and how to have it counted as one. Sends one or two requests,
 * after seconds of silence; undefined where it looks like nothing of the kind.
 *
 * @throws what the courier and the purse throw
 */
export async function throttlePattern(
  { bucket, told, stopped }: ProbedBucket,
  { courier, purse }: Probing,
): Promise<string | undefined> {
  const status = told.findLast(({ outcome }) => outcome === 'failed')?.status ?? 0;
  if (stopped === undefined || told.some(isRejected) || !looksThrottled(told, status)) {
    return undefined;
  }
  let seconds = 0;
  for (const waitSeconds of AGAIN_AFTER_SECONDS) {
    if (waitSeconds > LEFT_PART * purse.left.seconds) return undefined;
    await purse.sleep(waitSeconds * 1000);
    seconds += waitSeconds;
    const { outcome } = await courier(bucket.plain);
    if (outcome === 'admitted') return sentenceOf(told, status, seconds);
  }
  return undefined;
}

/** Errors of one kind, and from the first of them on hardly anything else. */
function looksThrottled(told: readonly Told[], status: number): boolean {
  if (status !== 403 && !(status >= 500 && status !== 501)) return false;
  const first = told.findIndex(({ outcome }) => outcome === 'failed');
  const late = told.slice(first);
  const errors = late.filter((one) => one.outcome === 'failed' && one.status === status).length;
  return first >= LEAST_ADMITTED && errors >= LEAST_PART * late.length;
}

function sentenceOf(told: readonly Told[], status: number, seconds: number): string {
  const first = told.findIndex(({ outcome }) => outcome === 'failed');
  return `it answered ${status} once ${first} requests had been admitted, and admitted one again after ${seconds} s of silence. So do gateways that throttle with ${status}: if this one does, --throttle-status ${status} has it counted as a rejection.`;
}
