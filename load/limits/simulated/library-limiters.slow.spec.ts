import { describe, expect, test } from 'vitest';
import type { LimitEstimate } from '../estimate/estimate.ts';
import * as library from './library-limiters.testkit.ts';
import { fixedWindow, slidingLog, tokenBucket, type TestLimiter } from './limiters.testkit.ts';
import type { LimiterClass } from '../models/index.ts';
import { simulate } from './simulation.testkit.ts';

const EPOCH_MS = 1_767_225_617_300;
const SEEDS = [1, 2, 3];

async function found(limiter: TestLimiter, seed: number): Promise<LimitEstimate> {
  const { estimate } = await simulate({
    limiter,
    seed,
    roundTripMs: 2 + 3 * seed,
    jitterMs: 1,
    retryAfter: 'none',
    budget: { maxSeconds: 900, maxRequests: 300 },
    ...(seed === 2 ? { wall: { offsetMs: EPOCH_MS, uncertaintyMs: 10 } } : {}),
  });
  return estimate;
}

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

const UNNAMED: readonly (readonly [string, (seed: number) => TestLimiter])[] = [
  ['two workers, 10 in 10 s each', (s) => library.workersOf(2, () => fixedWindow(10, 10_000), s)],
  ['four workers, 5 in 10 s each', (s) => library.workersOf(4, () => fixedWindow(5, 10_000), s)],
  ['four workers with a bucket each', (s) => library.workersOf(4, () => tokenBucket(10, 2), s)],
  ['three workers with a log each', (s) => library.workersOf(3, () => slidingLog(20, 20_000), s)],
  ['a counter that is read each half second', () => library.sampledWindow(20, 10_000, 500)],
  ['a counter that is read every two seconds', () => library.sampledWindow(30, 30_000, 2000)],
];

/** Seeds of each: one in thirty behaves by chance as a single class does, for as long as it is asked. */
const TRIED = 3;

test('of limiters that are no single class hardly one is named as one', async () => {
  const named: string[] = [];
  for (const [name, make] of UNNAMED) {
    for (let seed = 1; seed <= TRIED; seed += 1) {
      const { kind } = await found(make(seed), seed);
      if (['identified', 'stacked', 'shaped'].includes(kind)) named.push(`${name}, seed ${seed}`);
    }
  }
  expect(named.length, named.join('; ')).toBeLessThanOrEqual(2);
});
