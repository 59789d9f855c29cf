import { describe, expect, test } from 'vitest';
import type { ProbeEvent } from '../transcript.ts';
import { countedRuns } from './failed-run.ts';
import { allTrackers } from './index.ts';
import type { LimiterClass, Tracker } from './model.ts';

const at = (index: number, outcome: ProbeEvent['outcome']): ProbeEvent => ({
  sentMs: 10 * index,
  receivedMs: 10 * index + 4,
  outcome,
});

/** A run of admissions in which each fourth request failed. */
const failing = (length: number): ProbeEvent[] =>
  Array.from({ length }, (_, index) => at(index, index % 4 === 3 ? 'failed' : 'admitted'));

const afterAll = (name: LimiterClass, events: readonly ProbeEvent[]): Tracker | undefined =>
  events.reduce(
    (now, event) => now?.observe(event),
    allTrackers().find((one) => one.class === name),
  );

describe('of requests that failed before the first rejection', () => {
  test('none, all, or nearly so many are taken to have been counted', () => {
    const ways = countedRuns(failing(80));
    expect(ways.map(({ counted }) => counted.length)).toEqual([
      60, 61, 62, 63, 64, 76, 77, 78, 79, 80,
    ]);
    expect(ways.map(({ isAlike }) => isAlike)).toEqual([
      true,
      ...Array.from({ length: 8 }, () => false),
      true,
    ]);
  });

  test.each(['sliding-counter', 'interval-refill'] as const)(
    '%s: many leave no more than a few, and the limit with all or none of them counted',
    (name) => {
      const events = [...failing(400), at(400, 'rejected')];
      const left = afterAll(name, events);
      const limits = (left?.candidates() ?? []).map(({ limit }) => limit);
      const holds = (value: number): boolean =>
        limits.some(({ lo, hi }) => lo <= value && value <= hi);
      expect([holds(300), holds(400)]).toEqual([true, true]);
      expect(left?.cut).toBe(false);
    },
  );

  test.each([
    'sliding-counter',
    'sliding-counter-counting-rejects',
    'interval-refill',
    'clock-window',
  ] as const)('%s: what is followed is bounded, whatever comes afterwards', (name) => {
    const outcomes = ['admitted', 'failed', 'rejected', 'admitted', 'admitted'] as const;
    const later = Array.from({ length: 30 }, (_, index) => ({
      ...at(0, outcomes[(index * index) % 5] ?? 'admitted'),
      sentMs: 2000 + 700 * index,
      receivedMs: 2004 + 700 * index,
    }));
    let now = afterAll(name, [...failing(40), at(40, 'rejected')]);
    let most = 0;
    for (const event of later) {
      now = now?.observe(event);
      most = Math.max(most, now?.candidates().length ?? 0);
    }
    expect(most).toBeLessThanOrEqual(200);
  });
});
