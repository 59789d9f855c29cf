import { expect, test } from 'vitest';
import { loadRow, loadStep } from '../contracts/run/load/load-run.testkit.ts';
import type { LoadStepRow } from '../contracts/run/load/load-run.ts';
import { keptUp } from './sustained.ts';

const stair = (offeredPerSecond: number, p50Ms: number, errors = 0): LoadStepRow =>
  loadStep({ ...loadRow({ served: 100 - errors, errors }, { p50Ms }), offeredPerSecond });

const whole = (): boolean => true;

test('the highest stair is kept that serves all, as fast as the lower ones', () => {
  expect(keptUp({ steps: [stair(25, 20), stair(50, 22), stair(75, 34)] }, whole)).toEqual({
    keptUpPerSecond: 75,
  });
  expect(keptUp({ steps: [stair(25, 20), stair(50, 22), stair(75, 40)] }, whole)).toEqual({
    keptUpPerSecond: 50,
  });
  expect(keptUp({ steps: [stair(25, 20), stair(50, 20, 2)] }, whole)).toEqual({
    keptUpPerSecond: 25,
  });
});

test('a stair that broke a threshold is none that is kept, however fast it was', () => {
  const steps = [stair(25, 20), stair(50, 20), stair(75, 20)];
  const breakpoint = { step: 2, thresholds: ['p99<1s'] };
  expect(keptUp({ steps, breakpoint }, whole)).toEqual({ keptUpPerSecond: 50 });
});

test('where no stair is kept no rate is, nor one above a stair that is not', () => {
  expect(keptUp({ steps: [stair(25, 20, 50)] }, whole)).toEqual({});
  expect(keptUp({ steps: [stair(25, 900, 5), stair(50, 20)] }, whole)).toEqual({});
  const steps = [stair(25, 20), stair(50, 20, 5), stair(75, 20)];
  expect(keptUp({ steps }, whole)).toEqual({ keptUpPerSecond: 25 });
});

test('a stair that was cut short after a few requests says nothing', () => {
  const steps = [stair(25, 20), stair(50, 22), stair(75, 20)];
  expect(keptUp({ steps }, (_, at) => at < 2)).toEqual({ keptUpPerSecond: 50 });
});
