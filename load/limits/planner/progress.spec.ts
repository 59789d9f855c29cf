import { expect, test } from 'vitest';
import type { ClassEstimate } from '../estimate/estimate.ts';
import { tokenBucket } from '../simulated/limiters.testkit.ts';
import { begun, isIdle, MAX_IDLE, MAX_STILL, NO_PROGRESS, seen } from './progress.ts';
import { simulate } from '../simulated/simulation.testkit.ts';

const fixed = (probability: number, lo: number, hi: number): ClassEstimate => ({
  class: 'fixed-window',
  probability,
  limit: { value: 5, lo: 5, hi: 5 },
  windowSeconds: { value: 10, lo, hi },
});

/** The same thing done so often, each time with the same posterior after it. */
function repeated(often: number, after: readonly ClassEstimate[]): typeof NO_PROGRESS {
  let progress = NO_PROGRESS;
  for (let count = 0; count < often; count += 1) {
    progress = seen(begun(progress, 'two at once', [fixed(0.6, 9, 11)]), after);
  }
  return progress;
}

test('what told nothing three times is not done again, and something else is', () => {
  const idle = repeated(MAX_IDLE, [fixed(0.6, 9, 11)]);
  expect([isIdle(idle, 'two at once'), isIdle(idle, 'one')]).toEqual([true, false]);
  expect(isIdle(repeated(MAX_IDLE - 1, [fixed(0.6, 9, 11)]), 'two at once')).toBe(false);
  expect(idle.still).toBeLessThan(MAX_STILL);
});

test.each([
  ['a share that moved', [fixed(0.8, 9, 11)]],
  ['a time that is known better', [fixed(0.6, 9.9, 10.1)]],
  ['a class that is gone', []],
])('%s is something', (_, after) => {
  const reported = repeated(MAX_IDLE, after);
  expect([isIdle(reported, 'two at once'), reported.still]).toEqual([false, 0]);
});

test('a bucket that refills within a round trip does not hold a probe up', async () => {
  const service = { seed: 3, roundTripMs: 60, jitterMs: 12, retryAfter: 'none' } as const;
  const result = await simulate({
    ...service,
    limiter: tokenBucket(20, 30),
    budget: { maxRequests: 140 },
  });
  // One too many at once were sent every three seconds for ever.
  const pauses = result.transcript.events.filter(
    ({ sentMs }, at, all) => sentMs - (all[at - 1]?.receivedMs ?? sentMs) > 2500,
  );
  expect(pauses.length).toBeLessThanOrEqual(4);
  expect(result.estimate.kind).not.toBe('composite');
});
