/** Whether the announced wait is the true one: timed requests around its end (notes, (a) to (c)). */

import { announcedBy, roundTripMs } from '../limits/index.ts';
import type { Reported } from './sender.ts';
import {
  endingOf,
  exhaust,
  isRejected,
  type Ending,
  type ProbedBucket,
  type Probing,
} from './probing.ts';

/** Two rejections so far apart show whether the announced wait falls. */
const APART_MS = 2000;
/** A wait may be rounded up by this much, so a request that much earlier may be admitted. */
const ROUNDING_MS = 1000;
/** Past the announced end and a round trip, for timers are late and clocks coarse. */
const MARGIN_MS = 20;
const MAX_OBEYED = 3;

/** What waiting showed. */
export interface Waited {
  /** Plain requests of one cycle with no other kind among them, in the order of sending. */
  readonly reported: readonly Reported[];
  /** What ended it before it was through. */
  readonly ending?: Ending | undefined;
}

/** For what there was no time, for people. */
const ANNOUNCED = 'the wait that it announced';

/**
 * Of an exhausted bucket: asks again 2 s after the last rejection, a second before the announced end, and just after
 * it, again while that is rejected. A wait beyond all measure is not obeyed: then after the time that was measured.
 *
 * @param after the last plain request; where it was not rejected, the bucket is exhausted once more
 */
export async function waitsOf(
  probed: ProbedBucket,
  probing: Probing,
  after: readonly Reported[],
): Promise<Waited> {
  const { sender, clock, budgetLeft } = probing;
  const { plain } = probed.bucket;
  const reported = [...after];
  const ending = await endingOf(async () => {
    if (!after.some(isRejected)) reported.push(...(await exhaust(probed, probing)));
    const first = reported.at(-1);
    if (first?.outcome !== 'rejected' || !announces(first)) return;
    const endMs = first.receivedMs + waitMs(probed, first);
    if (endMs - first.receivedMs > 2 * APART_MS) {
      await budgetLeft.sleep(APART_MS, ANNOUNCED);
      reported.push(await sender(plain));
    }
    const last = reported.at(-1) ?? first;
    // From the last one: asking may have put the end off.
    const earlyMs =
      last.receivedMs + waitMs(probed, last) - ROUNDING_MS - 2 * roundTripMs(reported) - MARGIN_MS;
    if (last.outcome === 'rejected' && earlyMs > clock.nowMs() + ROUNDING_MS / 4) {
      await budgetLeft.sleep(earlyMs - clock.nowMs(), ANNOUNCED);
      reported.push(await sender(plain));
    }
    for (let times = 0; times < MAX_OBEYED; times += 1) {
      const last = reported.at(-1);
      if (last?.outcome !== 'rejected') break;
      const tripMs = roundTripMs(reported);
      const endMs = last.receivedMs + waitMs(probed, last) + tripMs + MARGIN_MS;
      await budgetLeft.sleep(endMs - clock.nowMs(), ANNOUNCED);
      reported.push(await sender(plain));
    }
  });
  return { reported, ending };
}

/** Whether it says in any way how long to wait: of what is silent no wait can be true or false. */
function announces(rejection: Reported): boolean {
  return SOURCES.some((source) => announcedBy(source, rejection).kind !== 'absent');
}

const SOURCES = ['body', 'retry-after', 'rate-limit-reset'] as const;

/** The announced wait, in ms, unless it is absent or far beyond what was measured. */
function waitMs({ fullSeconds = 1 }: ProbedBucket, { retryAfterSeconds }: Reported): number {
  const mostSeconds = 1.5 * fullSeconds + 3;
  const announced = retryAfterSeconds ?? fullSeconds;
  return 1000 * (announced <= mostSeconds ? announced : fullSeconds);
}
