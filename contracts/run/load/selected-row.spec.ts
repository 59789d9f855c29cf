import { expect, test } from 'vitest';
import type { LoadThreshold } from './load-run.ts';
import { EXAMPLE_LOAD, loadStep } from './load-run.testkit.ts';
import { measuredWords, selectedRow } from './selected-row.ts';

const words = (expression: string, rest: Partial<LoadThreshold> = {}): string =>
  measuredWords({ expression, held: false, ...rest });

test('what was measured is said with its unit, and with why that breaks a threshold', () => {
  expect(words('p99<1s', { measured: 1.23456 })).toBe('was 1.235 s');
  expect(words('rate>=100/s', { measured: 90 })).toBe('was 90/s');
  expect(words('violations==0', { measured: 3 })).toBe('was 3 violations');
  expect(words('p99.9<2s', { beyond: true })).toBe(
    'was beyond any bound, as more failed than may be slower',
  );
  expect(words('recovery<2x', { measured: 15, withinChance: true })).toContain('within chance');
});

test('of several steps of one name none is meant', () => {
  const steps = ['a', 'b', 'a'].map((name) => loadStep({ name }));
  expect(selectedRow({ ...EXAMPLE_LOAD, steps }, { step: 'a' })).toBeUndefined();
  expect(selectedRow({ ...EXAMPLE_LOAD, steps }, { step: 'b' })?.row).toBe(steps[1]);
});

test('if nothing is known it is said whether the limiter was measured', () => {
  expect(words('drift<2x', { limiter: { throttled: 20, sent: 100 } })).toBe(
    'not known, as 20 of 100 requests were throttled',
  );
  expect(words('p99{step:usual}<1s')).toBe('nothing was measured');
});
