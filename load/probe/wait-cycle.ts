/** Whether the announced wait is the true one: timed requests around its end (notes, (a) to (c)). */

import type { FailuresCount } from '../../contracts/run/load/limit-measurement.ts';
import { roundTripMs } from '../limits/index.ts';
import type { Reported } from './sender.ts';
import { failuresInCycle } from './failures-count.ts';
import { endingOf, exhaust, type Ending, type ProbedBucket, type Probing } from './probing.ts';

/** Two rejections so far apart show whether the announced wait falls. */
const APART_MS = 2000;
/** A wait may be rounded up by this much, so a request that much earlier may be admitted. */
const ROUNDING_MS = 1000;
/** Past the announced end and a round trip, for timers are late and clocks coarse. */
const MARGIN_MS = 20;
const MAX_OBEYED = 3;
const MAX_FAILURES = 3;

/** What a cycle found. */
export interface WaitCycle {
  /** Plain requests of one cycle, in the order of sending. */
  readonly reported: readonly Reported[];
  readonly failures: FailuresCount;
  /** What ended it before it was through. */
  readonly ending?: Ending | undefined;
}

/** What obeying came to. */
export type Obeyed = Pick<WaitCycle, 'reported' | 'ending'>;

/** For what there was no time, for people. */
const ANNOUNCED = 'the wait that it announced';

/**
 * Waits as long as the last rejection asks for, then sends one request, and again while it is
 * rejected. A wait beyond all measure is not obeyed: then after the time that was measured.
 */
export async function obey(
  probed: ProbedBucket,
  { sender, clock, budgetLeft }: Probing,
  from: readonly Reported[],
): Promise<Obeyed> {
  const reported = [...from];
  const ending = await endingOf(async () => {
    for (let times = 0; times < MAX_OBEYED; times += 1) {
      const last = reported.at(-1);
      if (last?.outcome !== 'rejected') break;
      const tripMs = roundTripMs(reported);
      const endMs = last.receivedMs + waitMs(probed, last) + tripMs + MARGIN_MS;
      await budgetLeft.sleep(endMs - clock.nowMs(), ANNOUNCED);
      reported.push(await sender(probed.bucket.plain));
    }
  });
  return { reported, ending };
}

/**
 * Exhausts a full bucket, some requests that fail before; asks again 2 s later, a second before the
 * announced end, and just after it.
 */
export async function waitCycle(probed: ProbedBucket, probing: Probing): Promise<WaitCycle> {
  const { sender, clock, budgetLeft } = probing;
  const { bucket } = probed;
  const startedMs = clock.nowMs();
  const failed = await fail(probed, probing);
  const reported = await exhaust(probed, probing);
  const seconds = (clock.nowMs() - startedMs) / 1000;
  const failures = failuresInCycle(probed.facts.estimate, failed, reported, seconds);
  const first = reported.at(-1);
  if (first?.outcome !== 'rejected') return { reported, failures };
  const endMs = first.receivedMs + waitMs(probed, first);
  const ending = await endingOf(async () => {
    if (endMs - first.receivedMs > 2 * APART_MS) {
      await budgetLeft.sleep(APART_MS, ANNOUNCED);
      reported.push(await sender(bucket.plain));
    }
    const tripMs = roundTripMs(reported);
    const last = reported.at(-1) ?? first;
    // From the last one: asking may have put the end off.
    const earlyMs = last.receivedMs + waitMs(probed, last) - ROUNDING_MS - 2 * tripMs - MARGIN_MS;
    if (last.outcome === 'rejected' && earlyMs > clock.nowMs() + ROUNDING_MS / 4) {
      await budgetLeft.sleep(earlyMs - clock.nowMs(), ANNOUNCED);
      reported.push(await sender(bucket.plain));
    }
  });
  if (ending !== undefined) return { reported, failures, ending };
  return { ...(await obey(probed, probing, reported)), failures };
}

/** The announced wait, in ms, unless it is absent or far beyond what was measured. */
function waitMs({ fullSeconds = 1 }: ProbedBucket, { retryAfterSeconds }: Reported): number {
  const mostSeconds = 1.5 * fullSeconds + 3;
  const announced = retryAfterSeconds ?? fullSeconds;
  return 1000 * (announced <= mostSeconds ? announced : fullSeconds);
}

/** Sends as many failing requests as leave room in the bucket; stops at the first that does not fail. */
async function fail(probed: ProbedBucket, { sender }: Probing): Promise<number> {
  const { bucket, facts } = probed;
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
