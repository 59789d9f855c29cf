import { expect, test } from 'vitest';
import { loadMoment, loadRow, loadStep } from '../contracts/run/load/load-run.testkit.ts';
import type { LoadMoment, LoadStepRow } from '../contracts/run/load/load-run.ts';
import { driftOf, recoveryOf } from './changes.ts';
import { steady } from './samples/sample.testkit.ts';

const planned = [steady(10, 20, 'usual'), steady(90, 20, 'peak'), steady(10, 20, 'usual again')];
const stepsWith = (throttled: number): LoadStepRow[] =>
  planned.map(({ name, seconds }, at) =>
    loadStep({
      ...loadRow({ served: 200 - throttled, throttled: at === 2 ? throttled : 0 }),
      ...{ name, seconds, beginsSeconds: 20 * at },
    }),
  );
const moments = Array.from({ length: 60 }, (_, second): LoadMoment =>
  loadMoment(second, { p50Ms: second < 20 ? 10 : 300 }),
);

test('a peak after which a service stays slow is reported by how many times', () => {
  expect(recoveryOf({ steps: stepsWith(0), moments }, planned)).toMatchObject({
    times: expect.closeTo(30, 5) as unknown,
  });
});

test('parts of which much was throttled are those of the limiter, and state how much', () => {
  const throttled = { throttled: 20, sent: 200 };
  const change: unknown = expect.objectContaining({ times: expect.closeTo(30, 5) as unknown });
  expect(recoveryOf({ steps: stepsWith(20), moments }, planned)).toEqual(throttled);
  expect(recoveryOf({ steps: stepsWith(20), moments, mayThrottle: true }, planned)).toEqual(change);
  expect(recoveryOf({ steps: stepsWith(9), moments }, planned)).toEqual(change);
  const [, , last] = stepsWith(20);
  const steps = last === undefined ? [] : [{ ...last, beginsSeconds: 0, seconds: 60 }];
  expect(driftOf({ steps, moments })).toEqual(throttled);
  expect(driftOf({ steps, moments, mayThrottle: true })).toEqual(change);
  const short = moments.slice(0, 9);
  expect(driftOf({ steps, moments: short, mayThrottle: true })).toBeUndefined();
});
