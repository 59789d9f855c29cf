import { expect, test } from 'vitest';
import { LatencyHistogram } from './latency-histogram.ts';
import { latencyWithoutLate } from './counts.ts';

/** A hundred answers, of 1 to 100 ms. */
function hundred(): Parameters<typeof latencyWithoutLate>[0] {
  const histogram = LatencyHistogram.create();
  for (let ms = 1; ms <= 100; ms += 1) histogram.record(ms);
  return { histogram: histogram.encode() };
}

test.each([
  ['none left late', 0, 0.95, 95],
  ['ten left late: they may be the ten slowest', 10, 0.95, 85],
  ['more left late than are above the share', 60, 0.5, 1],
  ['all may have left late', 100, 0.95, 0],
])('the latency that is known although requests left late: %s', (_, late, share, ms) => {
  expect(Math.round(latencyWithoutLate(hundred(), 'served', share, late))).toBe(ms);
});

test('errors count among all that was not throttled', () => {
  const { histogram } = hundred();
  const row = { histogram, errorsHistogram: histogram };
  expect(Math.round(latencyWithoutLate(row, undefined, 0.95, 100))).toBe(45);
});
