import { expect, test } from 'vitest';
import type { RateLimitFamily } from './rate-limit-reading.ts';
import { resetUnit } from './rate-limit-reset.ts';

const NOW = Date.UTC(2026, 0, 1);

test.each<[RateLimitFamily, number, string]>([
  ['x-ratelimit', 5, 'seconds'],
  ['x-ratelimit', 0, 'seconds'],
  ['x-rate-limit', 2_592_000, 'seconds'],
  ['x-ratelimit', NOW / 1000 + 60, 'epoch-seconds'],
  // A reset that has gone by is still a moment.
  ['x-rate-limit', NOW / 1000 - 60, 'epoch-seconds'],
  ['x-ratelimit', NOW + 60_000, 'epoch-milliseconds'],
  ['separate', NOW / 1000 + 60, 'seconds'],
  ['combined', NOW + 60_000, 'seconds'],
  ['structured', 30, 'seconds'],
])('a reset of %s, %d, is in %s', (family, raw, unit) => {
  expect(resetUnit(family, raw, NOW)).toBe(unit);
});
