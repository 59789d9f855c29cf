import { expect, test } from 'vitest';
import { LatencyHistogram } from './latency-histogram.ts';
import { latencyWithoutLate } from './without-late.ts';

/** A hundred answers, of 1 to 100 ms. */
function hundred(): Parameters<typeof latencyWithoutLate>[0] {
  const histogram = LatencyHistogram.create();
  for (let ms = 1; ms <= 100; ms += 1) histogram.record(ms);
  const latency = { count: 100, p50Ms: 50, p95Ms: 95, p99Ms: 99, p999Ms: 100, worstMs: 100 };
  return { latency, histogram: histogram.encode() };
}

test.each([
  ['none left late', 0, 0.95, 95],
  ['ten left late: they may be the ten slowest', 10, 0.95, 85],
  ['more left late than are above the share', 60, 0.5, 1],
  ['all may have left late', 100, 0.95, 0],
])('the latency that is known although requests left late: %s', (_, late, share, ms) => {
  expect(Math.round(latencyWithoutLate(hundred(), share, late))).toBe(ms);
});
