/** What the probe finds of limiters of libraries, and of limiters that are no single class. */

import type { LimitEstimate } from '../estimate/estimate.ts';
import * as library from './library-limiters.testkit.ts';
import { fixedWindow, slidingLog, tokenBucket, type TestLimiter } from './limiters.testkit.ts';
import { simulate } from './simulation.testkit.ts';

export const EPOCH_MS = 1_767_225_617_300;

/** What is found of a limiter; with the second seed the probe knows the clock of the service. */
export async function found(limiter: TestLimiter, seed: number): Promise<LimitEstimate> {
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

const UNNAMED: readonly (readonly [string, (seed: number) => TestLimiter])[] = [
  ['two workers, 10 in 10 s each', (s) => library.workersOf(2, () => fixedWindow(10, 10_000), s)],
  ['four workers, 5 in 10 s each', (s) => library.workersOf(4, () => fixedWindow(5, 10_000), s)],
  ['four workers with a bucket each', (s) => library.workersOf(4, () => tokenBucket(10, 2), s)],
  ['three workers with a log each', (s) => library.workersOf(3, () => slidingLog(20, 20_000), s)],
  ['a counter that is read each half second', () => library.sampledWindow(20, 10_000, 500)],
  ['a counter that is read every two seconds', () => library.sampledWindow(30, 30_000, 2000)],
];

/** Of the limiters that are no single class those that are named as one, with their seeds. */
export async function namedOfUnnamed(seeds: readonly number[]): Promise<string[]> {
  const named: string[] = [];
  for (const [name, make] of UNNAMED) {
    for (const seed of seeds) {
      const { kind } = await found(make(seed), seed);
      if (['identified', 'stacked', 'shaped'].includes(kind)) named.push(`${name}, seed ${seed}`);
    }
  }
  return named;
}
