import { expect, test } from 'vitest';
import type { ClassEstimate } from './class-estimate.ts';
import { hasAccident, isByAccident, runsOf } from './coincidence.ts';
import type { ProbeEvent } from '../transcript.ts';

/** Runs of so many admissions, one each so many ms, each ended by a rejection. */
function runs(everyMs: number, ...counts: readonly number[]): ProbeEvent[] {
  let ms = 0;
  const event = (outcome: ProbeEvent['outcome']): ProbeEvent => {
    ms += everyMs;
    return { sentMs: ms - 2, receivedMs: ms + 2, outcome };
  };
  return counts.flatMap((count) => [
    ...Array.from({ length: count }, () => event('admitted')),
    event('rejected'),
  ]);
}

const seconds = { value: 24, lo: 24, hi: 24.5 };
const limit = { value: 12, lo: 12, hi: 12 };
const found: ClassEstimate = {
  ...{ class: 'clock-window', probability: 1, limit, windowSeconds: seconds },
};

test('more than the limit within a small part of a window is an accident', () => {
  const events = runs(20, 19, 12, 11);
  expect(runsOf(events, 'clock-window', 12, 24_000)).toEqual([
    { admitted: 19, lately: 19, isAccident: true },
    { admitted: 12, lately: 12, isAccident: false },
    { admitted: 11, lately: 11, isAccident: false },
  ]);
  // Spread over a good part of it, two windows are nothing unusual.
  const slow = runsOf(runs(500, 19), 'clock-window', 12, 24_000);
  expect(slow).toEqual([{ admitted: 19, lately: 19, isAccident: false }]);
  // A refill may bring several at once, and no accident is needed; a bucket gets one token at a time.
  expect(runsOf(runs(20, 19), 'interval-refill', 12, 24_000)[0]?.isAccident).toBe(false);
  expect(runsOf(runs(20, 13), 'token-bucket', 12, 24_000)[0]?.isAccident).toBe(true);
});

test('of a run that goes on over several windows, those of the last one are told as well', () => {
  const [long, , short] = runsOf(runs(1000, 30, 2, 5), 'clock-window', 12, 10_000);
  expect([long?.admitted, long?.lately]).toEqual([30, 11]);
  expect([short?.admitted, short?.lately]).toEqual([5, 5]);
  // Without a window all of them are.
  expect(runsOf(runs(1000, 30), 'penalty', 12, 0)[0]?.lately).toBe(30);
});

test('a bucket is not what explains its runs by tokens that came within them', () => {
  const bucket: ClassEstimate = { ...found, class: 'token-bucket' };
  // A token comes each two seconds.
  expect(isByAccident(bucket, runs(5, 13, 12, 13, 13))).toBe(true);
  expect(isByAccident(bucket, runs(5, 13, 12, 12, 12))).toBe(false);
});

test('what is explained by accidents for the most part is not what it looks like', () => {
  expect(isByAccident(found, runs(20, 19, 12, 19))).toBe(true);
  expect(isByAccident(found, runs(20, 19, 12))).toBe(false);
  expect(isByAccident(found, runs(20, 19, 12, 12, 19))).toBe(false);
  expect(isByAccident(found, runs(500, 19, 12, 19))).toBe(false);
});

test('one accident is enough to doubt that the limit that was found ended that run', () => {
  expect(hasAccident(found, runs(20, 12, 19, 12))).toBe(true);
  expect(hasAccident(found, runs(20, 12, 11))).toBe(false);
  expect(hasAccident(found, runs(500, 12, 19))).toBe(false);
});
