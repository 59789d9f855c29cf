import { expect, test } from 'vitest';
import type { LimiterClass } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';
import { conclude } from './estimate.ts';
import { lostClasses } from './lost-classes.ts';
import { prior, type Posterior } from './posterior.ts';

const events = Array.from('+++-++-', (sign, at): ProbeEvent => {
  const outcome = sign === '+' ? 'admitted' : 'rejected';
  return { sentMs: 1000 * at, receivedMs: 1000 * at + 4, outcome };
});

/** Nothing that was followed explains the events. */
function left(...lost: readonly LimiterClass[]): Posterior {
  return { ...prior(), transcript: { events }, trackers: [], lost: new Set(lost) };
}

test('where one could not be followed, it may be the limiter, and no more is known of it', () => {
  const { kind, classes, confidence } = conclude(left('sliding-counter', 'interval-refill'));
  expect([kind, confidence]).toEqual(['ambiguous', 0]);
  expect(classes.map((one) => one.class)).toEqual(['sliding-counter', 'interval-refill']);
  for (const { limit, windowSeconds, probability } of classes) {
    expect([limit.lo, limit.hi, probability]).toEqual([1, 3, 0.5]);
    expect(windowSeconds?.lo).toBeLessThan(1);
    expect(windowSeconds?.hi).toBeGreaterThan(86_400);
  }
});

test('where all were followed, no single class explains it', () => {
  expect(conclude(left())).toMatchObject({ kind: 'composite', classes: [] });
});

test('each class is told with the times that it has', () => {
  const names = ['token-bucket', 'interval-refill', 'penalty', 'fixed-window'] as const;
  const [bucket, refill, penalty, window] = lostClasses(left(...names), 9);
  expect(bucket?.refillPerSecond).toBeDefined();
  expect([refill?.refill?.hi, refill?.intervalSeconds?.lo]).toEqual([9, 0.2]);
  expect(penalty?.penaltySeconds).toBeDefined();
  expect(window).not.toHaveProperty('refillPerSecond');
});
