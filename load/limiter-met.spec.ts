import { expect, test } from 'vitest';
import { given } from '../contracts/wire/json.ts';
import { loadMoment, loadRow } from '../contracts/run/load/load-run.testkit.ts';
import { isAboutThrottling, limiterMet, mayThrottle } from './limiter-met.ts';

const moments = [
  loadMoment(0, { offered: 10, throttled: 0 }),
  loadMoment(1, { offered: 20, throttled: 1 }),
  loadMoment(2, { offered: 40, throttled: 30 }),
];
const loadOf = (throttled: number, mayThrottle?: true): Parameters<typeof limiterMet>[0] => ({
  whole: loadRow({ served: 100 - throttled, throttled }),
  moments,
  ...given({ mayThrottle }),
});

test('more than one request in twenty that is throttled is the limiter, from the first rate on', () => {
  expect(limiterMet(loadOf(6))).toEqual({
    limiter: { throttled: 6, sent: 100, fromPerSecond: 20 },
  });
  expect(limiterMet(loadOf(5))).toEqual({});
});

test('a scenario that is about throttling, and a threshold on it, expect it', () => {
  expect(limiterMet(loadOf(90, true))).toEqual({});
  expect(mayThrottle({ expectsThrottling: true }, [])).toBe(true);
  expect(mayThrottle({}, [{ metric: 'throttled' }])).toBe(true);
  expect(mayThrottle({}, [{ metric: 'errors' }])).toBeUndefined();
});

test('a record is of a scenario about throttling if it says so for more than its own threshold, or by a name of ours', () => {
  const record = { scenario: 'mine', thresholds: [] };
  const stated = [{ expression: 'throttled<95%', held: true }];
  expect(isAboutThrottling({ ...record, mayThrottle: true })).toBe(true);
  expect(isAboutThrottling({ ...record, mayThrottle: true, thresholds: stated })).toBe(false);
  expect(isAboutThrottling(record)).toBe(false);
  expect(isAboutThrottling({ ...record, scenario: 'average' })).toBe(false);
  expect(isAboutThrottling({ ...record, scenario: 'per-address' })).toBe(true);
  expect(isAboutThrottling({ ...record, scenario: '__proto__' })).toBe(false);
});
