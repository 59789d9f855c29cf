import { describe, expect, test } from 'vitest';
import type { ClassEstimate } from '../../limits/index.ts';
import { secondsUntilFull } from './full-bucket.ts';

const WEEK_SECONDS = 7 * 86_400;
const at = (value: number, lo = value, hi = value) => ({ value, lo, hi });

function full(...classes: Omit<ClassEstimate, 'probability' | 'limit'>[]): number | undefined {
  const described = classes.map((one) => ({
    probability: 1 / classes.length,
    limit: at(20),
    ...one,
  }));
  return secondsUntilFull({
    estimate: {
      kind: 'ambiguous',
      classes: described,
      confidence: 0.5,
      mismatches: [],
      admittedInARow: 20,
    },
    transcript: { events: [] },
    stopped: 'max-seconds',
    requests: 21,
    rejects: 1,
    seconds: 1,
  });
}

describe('a bucket is full again', () => {
  test('after the longest window that is left', () => {
    const window = { class: 'fixed-window', windowSeconds: at(10, 9, 11) } as const;
    const counter = { class: 'sliding-counter', windowSeconds: at(7, 6, 8) } as const;
    expect(full(window)).toBe(11);
    expect(full(window, counter)).toBe(16);
  });

  test('after its refills, and the one that is under way', () => {
    const refills = { class: 'interval-refill', windowSeconds: at(10), intervalSeconds: at(2) };
    expect(full(refills as Omit<ClassEstimate, 'probability' | 'limit'>)).toBe(12);
    expect(full({ class: 'concurrency' })).toBe(0);
  });

  // A week for each of 21 tokens is the 147 days that a probe once slept.
  test.each([WEEK_SECONDS, 21 * WEEK_SECONDS, Infinity])(
    'nobody knows when, where nothing was seen to end: no wait of %d s',
    (hi) => {
      expect(full({ class: 'token-bucket', windowSeconds: at(10, 9, hi) })).toBe(Infinity);
    },
  );

  test('after a block, though nobody knows in which time was counted before it', () => {
    const block = { class: 'penalty', penaltySeconds: at(60, 59, 61) } as const;
    expect(full({ ...block, windowSeconds: at(0.2, 0.2, WEEK_SECONDS) })).toBe(122);
  });
});
