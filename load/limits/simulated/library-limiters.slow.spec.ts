import { describe, expect, test } from 'vitest';
import { EPOCH_MS, found, namedOfUnnamed } from './library-found.testkit.ts';
import * as library from './library-limiters.testkit.ts';
import type { TestLimiter } from './limiters.testkit.ts';
import type { LimiterClass } from '../models/index.ts';

/** Of these only the second has the clock of the service. */
const SEEDS = [1, 2];

interface Row {
  readonly name: string;
  readonly make: (seed: number) => TestLimiter;
  readonly class: LimiterClass;
  readonly limit: number;
  /** The window, or where tokens come at once their interval. */
  readonly seconds: number;
  readonly refill?: number;
}

const { requestRate, wholeSeconds, alignedRefill, wholeTokens } = library;
const counting = { class: 'sliding-counter-counting-rejects' } as const;
const fixed = { class: 'fixed-window' } as const;
const refilled = { class: 'interval-refill' } as const;

const NAMED: readonly Row[] = [
  { ...counting, name: 'a rate', make: () => requestRate(20, 10_000), limit: 20, seconds: 10 },
  { ...counting, name: 'a quick rate', make: () => requestRate(50, 5000), limit: 50, seconds: 5 },
  {
    ...fixed,
    name: 'ten in five whole seconds',
    make: (seed) => wholeSeconds(10, 5, EPOCH_MS + 137 * seed),
    limit: 10,
    seconds: 5,
  },
  {
    ...fixed,
    name: 'twenty in ten whole seconds',
    make: (seed) => wholeSeconds(20, 10, EPOCH_MS + 237 * seed),
    limit: 20,
    seconds: 10,
  },
  {
    ...refilled,
    name: 'refills on a clock of their own',
    make: (seed) => alignedRefill(20, 5, 2000, -730 * seed),
    limit: 20,
    seconds: 2,
    refill: 5,
  },
  {
    ...refilled,
    name: 'tokens by the clock of whole seconds',
    make: (seed) => alignedRefill(20, 4, 1000, -137 * seed),
    limit: 20,
    seconds: 1,
    refill: 4,
  },
  {
    name: 'a whole bucket on a clock of its own',
    class: 'clock-window',
    make: (seed) => alignedRefill(10, 10, 5000, -1730 * seed),
    limit: 10,
    seconds: 5,
  },
  {
    name: 'whole tokens',
    class: 'token-bucket',
    make: () => wholeTokens(20, 1000),
    limit: 20,
    seconds: 20,
  },
];

describe.each(NAMED)('$name', (row) => {
  test.each(SEEDS)('is never called what it is not (seed %i)', async (seed) => {
    const estimate = await found(row.make(seed), seed);
    const one = estimate.classes.find((other) => other.class === row.class);
    // Where it is not named, it is among what is left.
    expect(one).toBeDefined();
    expect(one?.limit.lo).toBeLessThanOrEqual(row.limit);
    expect(one?.limit.hi).toBeGreaterThanOrEqual(row.limit);
    if (estimate.kind !== 'identified') return;
    expect(one?.limit.value).toBe(row.limit);
    const seconds = (one?.intervalSeconds ?? one?.windowSeconds)?.value ?? 0;
    expect(Math.abs(seconds / row.seconds - 1)).toBeLessThan(0.05);
    if (row.refill !== undefined) expect(one?.refill?.value).toBe(row.refill);
  });
});

test('of limiters that are no single class hardly one is named as one', async () => {
  // More seeds: the calibration.
  const named = await namedOfUnnamed([1]);
  expect(named.length, named.join('; ')).toBeLessThanOrEqual(1);
});
