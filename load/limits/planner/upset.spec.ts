import { expect, test } from 'vitest';
import type { ClassEstimate } from '../estimate/estimate.ts';
import type { LimiterClass } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';
import { isUpset, upsetBy } from './upset.ts';

const estimate = (name: LimiterClass, probability: number): ClassEstimate => ({
  ...{ class: name, probability, limit: { value: 5, lo: 5, hi: 5 } },
  windowSeconds: { value: 10, lo: 9.9, hi: 10.1 },
});
const events = (signs: string): ProbeEvent[] =>
  Array.from(signs, (sign, at) => ({
    ...{ sentMs: 1000 * at, receivedMs: 1000 * at + 2 },
    outcome: sign === '-' ? 'rejected' : 'admitted',
  }));

const counter = (probability: number): ClassEstimate[] => [
  estimate('sliding-counter', probability),
];
const all = events('++++-');
/** Whether the counter is an upset, by what it was and is, and by the request that made it so. */
const becomes = (was: number, is: number, last: string): boolean =>
  upsetBy(null, counter(was), counter(is), all, events(last)) !== null;

test('a class is an upset where one rejection makes it certain that was unlikely before', () => {
  expect(becomes(0.08, 0.99, '-')).toBe(true);
  expect([becomes(0.08, 0.99, '+'), becomes(0.2, 0.99, '-'), becomes(0.08, 0.8, '-')]).toEqual([
    ...[false, false, false],
  ]);
  const others = [estimate('fixed-window', 0.9), ...counter(0.02)];
  expect(upsetBy(null, others, counter(0.99), all, events('+-'))).toEqual({
    ...{ class: 'sliding-counter', count: 5 },
  });
  // Nothing was weighed before the first time.
  expect(upsetBy(null, [], counter(0.99), all, events('-'))).toBeNull();
});

test('it stays one until its limit was used up once more', () => {
  const upset = upsetBy(null, counter(0.08), counter(0.99), all, events('-'));
  expect(upsetBy(upset, counter(0.99), counter(0.95), all, events('-'))).toEqual(upset);
  const after = (signs: string, name: LimiterClass = 'sliding-counter'): boolean =>
    isUpset(upset, estimate(name, 0.99), events(`++++-${signs}`));
  expect([after(''), after('+++-'), after('++++'), after('++++-')]).toEqual([
    ...[true, true, true, false],
  ]);
  expect(after('', 'fixed-window')).toBe(false);
  expect(isUpset(null, estimate('sliding-counter', 0.99), all)).toBe(false);
});
