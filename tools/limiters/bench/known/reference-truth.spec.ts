import { expect, test } from 'vitest';
import { parseLimit } from '../../../../fixtures/service/reference/limits.ts';
import { createCounter } from '../../../../fixtures/service/reference/limiter/counters/create-counter.ts';
import { limiterOf } from '../../../../fixtures/known-limiters/limiter-of.ts';
import type { LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';
import { truthOf } from './reference-truth.ts';

const window = { limit: 10, seconds: 5 };
const bucket = { class: 'token-bucket', limit: 10, seconds: 5, perSecond: 2 } as const;

test.each<[string, LimiterTruth]>([
  ['10/5', { class: 'fixed-window', ...window }],
  ['clock-window:limit=10,window=5s', { class: 'clock-window', ...window }],
  ['sliding-log:limit=10,window=5s', { class: 'sliding-log', ...window }],
  [
    'sliding-log-counting-rejects:limit=10,window=5s',
    { class: 'sliding-log-counting-rejects', ...window },
  ],
  ['sliding-counter:limit=10,window=5s', { class: 'sliding-counter', ...window }],
  ['restart-on-reject:limit=10,window=5s', { class: 'restart-on-reject', ...window }],
  ['token-bucket:burst=10,refill=2/s', bucket],
  ['gcra:burst=10,refill=2/s', bucket],
  [
    'interval-refill:burst=10,refill=4/2s',
    { class: 'interval-refill', limit: 10, refill: 4, intervalSeconds: 2, seconds: 5 },
  ],
  [
    'penalty-block:limit=10,window=1s,block=5s',
    { class: 'penalty-block', ...window, countedSeconds: 1 },
  ],
  [
    'shaper:burst=1,rate=2/s,queue=9',
    { class: 'shaping-with-reject', limit: 10, atOnce: 1, perSecond: 2 },
  ],
  ['concurrency:limit=10,hold=1s', { class: 'concurrency', limit: 10 }],
])('%s', (text, truth) => {
  const limit = parseLimit(text);
  if (limit === null) throw new Error('no limit');
  expect(truthOf(limit)).toEqual(truth);
});

/** Moments on a clock whose windows begin at 0, ms: bursts, pauses, and requests while it is shut. */
const TIMES_MS = [0, 1000, 1800, 2600, 4900, 5100, 6100, 7700, 10_050, 12_500, 20_000].flatMap(
  (at) => Array.from({ length: 6 }, (_, index) => at + 3 * index),
);

test.each([
  '10/5',
  'clock-window:limit=10,window=5s',
  'sliding-log:limit=10,window=5s',
  'sliding-log-counting-rejects:limit=10,window=5s',
  'sliding-counter:limit=10,window=5s',
  'restart-on-reject:limit=10,window=5s',
  'token-bucket:burst=10,refill=2/s',
  'gcra:burst=10,refill=2/s',
  'penalty-block:limit=10,window=1s,block=5s',
  'shaper:burst=3,rate=2/s,queue=5',
])('the reference service and a limiter made by its truth admit and hold the same: %s', (text) => {
  const limit = parseLimit(text);
  if (limit === null) throw new Error('no limit');
  const counter = createCounter(limit);
  const limiter = limiterOf(truthOf(limit), { whole: true });
  const decided = TIMES_MS.map((at) => {
    const { admitted, delayMs = 0 } = limiter.decide(at, at + 1);
    return { at, admitted, delayMs: Math.round(delayMs) };
  });
  const taken = TIMES_MS.map((at) => {
    const { admitted, delayMs = 0 } = counter.take(at);
    return { at, admitted, delayMs: Math.round(delayMs) };
  });
  expect(decided).toEqual(taken);
  expect(new Set(taken.map(({ admitted }) => admitted)).size).toBe(2);
});
