import { expect, test } from 'vitest';
import { loadOutcome } from '../contracts/run/load/load-outcome.ts';
import type { LoadCounts, LoadThreshold, RunLoad } from '../contracts/run/load/load-run.ts';
import { EXAMPLE_LOAD, loadRow } from '../contracts/run/load/load-run.testkit.ts';
import { withNeverServed } from './never-served.ts';

const GOOD: LoadThreshold = { expression: 'errors<5%', measured: 1, held: true };
const OFF: LoadThreshold = { expression: 'errors<=100%', measured: 1, held: true };

/** A load of which all but one operation came to the first counts. */
function loadWith(others: Partial<LoadCounts>, one: Partial<LoadCounts>): RunLoad {
  const { served = 0, errors = 0, throttled = 0 } = one;
  const whole = loadRow({
    served: (others.served ?? 0) + served,
    errors: (others.errors ?? 0) + errors,
    throttled: (others.throttled ?? 0) + throttled,
  });
  const row = { ...loadRow(one), operation: 'zap.chains', api: 'zap' } as const;
  const quote = { ...loadRow(others), operation: 'zap.quote', api: 'zap' } as const;
  return { ...EXAMPLE_LOAD, whole, operations: [quote, row], moments: [], violations: [] };
}

const added = (load: RunLoad, held: readonly LoadThreshold[] = [GOOD]): string[] =>
  withNeverServed(load, held)
    .slice(held.length)
    .map(({ expression }) => expression);

test('an operation that came to errors alone breaks a threshold, however rare it is', () => {
  const load = loadWith({ served: 900 }, { served: 0, errors: 5 });
  const thresholds = withNeverServed(load, [GOOD]);
  expect(thresholds).toEqual([
    GOOD,
    { expression: 'zap.chains:errors<100%', measured: 100, held: false },
  ]);
  expect(loadOutcome({ ...load, thresholds })).toBe('broken');
  // Held to it already, as of parts.
  expect(withNeverServed(load, thresholds)).toEqual(thresholds);
});

test.each<[string, Partial<LoadCounts>, Partial<LoadCounts>]>([
  ['it was asked for less than five times', { served: 900 }, { served: 0, errors: 4 }],
  ['one was served', { served: 900 }, { served: 1, errors: 9 }],
  ['it was throttled', { served: 900 }, { served: 0, throttled: 9 }],
  ['most of the others failed', { served: 100, errors: 300 }, { served: 0, errors: 5 }],
])('it breaks none if %s', (_, others, one) => {
  expect(added(loadWith(others, one))).toEqual([]);
});

test('it breaks one if nothing at all was served', () => {
  const load = loadWith({ served: 0, errors: 3 }, { served: 0, errors: 5 });
  expect(added(load)).toEqual(['zap.chains:errors<100%']);
});

test('errors that are switched off break none, and leave the run undecided', () => {
  const load = loadWith({ served: 900 }, { served: 0, errors: 8 });
  expect(added(load, [OFF])).toEqual([]);
  expect(added(load, [{ ...OFF, expression: 'zap.chains:errors<=100%' }])).toEqual([]);
  expect(added(load, [{ ...OFF, expression: 'zap.quote:errors<=100%' }])).toHaveLength(1);
  expect(added(load, [{ ...OFF, expression: 'errors<=100' }])).toHaveLength(1);
  expect(loadOutcome({ ...load, thresholds: [OFF] })).toBe('unserved');
});
