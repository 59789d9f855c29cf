import { expect, test } from 'vitest';
import { chanceOf } from '../../../../fixtures/known-limiters/chance.ts';
import { limiterOf } from '../../../../fixtures/known-limiters/limiter-of.ts';
import type { Limiter } from '../../../../fixtures/known-limiters/limiter.ts';
import { drawLimiter, type Drawn } from './draw-limiter.ts';
import { drawService } from './draw.ts';

const SEEDS = Array.from({ length: 400 }, (_, index) => index + 1);
const PHASE_MS = -1234;
const BUSY_MS = 50;

const drawn: readonly Drawn[] = SEEDS.map((seed) => drawLimiter(chanceOf(seed)));

const make = ({ truth, habits }: Drawn): Limiter =>
  limiterOf(truth, { phaseMs: PHASE_MS, ...habits });

/** How many are admitted at once, and the wait that the first rejection announces. */
function exhaust(limiter: Limiter): { readonly admitted: number; readonly waitMs: number } {
  for (let admitted = 0; admitted < 3000; admitted += 1) {
    const answer = limiter.decide(0, BUSY_MS);
    if (!answer.admitted) return { admitted, waitMs: answer.waitMs };
  }
  throw new Error('no limit within 3000 requests');
}

test('each class admits its limit at once, or of stacked ones that of the inner', () => {
  for (const one of drawn) {
    const { truth } = one;
    const { limit } = truth.parts?.[0] ?? truth;
    expect(exhaust(make(one)).admitted, JSON.stringify(truth)).toBe(limit);
  }
});

test('a request is admitted once the wait is over, and not before', () => {
  for (const one of drawn) {
    const { truth } = one;
    if (truth.class === 'concurrency') continue;
    const [early, due] = [make(one), make(one)];
    const { waitMs } = exhaust(early);
    exhaust(due);
    const reported = JSON.stringify({ truth, waitMs });
    expect(early.decide(waitMs * 0.999 - 0.01, BUSY_MS).admitted, reported).toBe(false);
    expect(due.decide(waitMs * 1.001 + 0.01, BUSY_MS).admitted, reported).toBe(true);
  }
});

test('the same seed draws the same service, and another one another', () => {
  const plain = (seed: number): string => JSON.stringify(drawService(seed));
  expect(plain(7)).toBe(plain(7));
  expect(new Set(SEEDS.map(plain)).size).toBe(SEEDS.length);
});

test('values are spread evenly by their logarithm, and only some are round', () => {
  const services = SEEDS.map(drawService);
  const share = (is: (one: (typeof services)[number]) => boolean): number =>
    services.filter(is).length / services.length;
  expect(share(({ truth }) => truth.class === 'stacked')).toBeGreaterThan(0.05);
  expect(share(({ truth }) => truth.class === 'stacked')).toBeLessThan(0.16);
  expect(share(({ truth: { seconds = 0 } }) => seconds < 30)).toBeGreaterThan(0.2);
  expect(share(({ truth: { seconds = 0 } }) => seconds > 300)).toBeGreaterThan(0.2);
  expect(share(({ truth: { seconds = 0.1 } }) => Number.isInteger(seconds))).toBeLessThan(0.5);
  expect(share(({ latencyMs }) => latencyMs > 40)).toBeGreaterThan(0.1);
  expect(share(({ failing }) => failing > 0)).toBeGreaterThan(0.1);
});

test('asking while rejected puts recovery off in the classes that count or restart, and in no other', () => {
  const putOff = new Set([
    'restart-on-reject',
    'sliding-log-counting-rejects',
    'sliding-counter-counting-rejects',
  ]);
  for (const one of drawn) {
    const { truth } = one;
    if (truth.class === 'concurrency' || truth.parts !== undefined) continue;
    const limiter = make(one);
    const { waitMs } = exhaust(limiter);
    for (let count = 0; count < truth.limit; count += 1) limiter.decide(waitMs / 2, BUSY_MS);
    const { admitted } = limiter.decide(waitMs * 1.001 + 0.01, BUSY_MS);
    expect(admitted, JSON.stringify(truth)).toBe(!putOff.has(truth.class));
  }
});
