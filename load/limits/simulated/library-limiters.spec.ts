import { expect, test } from 'vitest';
import { requestRate, wholeSeconds, wholeTokens } from './library-limiters.testkit.ts';
import { simulate } from './simulation.testkit.ts';

test.each([
  [
    'a request rate of two periods that counts denied requests',
    'sliding-counter-counting-rejects',
    requestRate(7, 3300),
    7,
    3.3,
  ],
  ['a window in whole seconds', 'fixed-window', wholeSeconds(5, 2, 237), 5, 2],
  ['a bucket of whole tokens', 'token-bucket', wholeTokens(10, 500), 10, 5],
] as const)('%s is named, with its limit', async (_, name, limiter, limit, seconds) => {
  const { estimate } = await simulate({
    limiter,
    seed: 1,
    roundTripMs: 5,
    jitterMs: 1,
    retryAfter: 'none',
  });
  const [found] = estimate.classes;
  expect(estimate.kind).toBe('identified');
  expect(found).toMatchObject({ class: name, limit: { value: limit } });
  expect((found?.windowSeconds?.value ?? 0) / seconds).toBeCloseTo(1, 1);
});
