import { expect, test } from 'vitest';
import { Lateness } from './lateness.ts';

/** Requests at a steady pace, each with the lag that it left with. */
function lateness(everyMs: number, lagsMs: readonly number[]): ReturnType<Lateness['facts']> {
  const one = new Lateness();
  for (const [at, lagMs] of lagsMs.entries()) one.record(at * everyMs, at * everyMs + lagMs);
  return one.facts();
}

test('requests on time are not late', () => {
  expect(lateness(100, [0, 5, 20, 1])).toMatchObject({ lateRequests: 0, hiccups: 0 });
});

test('requests that are late one after another are of one hiccup', () => {
  expect(lateness(100, [0, 320, 220, 120, 21, 0])).toMatchObject({ lateRequests: 4, hiccups: 1 });
  expect(lateness(100, [30, 0, 30, 0, 30])).toMatchObject({ lateRequests: 3, hiccups: 3 });
});

test('a hiccup counts once for each second that it takes', () => {
  expect(lateness(1, [4_500])).toMatchObject({ lateRequests: 1, hiccups: 5 });
  const always = Array.from({ length: 30 }, () => 50);
  expect(lateness(100, always)).toMatchObject({ lateRequests: 30, hiccups: 3 });
});
