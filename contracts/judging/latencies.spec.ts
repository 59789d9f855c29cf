import { expect, test } from 'vitest';
import { Latencies } from './latencies.ts';

test('percentiles are latencies that were measured, by nearest rank', () => {
  const latencies = new Latencies();
  for (let ms = 100; ms >= 1; ms -= 1) latencies.add('zap.quote', ms);
  latencies.add('zap.pools', 7.5);
  expect(latencies.rows()).toEqual([
    { operation: 'zap.quote', count: 100, p50Ms: 50, p95Ms: 95, p99Ms: 99, worstMs: 100 },
    { operation: 'zap.pools', count: 1, p50Ms: 7.5, p95Ms: 7.5, p99Ms: 7.5, worstMs: 7.5 },
  ]);
});

test('nothing measured is no row', () => {
  expect(new Latencies().rows()).toEqual([]);
});
