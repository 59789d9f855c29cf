import { expect, test } from 'vitest';
import { Lateness } from './lateness.ts';

/** Requests at a steady pace, each with the lag that it left with. */
function lateness(everyMs: number, lagsMs: readonly number[]): ReturnType<Lateness['facts']> {
  const one = new Lateness();
  for (const [at, lagMs] of lagsMs.entries()) one.record(at * everyMs, at * everyMs + lagMs);
  return one.facts();
}

test('requests on time are not late', () => {
  expect(lateness(100, [0, 5, 4, 1])).toMatchObject({ lateRequests: 0, hiccups: 0 });
});

test('of no request no lag was measured', () => {
  expect(lateness(100, [])).toEqual({ lateRequests: 0, hiccups: 0 });
});

test('requests that are late one after another are of one hiccup', () => {
  expect(lateness(100, [0, 320, 220, 120, 6, 0])).toMatchObject({ lateRequests: 4, hiccups: 1 });
  expect(lateness(100, [30, 0, 30, 0, 30])).toMatchObject({ lateRequests: 3, hiccups: 3 });
});

test('a hiccup counts once for each second that it takes', () => {
  expect(lateness(1, [4_500])).toMatchObject({ lateRequests: 1, hiccups: 5 });
  const always = Array.from({ length: 30 }, () => 50);
  expect(lateness(100, always)).toMatchObject({ lateRequests: 30, hiccups: 3 });
});

test('answers that were read after a time in which nobody looked are late, in one hiccup', () => {
  const one = new Lateness();
  one.look(0);
  one.record(0, 1);
  one.look(500);
  for (const dueMs of [490, 495]) one.read(dueMs, dueMs);
  expect(one.facts()).toMatchObject({ lateRequests: 2, hiccups: 1, fireLagP99Ms: 500 });
  one.look(1);
  one.read(1_000, 1_000);
  expect(one.facts()).toMatchObject({ lateRequests: 2, hiccups: 1 });
});

test('requests that leave and are read late after the same time are of one hiccup, each counted once', () => {
  const one = new Lateness();
  one.look(300);
  one.record(100, 350);
  one.read(20, 20);
  one.read(100, 350);
  expect(one.facts()).toMatchObject({ lateRequests: 2, hiccups: 1 });
});
