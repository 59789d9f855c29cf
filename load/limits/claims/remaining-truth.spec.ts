import { expect, test } from 'vitest';
import type { LimitEstimate } from '../../../contracts/run/load/limit-measurement.ts';
import type { HeaderList } from '../../../contracts/wire/exchange.ts';
import { remainingTruth } from './remaining-truth.ts';
import type { ReportedEvent } from './reported-event.ts';

const FOUND: LimitEstimate = {
  ...{ verdict: 'identified', algorithms: ['fixed-window'] },
  ...{ limit: 6, windowSeconds: 10 },
};

/** Answers a second apart: six are admitted, two are rejected. */
function answers(left: readonly (number | string)[], more: HeaderList = []): ReportedEvent[] {
  return left.map((remaining, at) => ({
    sentMs: 1000 * at,
    receivedMs: 1000 * at + 10,
    receivedEpochMs: 1_767_225_600_000 + 1000 * at,
    outcome: at < 6 ? 'admitted' : 'rejected',
    headers: [...more, ['X-RateLimit-Remaining', String(remaining)]],
  }));
}

/** The same answers in each of three windows. */
function inWindows(left: readonly number[], more: HeaderList): ReportedEvent[] {
  return [0, 10_000, 20_000].flatMap((fromMs) =>
    answers(left, more).map((event) => ({
      ...event,
      sentMs: event.sentMs + fromMs,
      receivedMs: event.receivedMs + fromMs,
      receivedEpochMs: event.receivedEpochMs + fromMs,
    })),
  );
}

const LIMIT = (limit: number): HeaderList => [['X-RateLimit-Limit', String(limit)]];
const FALLS = [5, 4, 3, 2, 1, 0, 0, 0];
const OTHER = { ...FOUND, algorithms: ['token-bucket'] };

test.each<[string, ReportedEvent[], LimitEstimate, readonly string[] | undefined]>([
  ['a count that falls holds', answers(FALLS, LIMIT(6)), FOUND, []],
  [
    'one that rises within a window does not',
    answers([5, 4, 5, 2, 1, 0, 0, 0], LIMIT(6)),
    FOUND,
    ['x-ratelimit: remaining rises inside a window'],
  ],
  [
    'one that says more than there is does not, where it states the measured limit',
    answers([8, 4, 5, 2, 1, 0, 0, 0], LIMIT(6)),
    FOUND,
    ['x-ratelimit: remaining rises inside a window'],
  ],
  ['tokens that come back may be told', answers([5, 4, 5, 2, 1, 0, 0, 1], LIMIT(6)), OTHER, []],
  [
    'one that stays until a request is rejected does not',
    answers([5, 5, 5, 5, 5, 5, 0, 0], LIMIT(6)),
    OTHER,
    ['x-ratelimit: remaining stays at 5 while 6 are admitted, until one is rejected'],
  ],
  [
    'who counts requests under way has as many left each time',
    answers([5, 5, 5, 5, 5, 5, 0, 0], LIMIT(6)),
    { ...FOUND, algorithms: ['concurrency'] },
    [],
  ],
  [
    'a count below 0 does not hold',
    answers([5, 4, 3, 2, 1, 0, -1, -2]),
    FOUND,
    ['x-ratelimit: remaining falls below 0, to -2'],
  ],
  ['the same number below 0 each time is no count', answers([-1, -1, -1, -1]), FOUND, []],
  [
    'one that says twice what there is does not',
    answers([10, 8, 6, 4, 2, 0, 0, 0], LIMIT(6)),
    OTHER,
    ['x-ratelimit: remaining is 10 and one is rejected after 5 more requests'],
  ],
  [
    'one that says too much at the end does not',
    answers([5, 4, 3, 2, 4, 4, 0, 0], LIMIT(6)),
    OTHER,
    ['x-ratelimit: remaining is 4 and one is rejected after 0 more requests'],
  ],
  [
    'one that says half of what there is does not',
    answers([2, 2, 1, 1, 0, 0, 0, 0], LIMIT(6)),
    FOUND,
    ['x-ratelimit: remaining is 2 where 5 more are admitted in the same window'],
  ],
  ['of what comes back less may be told', answers([2, 2, 1, 1, 0, 0, 0, 0], LIMIT(6)), OTHER, []],
  [
    'one that does not count the request itself holds',
    answers([6, 5, 4, 3, 2, 1, 0, 0], LIMIT(6)),
    FOUND,
    [],
  ],
  [
    'one of another limit in the measured window does not, where rejections say that more are left',
    inWindows([99, 98, 97, 96, 95, 94, 93, 92], [...LIMIT(100), ['X-RateLimit-Reset', '10']]),
    FOUND,
    ['x-ratelimit: remaining is 99 and one is rejected after 5 more requests'],
  ],
  [
    'a field of a longer window tells nothing',
    inWindows([99, 98, 97, 96, 95, 94, 93, 92], [...LIMIT(100), ['X-RateLimit-Reset', '3600']]),
    FOUND,
    undefined,
  ],
  [
    'nor does one of a shorter window',
    inWindows([99, 98, 97, 96, 95, 94, 93, 92], [...LIMIT(100), ['X-RateLimit-Reset', '1']]),
    FOUND,
    undefined,
  ],
  [
    'nor does one that falls through all windows',
    answers([99, 98, 97, 96, 95, 94, 93, 92], [...LIMIT(100), ['X-RateLimit-Reset', '10']]),
    FOUND,
    undefined,
  ],
  // What another limit has left is nothing to hold against this one.
  ['a field of another limit tells nothing', answers([99, 99, 99], LIMIT(100)), FOUND, undefined],
  ['nor does one that has more left', answers([99, 99, 99, 99, 99, 99, 99]), FOUND, undefined],
])('%s', (_, events, estimate, wrong) => {
  expect(remainingTruth(events, estimate)?.wrong).toEqual(wrong);
});

test('requests that are under way at once may be counted in any order', () => {
  const atOnce = answers([10, 8, 6, 4, 2, 0, 0, 0], LIMIT(6)).map((event) => ({
    ...{ ...event, sentMs: 0, receivedMs: 10_000 },
  }));
  expect(remainingTruth(atOnce, OTHER)?.wrong).toEqual([]);
});

test('how many answers say what remains is counted, and none is nothing', () => {
  expect(remainingTruth(answers(FALLS), FOUND)?.told).toBe(8);
  const silent = answers(FALLS).map((event) => ({ ...event, headers: [] }));
  expect(remainingTruth(silent, FOUND)).toBeUndefined();
  const unknown: LimitEstimate = { verdict: 'composite', algorithms: [] };
  expect(remainingTruth(answers(FALLS), unknown)).toBeUndefined();
});
