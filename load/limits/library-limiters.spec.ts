import { expect, test } from 'vitest';
import { requestRate } from './library-limiters.testkit.ts';
import { simulate } from './simulation.testkit.ts';

test('a request rate of two periods that counts denied requests is named, with its limit', async () => {
  const { estimate } = await simulate({
    limiter: requestRate(7, 3300),
    seed: 1,
    roundTripMs: 5,
    jitterMs: 1,
    retryAfter: 'none',
  });
  const [found] = estimate.classes;
  expect(estimate.kind).toBe('identified');
  expect(found).toMatchObject({ class: 'sliding-counter-counting-rejects', limit: { value: 7 } });
  expect((found?.windowSeconds?.value ?? 0) / 3.3).toBeCloseTo(1, 1);
});
