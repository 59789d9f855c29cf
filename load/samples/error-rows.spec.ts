import { expect, test } from 'vitest';
import type { LoadErrorRow } from '../../contracts/run/load/load-run.ts';
import { addedErrors, ErrorRows } from './error-rows.ts';
import { LoadAccumulator } from './load-accumulator.ts';
import { planOf, sampleAt, scenarioOf, steady } from './sample.testkit.ts';

const failing = { fate: 'serverError', status: 503 } as const;

test('errors are reported by operation and reason, with the first and the last of each', () => {
  const rows = new ErrorRows();
  for (const dueMs of [1_000, 250, 3_500]) rows.add(sampleAt(dueMs, failing));
  rows.add(sampleAt(10, failing));
  rows.add(sampleAt(40, { ...failing, operation: 'zap.pools' }));
  rows.add(sampleAt(50, { fate: 'timeout', status: 0 }));
  rows.add(sampleAt(55, { fate: 'timeout', status: 0 }));
  rows.add(sampleAt(60, { fate: 'throttled', status: 503 }));
  rows.add(sampleAt(70));
  expect(rows.rows()).toEqual([
    { operation: 'zap.quote', ...failing, count: 4, firstSecond: 0.01, lastSecond: 3.5 },
    { operation: 'zap.quote', fate: 'timeout', count: 2, firstSecond: 0.05, lastSecond: 0.055 },
    { operation: 'zap.pools', ...failing, count: 1, firstSecond: 0.04, lastSecond: 0.04 },
  ]);
});

test('of a target that answers with any status, memory is bounded and no error is lost', () => {
  const rows = new ErrorRows();
  const accumulator = new LoadAccumulator(planOf(scenarioOf([steady(1_000, 1)])));
  for (let status = 300; status < 700; status += 1) {
    const fate = status < 500 ? 'clientError' : 'serverError';
    rows.add(sampleAt(status, { fate, status }));
    accumulator.sample(sampleAt(status, { fate, status }));
  }
  const kept = rows.rows();
  expect(kept.length).toBeLessThanOrEqual(202);
  expect(kept.reduce((sum, { count }) => sum + count, 0)).toBe(400);
  expect(kept[0]).toEqual({
    ...{ operation: 'zap.quote', fate: 'serverError', count: 200 },
    ...{ firstSecond: 0.5, lastSecond: 0.699 },
  });
  const { errors, byReason = {} } = accumulator.moments()[0] ?? { errors: 0 };
  expect(errors).toBe(400);
  expect(Object.keys(byReason).length).toBeLessThanOrEqual(13);
  expect(Object.values(byReason).reduce((sum, count) => sum + count, 0)).toBe(400);
});

test('a moment has its errors by reason, those of long moments too, and none without errors', () => {
  const accumulator = new LoadAccumulator(planOf(scenarioOf([steady(1, 1_300)])));
  accumulator.sample(sampleAt(100, failing));
  accumulator.sample(sampleAt(1_200, failing));
  accumulator.sample(sampleAt(1_300, { fate: 'reset', status: 0 }));
  accumulator.sample(sampleAt(1_299_000));
  const [first, ...others] = accumulator.moments();
  expect(first).toMatchObject({ errors: 3, byReason: { 503: 2, reset: 1 } });
  expect(others.every((moment) => !('byReason' in moment))).toBe(true);
});

test('rows of parts add up, those of rounds at their own times, and none are claimed of older records', () => {
  const row: LoadErrorRow = {
    ...{ operation: 'zap.quote', ...failing, count: 3, firstSecond: 2, lastSecond: 5 },
  };
  const other = { ...row, count: 1, firstSecond: 1, lastSecond: 4 };
  const loads = [{ errors: [row] }, { errors: [other] }];
  expect(addedErrors(loads).errors).toEqual([{ ...row, count: 4, firstSecond: 1 }]);
  expect(addedErrors(loads, (at) => 10 * at).errors).toEqual([
    { ...row, count: 4, firstSecond: 2, lastSecond: 14 },
  ]);
  expect(addedErrors([...loads, {}])).toEqual({});
});
