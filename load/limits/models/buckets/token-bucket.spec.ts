import { expect, test } from 'vitest';
import { tokenBucket as limiterOf } from '../../simulated/limiters.testkit.ts';
import { chance } from '../../simulated/simulation.testkit.ts';
import type { Candidate, Tracker } from '../model.ts';
import { tokenBucket } from './token-bucket.ts';

const CAPACITY = 5;
const TOKEN_MS = 500;

/** What is left of the true capacity after each of the requests, one at each of the times, ms. */
function followed(times: readonly number[]): Candidate[] {
  const limiter = limiterOf(CAPACITY, 1000 / TOKEN_MS);
  let tracker: Tracker = tokenBucket();
  return times.flatMap((atMs) => {
    const outcome = limiter.decide(atMs, atMs).admitted ? 'admitted' : 'rejected';
    tracker = tracker.observe({ sentMs: atMs - 1, receivedMs: atMs + 1, outcome });
    return tracker.candidates().filter(({ limit }) => limit.lo <= CAPACITY && limit.hi >= CAPACITY);
  });
}

/** A burst of six, then requests right before and after each token, some after a pause. */
const CLOSE = [
  ...[0, 5, 10, 15, 20, 25, 495, 505, 995, 1005, 1495, 1505, 1600, 1995, 2005],
  ...[9_000, 9_005, 9_010, 9_015, 9_020, 9_025, 9_495, 9_505, 9_995, 10_005],
];

test('the true time of a token is never ruled out, however requests come', () => {
  const random = chance(4);
  for (let run = 0; run < 20; run += 1) {
    let atMs = 0;
    const times = Array.from({ length: 60 }, () => (atMs += Math.ceil(random() ** 3 * 2_000)));
    for (const { timeMs } of followed(times)) {
      expect([timeMs.lo <= TOKEN_MS, timeMs.hi >= TOKEN_MS]).toEqual([true, true]);
    }
  }
});

test('it is known to some hundredths where requests come right before and after tokens', () => {
  const candidates = followed(CLOSE);
  expect(candidates).toHaveLength(CLOSE.length);
  const { lo = 0, hi = Infinity } = candidates.at(-1)?.timeMs ?? {};
  expect([lo > 480, lo <= TOKEN_MS, hi >= TOKEN_MS, hi < 520]).toEqual([true, true, true, true]);
});

test('after a pause the bucket is as full as it ever is, and no fuller', () => {
  const left = followed([...CLOSE, 60_000, 60_010]).map((one) => one.left);
  expect(left.slice(-2)).toEqual([
    { lo: 4, hi: 4 },
    { lo: 3, hi: 3 },
  ]);
});
