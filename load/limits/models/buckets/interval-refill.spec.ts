import { expect, test } from 'vitest';
import type { ProbeEvent } from '../../transcript.ts';
import { intervalRefill as limiterOf } from '../../simulated/limiters.testkit.ts';
import { intervalRefill } from './interval-refill.ts';
import type { Candidate, Tracker } from '../model.ts';
import { track } from '../track.ts';

const TRIP_MS = 4;

function event(atMs: number, outcome: ProbeEvent['outcome'], remaining?: number): ProbeEvent {
  const report = remaining === undefined ? {} : { report: { remaining } };
  return { sentMs: atMs, receivedMs: atMs + TRIP_MS, outcome, ...report };
}

/** Twenty at once, then none; five come each 2 s. Asked once after 2.1 s, when `left` are reported. */
function afterOne(left?: number): readonly Candidate[] {
  const burst = Array.from({ length: 20 }, (_, index) => event(index * 10, 'admitted'));
  const seen = [...burst, event(200, 'rejected'), event(2100, 'admitted', left)];
  return seen.reduce<Tracker>((now, one) => now.observe(one), track(intervalRefill)).candidates();
}

const refills = (all: readonly Candidate[]): number[] => [
  ...new Set(all.flatMap(({ refill }) => (refill?.lo === refill?.hi ? [refill?.lo ?? 0] : []))),
];

const likeliest = (all: readonly Candidate[]): readonly Candidate[] => {
  const most = Math.max(...all.map(({ likelihood = 1 }) => likelihood));
  return all.filter(({ likelihood = 1 }) => likelihood > 0.2 * most);
};

test('what the service says is left tells the refill', () => {
  const likely = likeliest(afterOne(4)).filter(({ refill }) => (refill?.hi ?? 0) > 4);
  expect(refills(likely)).toEqual([5]);
  expect(refills(afterOne())).not.toContain(5);
});

test('that it says something wrong stays possible, and is unlikely', () => {
  const other = afterOne(4).filter(({ left }) => left?.lo !== 4);
  expect(other.length).toBeGreaterThan(0);
  for (const { likelihood = 1 } of other) expect(likelihood).toBeLessThan(0.1);
});

test('the first request may have been made good before others come while more are sent', () => {
  const limiter = limiterOf(10, 1, 500);
  const atMs = [0, ...Array.from({ length: 15 }, (_, index) => 1400 + 110 * index)];
  const seen = atMs.map((ms) =>
    event(ms, limiter.decide(ms, ms).admitted ? 'admitted' : 'rejected'),
  );
  // The first one, ten more, and those of 1500, 2000 and 2500 ms.
  expect(seen.findIndex(({ outcome }) => outcome === 'rejected')).toBe(14);
  const left = seen
    .slice(0, 15)
    .reduce<Tracker>((now, one) => now.observe(one), track(intervalRefill))
    .candidates();
  const isTrue = ({ limit, refill, timeMs }: Candidate): boolean =>
    contains(limit, 10) && contains(refill, 1) && contains(timeMs, 500);
  expect(left.some(isTrue)).toBe(true);
});

function contains(interval: Candidate['refill'], value: number): boolean {
  return interval !== undefined && interval.lo <= value && interval.hi >= value;
}
