import { expect, test } from 'vitest';
import type { LoadRow } from '../../contracts/run/load/load-run.ts';
import { loadRow } from '../../contracts/run/load/load-run.testkit.ts';
import { sampleAt } from './sample.testkit.ts';
import { LatencyHistogram } from './latency-histogram.ts';
import { latencyWithoutLate, PartAccumulator } from './counts.ts';

/** A hundred answers, of 1 to 100 ms. */
function hundred(): Parameters<typeof latencyWithoutLate>[0] {
  const histogram = LatencyHistogram.create();
  for (let ms = 1; ms <= 100; ms += 1) histogram.record(ms);
  return { histogram: histogram.encode(), counts: loadRow({ failed: 100 }).counts };
}

test.each([
  ['none left late', 0, 0.95, 95],
  ['ten left late: they may be the ten slowest', 10, 0.95, 85],
  ['more left late than are below the share', 60, 0.5, 0],
  ['all may have left late', 100, 0.95, 0],
])('the latency that is known although requests left late: %s', (_, late, share, ms) => {
  expect(Math.round(latencyWithoutLate(hundred(), 'served', share, late))).toBe(ms);
});

test('errors are slower than all of them', () => {
  expect(Math.round(latencyWithoutLate(hundred(), undefined, 0.95, 100))).toBe(90);
});

test('errors come after all that was served, however soon they came', () => {
  const accumulator = new PartAccumulator();
  // As fast errors as slow answers: 40 of 1,000 each.
  for (let at = 0; at < 1000; at += 1) {
    const took = at < 40 ? 3000 : 10;
    accumulator.add(at < 960 ? sampleAt(0, { endMs: took }) : sampleAt(0, { fate: 'serverError' }));
  }
  const { allLatency, latency } = accumulator.row(1000);
  expect(latency.p95Ms).toBeCloseTo(10, 1);
  const { p50Ms, p75Ms, p90Ms, worstMs } = latency;
  expect(allLatency).toEqual({ count: 1000, p50Ms, p75Ms, p90Ms, p95Ms: worstMs });
});

test('an error more than may be slower is beyond, and one that may be is not', () => {
  const row = (errors: number): LoadRow => {
    const accumulator = new PartAccumulator();
    for (let at = 0; at < 100; at += 1)
      accumulator.add(sampleAt(0, at < errors ? { fate: 'reset' } : { endMs: at }));
    return accumulator.row(100);
  };
  const upTo90 = ['count', 'p50Ms', 'p75Ms', 'p90Ms'];
  expect(Object.keys(row(1).allLatency ?? {})).toEqual([...upTo90, 'p95Ms', 'p99Ms']);
  expect(row(1).allLatency?.p99Ms).toBe(row(1).latency.worstMs);
  expect(Object.keys(row(2).allLatency ?? {})).toEqual([...upTo90, 'p95Ms']);
  expect(row(100).allLatency).toEqual({ count: 100 });
});
