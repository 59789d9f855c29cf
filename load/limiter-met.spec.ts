import { expect, test } from 'vitest';
import { loadMoment, loadRow } from '../contracts/run/load/load-run.testkit.ts';
import { limiterMet } from './limiter-met.ts';

const moments = [
  loadMoment(0, { offered: 10, throttled: 0 }),
  loadMoment(1, { offered: 20, throttled: 1 }),
  loadMoment(2, { offered: 40, throttled: 30 }),
];
const loadOf = (throttled: number): Parameters<typeof limiterMet>[0] => ({
  whole: loadRow({ served: 100 - throttled, throttled }),
  moments,
});

test('more than one request in twenty that is throttled is the limiter, from the first rate on', () => {
  expect(limiterMet(loadOf(6), {}, [])).toEqual({
    limiter: { throttled: 6, sent: 100, fromPerSecond: 20 },
  });
  expect(limiterMet(loadOf(5), {}, [])).toEqual({});
});

test('a scenario that is about throttling, and a threshold on it, expect it', () => {
  expect(limiterMet(loadOf(90), { expectsThrottling: true }, [])).toEqual({});
  expect(limiterMet(loadOf(90), {}, [{ metric: 'throttled' }])).toEqual({});
  expect(limiterMet(loadOf(90), {}, [{ metric: 'errors' }])).not.toEqual({});
});
