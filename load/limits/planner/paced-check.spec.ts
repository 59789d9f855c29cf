import { expect, test } from 'vitest';
import type { ClassEstimate } from '../estimate/estimate.ts';
import { pacedSteps } from './paced-check.ts';

const found = (value: number, hi: number): ClassEstimate => ({
  class: 'fixed-window',
  share: 1,
  limit: { value, lo: value, hi: value },
  windowSeconds: { value: 10, lo: 9.9, hi },
});

test('a client that keeps below the limit takes more than a window, and begins with a full one', () => {
  const steps = pacedSteps(found(10, 10), 5000, 7000);
  expect(steps).toHaveLength(11);
  expect(steps.every(({ count }) => count === 1)).toBe(true);
  expect(steps[0]?.atMs).toBe(7000);
  expect((steps[1]?.atMs ?? 0) - 7000).toBeCloseTo(1100);
  // No window of ten seconds holds more than ten of them.
  expect((steps[10]?.atMs ?? 0) - (steps[0]?.atMs ?? 0)).toBeGreaterThan(10_000);
});

test('its requests are bounded both ways', () => {
  expect(pacedSteps(found(2, 10), 0, 0)).toHaveLength(8);
  expect(pacedSteps(found(600, 10), 0, 0)).toHaveLength(33);
});

test('of a limit on requests at once there is none', () => {
  expect(pacedSteps({ ...found(4, 10), class: 'concurrency' }, 0, 0)).toEqual([]);
});
