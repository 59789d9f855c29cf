import { describe, expect, test } from 'vitest';
import * as limiters from './limiters.testkit.ts';
import type { LimiterClass } from '../models/index.ts';
import { simulate } from './simulation.testkit.ts';

const EPOCH_MS = 1_767_225_617_300;

interface Row {
  readonly limit: number;
  readonly windowSeconds: number;
}

const sets: readonly Row[] = [
  { limit: 20, windowSeconds: 10 },
  { limit: 50, windowSeconds: 60 },
  { limit: 100, windowSeconds: 60 },
  { limit: 30, windowSeconds: 15 },
  { limit: 120, windowSeconds: 300 },
];

const classes: readonly [LimiterClass, (row: Row) => limiters.TestLimiter][] = [
  ['fixed-window', ({ limit, windowSeconds: w }) => limiters.fixedWindow(limit, w * 1000)],
  [
    'clock-window',
    ({ limit, windowSeconds: w }) => limiters.clockWindow(limit, w * 1000, EPOCH_MS),
  ],
  ['sliding-log', ({ limit, windowSeconds: w }) => limiters.slidingLog(limit, w * 1000)],
  [
    'sliding-log-counting-rejects',
    ({ limit, windowSeconds: w }) => limiters.slidingLog(limit, w * 1000, true),
  ],
  [
    'sliding-counter',
    ({ limit, windowSeconds: w }) => limiters.slidingCounter(limit, w * 1000, EPOCH_MS),
  ],
  ['token-bucket', ({ limit, windowSeconds: w }) => limiters.tokenBucket(limit, limit / w)],
  ['penalty', ({ limit, windowSeconds: w }) => limiters.penalty(limit, w * 400, w * 1000)],
  ['restart-on-reject', ({ limit, windowSeconds: w }) => limiters.restartOnReject(limit, w * 1000)],
];

function probe(limiter: limiters.TestLimiter): ReturnType<typeof simulate> {
  return simulate({
    limiter,
    seed: 11,
    roundTripMs: 3,
    jitterMs: 1,
    retryAfter: 'honest',
    wall: { offsetMs: EPOCH_MS, uncertaintyMs: 10 },
  });
}

describe.each(classes)('%s', (name, make) => {
  test.each(sets)('$limit in $windowSeconds s', async (row) => {
    const { estimate } = await probe(make(row));
    expect(estimate.kind).toBe('identified');
    const [found] = estimate.classes;
    expect(found?.class).toBe(name);
    expect(found?.limit.value).toBe(row.limit);
    const seconds = found?.penaltySeconds ?? found?.windowSeconds;
    expect(seconds?.value).toBeGreaterThan(row.windowSeconds * 0.95);
    expect(seconds?.value).toBeLessThan(row.windowSeconds * 1.05);
  });
});

describe('interval refill', () => {
  test.each([
    [20, 5, 2],
    [50, 10, 6],
    [40, 8, 5],
    [30, 3, 1],
    [100, 20, 10],
  ])('%i, %i each %i s', async (capacity, refill, seconds) => {
    const { estimate } = await probe(limiters.intervalRefill(capacity, refill, seconds * 1000));
    const [found] = estimate.classes;
    expect(found?.class).toBe('interval-refill');
    expect(found?.refill?.value).toBe(refill);
    expect(found?.intervalSeconds?.value).toBeGreaterThan(seconds * 0.95);
    expect(found?.intervalSeconds?.value).toBeLessThan(seconds * 1.05);
  });
});

test.each([2, 4, 8])('concurrency of %i', async (limit) => {
  const { estimate } = await probe(limiters.concurrency(limit));
  expect(estimate).toMatchObject({
    kind: 'identified',
    classes: [{ class: 'concurrency', limit: { value: limit } }],
  });
});

test.each([12, 15])('concurrency of %i, where in most bursts one is done early', async (limit) => {
  const { estimate } = await probe(limiters.concurrency(limit));
  expect(estimate.classes.map((one) => one.class)).toEqual(['concurrency']);
  // The number let in varies, so that one less cannot be ruled out.
  const { lo = 0, hi = 0 } = estimate.classes[0]?.limit ?? {};
  expect([lo, hi]).toEqual([expect.toSatisfy((least) => least >= limit - 1) as number, limit]);
});

test.each([
  [10, 5],
  [5, 2],
  [20, 10],
  [1, 4],
  [40, 20],
])('a shaper of %i, then %i a second', async (burst, perSecond) => {
  const { estimate } = await probe(limiters.shaper(burst, perSecond));
  expect(estimate.kind).toBe('shaped');
  expect(estimate.refillPerSecond).toBeGreaterThan(perSecond * 0.9);
  expect(estimate.refillPerSecond).toBeLessThan(perSecond * 1.1);
});

test('no limit within the budget is said to be none within the budget', async () => {
  const { estimate, stopped } = await probe(limiters.unlimited());
  expect([estimate.kind, stopped]).toEqual(['unlimited-within-budget', 'max-requests']);
  expect(estimate.admittedInARow).toBe(1000);
});

describe('two limiters at once', () => {
  test('are what is seen of them: the inner one, exactly', async () => {
    const inner = limiters.fixedWindow(5, 1000);
    const outer = limiters.fixedWindow(100, 60_000);
    const { estimate } = await probe(limiters.stacked(inner, outer));
    if (estimate.kind === 'identified') {
      const [found] = estimate.classes;
      expect(found?.limit.value).toBe(5);
      expect(found?.windowSeconds?.value).toBeCloseTo(1, 1);
    } else expect(['composite', 'ambiguous']).toContain(estimate.kind);
  });

  test('that add up are never one class for sure', async () => {
    const rate = limiters.fixedWindow(2, 1000);
    const burst = limiters.fixedWindow(5, 10_000);
    const { estimate } = await probe(limiters.bursty(rate, burst));
    expect(['composite', 'ambiguous']).toContain(estimate.kind);
  });
});
