import { describe, expect, test } from 'vitest';
import type { ClassEstimate } from '../../limits/index.ts';
import { predictedLevels } from './predict.ts';
import { EPOCH_MS, reported } from '../reported.testkit.ts';

describe('the model of the plot', () => {
  const at = (value: number) => ({ value, lo: value, hi: value });
  const base = { probability: 1, limit: at(2), windowSeconds: at(10) };
  const events = [0, 100, 200].map((ms) => reported(ms < 200 ? 200 : 429, ms, { tripMs: 1 }));
  const recovered = [...events, reported(200, 12_000, { tripMs: 1 })];
  const leftAt = (model: ClassEstimate, seconds: number): number | undefined =>
    predictedLevels(model, recovered)
      .filter(({ atMs }) => atMs <= EPOCH_MS + seconds * 1000)
      .at(-1)?.left;

  test.each<[ClassEstimate, number, number]>([
    [{ ...base, class: 'fixed-window' }, 9, 0],
    [{ ...base, class: 'fixed-window' }, 11, 2],
    [{ ...base, class: 'sliding-log' }, 10.06, 1],
    [{ ...base, class: 'sliding-log-counting-rejects' }, 10.06, 0],
    [{ ...base, class: 'restart-on-reject' }, 10.1, 0],
    [{ ...base, class: 'token-bucket', refillPerSecond: at(0.5) }, 3, 1],
    [{ ...base, class: 'penalty', penaltySeconds: at(5) }, 4, 0],
    [{ ...base, class: 'penalty', penaltySeconds: at(5) }, 6, 2],
  ])('%o at %d s has %d left', (model, seconds, left) => {
    expect(leftAt(model, seconds)).toBe(left);
  });
});
