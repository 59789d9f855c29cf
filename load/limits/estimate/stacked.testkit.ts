/** Transcripts of a limit within another one. */

import { fixedWindow, slidingLog } from '../simulated/limiters.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';

/**
 * Single requests at these times, s, of a limit of 3 in 10 s within one of 12 in 100 s, or of 18 where
 * that counts what the inner one rejects as well.
 */
export function asked(atSeconds: readonly number[], countsAll = false): ProbeEvent[] {
  const [inner, outer] = [slidingLog(3, 10_000), fixedWindow(countsAll ? 18 : 12, 100_000)];
  return atSeconds.map((seconds) => {
    const ms = 1000 * seconds;
    const isIn = inner.decide(ms, ms).admitted;
    const isAll = (isIn || countsAll) && outer.decide(ms, ms).admitted;
    return { sentMs: ms - 2, receivedMs: ms + 2, outcome: isIn && isAll ? 'admitted' : 'rejected' };
  });
}

/** The inner one is used up, waited for, used up once more, and asked right before and after it ends. */
export const INNER: readonly number[] = [
  0, 1, 2, 2.1, 9.98, 10.02, 10.9, 11.02, 12.02, 12.1, 19.98, 20.1, 21.1, 22.1, 22.2,
];
/** Then the outer one is met, waited for, met again, and waited for again. */
export const OUTER: readonly number[] = [
  35, 60, 80, 90, 97, 100.03, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 150, 170, 197,
  200.1,
];

/** The same where the outer one counts all. */
export const OUTER_COUNTING_ALL: readonly number[] = [
  ...[35, 60, 80, 90, 97],
  ...Array.from({ length: 20 }, (_, index) => 100.03 + 4 * index),
  ...[197, 200.1],
];
