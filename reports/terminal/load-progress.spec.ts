import { expect, test } from 'vitest';
import { type LoadProgressRow, progressLine } from './load-progress.ts';

const row: LoadProgressRow = {
  ...{ offeredPerSecond: 50, servedPerSecond: 9.75, throttledPerSecond: 0, worstLagMs: 3 },
  ...{ errors: [], secondsLeft: 12.2 },
};
const errors = [
  ['503', 40],
  ['timeout', 7],
  ['reset', 2],
  ['500', 1],
  ['404', 1],
] as const;

test('a line of progress has step, rates, p99, the time left and errors by reason', () => {
  expect(progressLine({ ...row, p99Ms: 140.4 }, 'hold', { broken: 0 })).toMatch(
    /^hold +offered 50\/s {2}served 9\.8\/s {2}p99 140 ms {2}13 s left$/,
  );
  const all = { ...row, errors, throttledPerSecond: 40, worstLagMs: 12, secondsLeft: -1 };
  expect(progressLine(all, 'hold', { broken: 2 })).toMatch(
    /p99 – ms {2}the last answers {2}errors 51 \(40 answered 503, 7 timed out, 2 closed before an answer, 2 others\) {2}2 wrong {2}throttled 40\/s {2}lag 12 ms$/,
  );
});

test.each([
  [120, 2, 'errors 40 503, 7 timed out, 2 closed, 2 others  2 wrong'],
  [100, 2, 'errors 40 503, 7 timed out, 4 others  2 wrong'],
  [90, 0, 'errors 40 503, 7 timed out, 4 others'],
  [80, 2, 'errors 40 503, 11 others'],
])('a line for %i columns has all that is asked for', (columns, broken, words) => {
  const line = `hold  served 9.8 of 50/s  p99 140 ms  13 s left  ${words}`;
  const all = { ...row, errors, p99Ms: 140, throttledPerSecond: 40, worstLagMs: 12 };
  expect(progressLine(all, 'hold', { broken }, columns - 1)).toBe(line);
});

test.each([20, 39, 60, 79, 89, 119])('a line keeps to a room of %i characters', (room) => {
  const all = { ...row, errors, throttledPerSecond: 40, worstLagMs: 12, p99Ms: 12_345 };
  const name = 'a step with a long name';
  expect(progressLine(all, name, { broken: 200_000 }, room).length).toBeLessThanOrEqual(room);
});

test('a line for 80 columns keeps the largest reason of many, whatever figures there are, and cuts none', () => {
  const many = Array.from({ length: 12 }, (_, at) => [`${500 + at}`, 123_456 - at] as const);
  const busy = { ...row, errors: many, offeredPerSecond: 98_765, servedPerSecond: 45_678 };
  const line = progressLine(
    { ...busy, p99Ms: 123_456, secondsLeft: 98_765 },
    'a step with a name',
    { broken: 9 },
    79,
  );
  expect(line).toBe('served 45678 of 98765/s  p99 123456 ms  errors 123456 500, 1357950 others');
  const few = progressLine({ ...busy, errors: [], p99Ms: 12 }, 'hold', { broken: 0 }, 30);
  expect(few).toBe('hold  served 45678 of 98765/s');
});

test('without a schedule nothing is said to be offered, nor what time is left', () => {
  const { offeredPerSecond, secondsLeft, ...open } = row;
  expect([offeredPerSecond, secondsLeft]).toHaveLength(2);
  expect(progressLine({ ...open, requestsLeft: 4_000 }, 'all', { broken: 0 })).toMatch(
    /^all +served 9\.8\/s {2}p99 – ms {2}4000 requests left$/,
  );
});
