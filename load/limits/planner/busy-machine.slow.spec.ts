import { expect, test } from 'vitest';
import { tokenBucket } from '../simulated/limiters.testkit.ts';
import { simulate } from '../simulated/simulation.testkit.ts';

const service = { seed: 3, roundTripMs: 4, jitterMs: 1, retryAfter: 'none' as const };

test('a busy machine sends more at once, so that it is faster than a bucket refills', async () => {
  const limiter = tokenBucket(80, 40);
  const result = await simulate({ ...service, limiter, pauseMs: 60 });
  expect(result.estimate.kind).toBe('identified');
  expect(result.estimate.classes[0]).toMatchObject({ class: 'token-bucket', limit: { value: 80 } });
});
