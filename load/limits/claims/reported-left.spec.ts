import { expect, test } from 'vitest';
import { reportsHold, reportedLeft } from './reported-left.ts';
import { fitOfReport } from '../models/report-fit.ts';
import type { Candidate, LimiterClass } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';

/** `+3` admitted with 3 left, `-0` rejected with none, `+` without a word. */
function events(text: string): ProbeEvent[] {
  return text.split(' ').map((word, at) => ({
    sentMs: at,
    receivedMs: at + 1,
    outcome: word.startsWith('+') ? 'admitted' : 'rejected',
    ...(word.length === 1 ? {} : { report: { remaining: Number(word.slice(1)) } }),
  }));
}

test.each<[string, boolean]>([
  ['+3 +2 +1 +0 -0', true],
  // The last ones may come in any order.
  ['+4 +3 +2 +0 +1 -0 -0', true],
  // A token came back meanwhile.
  ['+3 +2 +1 +1 +0 -0', true],
  ['+3 +2 +1 +0', false],
  ['+9 +8 +7 +6 -0', false],
  ['+3 +2 +1 +0 -2', false],
  ['+3 + +1 +0 -0', false],
  ['+1 +0 -0', false],
  // One that tells nothing may have been told something else.
  ['+ +2 +1 +0 -0', false],
  ['+3 +2 +1 +0 -0 +3 -1', false],
])('%s: the word came true: %s', (text, expected) => {
  expect(reportsHold(events(text))).toBe(expected);
});

function candidate(name: LimiterClass, lo: number, hi: number): Candidate {
  const one = { lo: 1, hi: 1 };
  const ahead = (): never => {
    throw new Error('not asked');
  };
  const rest = { timeMs: one, open: 'yes', base: one, factor: 1, ahead } as const;
  return { class: name, limit: one, left: { lo, hi }, ...rest };
}

test.each<[LimiterClass, string, boolean]>([
  ['fixed-window', '+4', true],
  ['fixed-window', '+6', true],
  ['fixed-window', '+7', false],
  ['fixed-window', '+3', false],
  // What is left of a bucket may be rounded up or down.
  ['token-bucket', '+7', true],
  ['token-bucket', '+3', true],
  ['sliding-counter', '+8', false],
  ['fixed-window', '+', true],
  ['fixed-window', '-0', true],
])('of a %s with 4 to 6 left, %s fits: %s', (name, text, fits) => {
  const [event] = events(text);
  if (event === undefined) throw new Error('no event');
  expect(fitOfReport(candidate(name, 4, 6), event) === 1).toBe(fits);
});

test.each<[string, number | null]>([
  ['+3', 3],
  ['+3 +2 +1', 1],
  // Tokens come back meanwhile, and the last ones may come in any order.
  ['+9 +8 +8 +7 +5 +6', 5],
  ['+3 + +1', null],
  ['+3 +1', null],
  ['+9 +9 +9 +9', null],
  ['+0 +0 +0', null],
])('%s: says that %s more are admitted', (text, expected) => {
  expect(reportedLeft(events(text))).toBe(expected);
});
