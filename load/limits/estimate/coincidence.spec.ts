import { expect, test } from 'vitest';
import type { ClassEstimate } from './class-estimate.ts';
import { isByAccident, runsOf } from './coincidence.ts';
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
    { admitted: 19, isAccident: true },
    { admitted: 12, isAccident: false },
    { admitted: 11, isAccident: false },
  ]);
  // Spread over a good part of it, two windows are nothing unusual.
  const slow = runsOf(runs(500, 19), 'clock-window', 12, 24_000);
  expect(slow).toEqual([{ admitted: 19, isAccident: false }]);
  // A bucket fills meanwhile, and no accident is needed.
  expect(runsOf(runs(20, 19), 'token-bucket', 12, 24_000)[0]?.isAccident).toBe(false);
});

test('what is explained by accidents for the most part is not what it looks like', () => {
  expect(isByAccident(found, runs(20, 19, 12, 19))).toBe(true);
  expect(isByAccident(found, runs(20, 19, 12))).toBe(false);
  expect(isByAccident(found, runs(20, 19, 12, 12, 19))).toBe(false);
  expect(isByAccident(found, runs(500, 19, 12, 19))).toBe(false);
});
