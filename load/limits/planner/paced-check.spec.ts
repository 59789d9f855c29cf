import { describe, expect, test } from 'vitest';
import type { ClassEstimate } from '../estimate/estimate.ts';
import { logAhead, windowAhead } from '../models/ahead.ts';
import { pacedSteps, wasAsPaced } from './paced-check.ts';
import type { ProbeEvent } from '../transcript.ts';

const found = (value: number, hi = 10): ClassEstimate => ({
  class: 'fixed-window',
  probability: 1,
  limit: { value, lo: value, hi: value },
  windowSeconds: { value: 10, lo: 9.9, hi },
});

describe('a client that keeps below the limit', () => {
  const present = { limit: 10, windowMs: 10_000, onReject: 'nothing' } as const;

  test('takes more than a window, and begins with the next one where this one is used up', () => {
    const steps = pacedSteps(found(10), 5000, windowAhead({ ...present, endMs: 7000, left: 0 }));
    expect(steps).toHaveLength(11);
    expect(steps.every(({ count }) => count === 1)).toBe(true);
    expect(steps[0]?.atMs).toBe(7000);
    expect((steps[1]?.atMs ?? 0) - 7000).toBeCloseTo(1100);
    // No window of ten seconds holds more than ten of them.
    expect((steps[10]?.atMs ?? 0) - (steps[0]?.atMs ?? 0)).toBeGreaterThan(10_000);
  });

  test('begins at once where enough is left until then', () => {
    const steps = pacedSteps(found(10), 5000, windowAhead({ ...present, endMs: 7000, left: 5 }));
    expect(steps[0]?.atMs).toBeCloseTo(6100);
  });

  test('does not wait for the last of what it used where it gets through before', () => {
    // Half of them a window ago, half later: the second half is back when it comes to them.
    const counted = [0, 0, 0, 0, 0, 5000, 5000, 5000, 5000, 5000];
    const steps = pacedSteps(found(10), 9000, logAhead(10, 10_000, counted, false));
    expect(steps[0]?.atMs).toBeLessThan(11_000);
  });

  test('sends a bounded number of requests', () => {
    expect(pacedSteps(found(1), 0)).toHaveLength(4);
    expect(pacedSteps(found(5), 0)).toHaveLength(8);
    expect(pacedSteps(found(600), 0)).toHaveLength(33);
    // Fewer would tell nothing of a window that each request restarts.
    expect(pacedSteps({ ...found(100), class: 'restart-on-reject' }, 0).length).toBeGreaterThan(
      100,
    );
  });

  test('is twice as slow as the shortest window of a penalty asks for, and within the longest', () => {
    const penalty = { ...found(10), class: 'penalty' } as const;
    const spacingMs = (hi: number): number => {
      const [first, second] = pacedSteps({ ...penalty, windowSeconds: { value: 1, lo: 1, hi } }, 0);
      return (second?.atMs ?? 0) - (first?.atMs ?? 0);
    };
    expect(spacingMs(600)).toBeCloseTo(220);
    expect(spacingMs(1.2)).toBeCloseTo(132);
  });

  test('is none of a limit on requests at once', () => {
    expect(pacedSteps({ ...found(4), class: 'concurrency' }, 0)).toEqual([]);
  });
});

describe('what was admitted already', () => {
  const burst = (count: number, atMs: number): ProbeEvent[] =>
    Array.from({ length: count }, () => ({
      sentMs: atMs,
      receivedMs: atMs + 10,
      outcome: 'admitted',
    }));

  test('is as much as of two such clients where the limit was used up three times in a row', () => {
    const events = [...burst(10, 0), ...burst(11, 10_500), ...burst(11, 21_000)];
    expect(wasAsPaced(found(10), events)).toBe(true);
    // Two runs in a row may leave a wider limit unmet that the client would meet.
    expect(wasAsPaced(found(10), events.slice(0, 21))).toBe(false);
  });

  test('may have come at half the pace', () => {
    const events = [...burst(10, 0), ...burst(11, 25_000), ...burst(11, 60_000)];
    expect(wasAsPaced(found(10), events)).toBe(true);
  });

  test('is less when one is missing, or it took too long', () => {
    const runs = [...burst(10, 0), ...burst(11, 10_500)];
    expect(wasAsPaced(found(10), [...runs, ...burst(10, 21_000)])).toBe(false);
    expect(wasAsPaced(found(10), [...runs, ...burst(11, 72_000)])).toBe(false);
  });

  test('of a great limit is enough after two runs, as such a client sends but a part of it', () => {
    expect(wasAsPaced(found(200), [...burst(200, 0), ...burst(200, 10_500)])).toBe(true);
  });

  test('tells that admissions restart no window once more than the limit came soon one after another', () => {
    const restarts = { ...found(10), class: 'restart-on-reject' } as const;
    const runs = [0, 10_500, 21_000, 31_500].flatMap((atMs) => burst(10, atMs));
    expect(wasAsPaced(restarts, runs)).toBe(false);
    const each = (ms: number): ProbeEvent[] => [0, 1, 2, 3, 4].flatMap((at) => burst(2, at * ms));
    expect(wasAsPaced(restarts, [...each(9000), ...burst(1, 45_000)])).toBe(true);
    expect(wasAsPaced(restarts, [...each(9000), ...burst(1, 46_000)])).toBe(false);
    const rejected = burst(1, 37_000).map((one) => ({ ...one, outcome: 'rejected' as const }));
    expect(wasAsPaced(restarts, [...each(9000), ...rejected, ...burst(1, 45_000)])).toBe(false);
  });

  test('never teaches the window of a penalty', () => {
    const events = [...burst(10, 0), ...burst(11, 10_500), ...burst(11, 21_000)];
    expect(wasAsPaced({ ...found(10), class: 'penalty' }, events)).toBe(false);
  });
});

test('a client that a penalty is to meet keeps to twice the shortest time in which it may count', () => {
  const spacingMs = (one: ClassEstimate): number => {
    const [first, second] = pacedSteps(one, 0);
    return (second?.atMs ?? 0) - (first?.atMs ?? 0);
  };
  const wide = { ...found(10, 20), windowSeconds: { value: 10, lo: 5, hi: 20 } };
  expect(spacingMs({ ...wide, class: 'penalty' })).toBeCloseTo(1100);
  expect(spacingMs(wide)).toBeCloseTo(2200);
});
