/** Whether the announced wait is the true one: timed requests around its end (notes, (a) to (c)). */

import type { FailuresCount } from '../../contracts/run/load/limit-measurement.ts';
import { roundTripMs } from '../limits/transcript.ts';
import type { Told } from './courier.ts';
import { failuresInCycle } from './failures-count.ts';
import { endingOf, exhaust, type Ending, type ProbedBucket, type Probing } from './probing.ts';

/** Two rejections so far apart show whether the announced wait falls. */
const APART_MS = 2000;
/** A wait that is rounded up by so much is fair, so a request that much earlier may be admitted. */
const ROUNDING_MS = 1000;
/** Past the announced end and a round trip, for timers are late and clocks coarse. */
const MARGIN_MS = 20;
const MOST_OBEYED = 3;
const MOST_FAILURES = 3;

/** What a cycle found. */
export interface WaitCycle {
  /** Plain requests of one cycle, in the order of sending. */
  readonly told: readonly Told[];
  readonly failures: FailuresCount;
  /** What ended it before it was through. */
  readonly ending?: Ending | undefined;
}

/** What obeying came to. */
export type Obeyed = Pick<WaitCycle, 'told' | 'ending'>;

/** For what there was no time, for people. */
const ANNOUNCED = 'the wait that it announced';

/**
 * Waits as long as the last rejection asks for, then sends one request, and again while it is
 * rejected. A wait beyond all measure is not obeyed: then after the time that was measured.
 */
export async function obey(
  probed: ProbedBucket,
  { courier, clock, purse }: Probing,
  from: readonly Told[],
): Promise<Obeyed> {
  const told = [...from];
  const ending = await endingOf(async () => {
    for (let times = 0; times < MOST_OBEYED; times += 1) {
      const last = told.at(-1);
      if (last?.outcome !== 'rejected') break;
      const tripMs = roundTripMs(told);
      const endMs = last.receivedMs + waitMs(probed, last) + tripMs + MARGIN_MS;
      await purse.sleep(endMs - clock.nowMs(), ANNOUNCED);
      told.push(await courier(probed.bucket.plain));
    }
  });
  return { told, ending };
}

/**
 * Exhausts a full bucket, some requests that fail before; asks again 2 s later, a second before the
 * announced end, and just after it.
 */
export async function waitCycle(probed: ProbedBucket, probing: Probing): Promise<WaitCycle> {
  const { courier, clock, purse } = probing;
  const { bucket } = probed;
  const startedMs = clock.nowMs();
  const failed = await fail(probed, probing);
  const told = await exhaust(probed, probing);
  const seconds = (clock.nowMs() - startedMs) / 1000;
  const failures = failuresInCycle(probed.facts.estimate, failed, told, seconds);
  const first = told.at(-1);
  if (first?.outcome !== 'rejected') return { told, failures };
  const endMs = first.receivedMs + waitMs(probed, first);
  const ending = await endingOf(async () => {
    if (endMs - first.receivedMs > 2 * APART_MS) {
      await purse.sleep(APART_MS, ANNOUNCED);
      told.push(await courier(bucket.plain));
    }
    const tripMs = roundTripMs(told);
    const last = told.at(-1) ?? first;
    // From the last one: asking may have put the end off.
    const earlyMs = last.receivedMs + waitMs(probed, last) - ROUNDING_MS - 2 * tripMs - MARGIN_MS;
    if (last.outcome === 'rejected' && earlyMs > clock.nowMs() + ROUNDING_MS / 4) {
      await purse.sleep(earlyMs - clock.nowMs(), ANNOUNCED);
      told.push(await courier(bucket.plain));
    }
  });
  if (ending !== undefined) return { told, failures, ending };
  return { ...(await obey(probed, probing, told)), failures };
}

/** The announced wait, in ms, unless it is absent or far beyond what was measured. */
function waitMs({ fullSeconds = 1 }: ProbedBucket, { retryAfterSeconds }: Told): number {
  const mostSeconds = 1.5 * fullSeconds + 3;
  const announced = retryAfterSeconds ?? fullSeconds;
  return 1000 * (announced <= mostSeconds ? announced : fullSeconds);
}

/** Sends as many failing requests as leave room in the bucket; stops at the first that does not fail. */
async function fail(probed: ProbedBucket, { courier }: Probing): Promise<number> {
  const { bucket, facts } = probed;
  const limit = facts.estimate.burst ?? facts.estimate.limit ?? 0;
  let sent = 0;
  while (sent < Math.min(MOST_FAILURES, limit - 1)) {
    const { status, outcome } = await courier(bucket.failing);
    if (outcome !== 'admitted' || status < 400) return 0;
    sent += 1;
  }
  return sent;
}
