import type { LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';
import type { WildLimiter } from './wild-limiter.ts';

function library(
  name: string,
  limit: number,
  value: number,
  parameters: string,
  truths: WildLimiter['truths'],
  note?: string,
): WildLimiter {
  return {
    family: 'go',
    name,
    parameters,
    truths,
    ...(note === undefined ? {} : { note }),
    command: ({ tool, port }) => ({
      program: tool,
      args: [String(port), name, String(limit), String(value)],
    }),
  };
}

const bucketOf = (limit: number, perSecond: number): LimiterTruth => ({
  class: 'token-bucket',
  limit,
  perSecond,
  seconds: limit / perSecond,
});

/** Libraries of Go, for all clients together. */
export const GO_LIMITERS: readonly WildLimiter[] = [
  library('x/time/rate', 20, 4, '20 at once, 4/s', [bucketOf(20, 4)]),
  library('ulule/limiter', 15, 3, '15 in 3 s', [{ class: 'fixed-window', limit: 15, seconds: 3 }]),
  library(
    'sethvargo/go-limiter',
    12,
    4,
    '12 in 4 s',
    [
      { class: 'clock-window', limit: 12, seconds: 4 },
      { class: 'interval-refill', limit: 12, seconds: 4, intervalSeconds: 4 },
    ],
    'windows one after another from the first request on',
  ),
  library('throttled/throttled', 9, 2, '9 at once, 2/s', [bucketOf(9, 2)]),
  library(
    'uber/ratelimit',
    11,
    20,
    '20/s, held back',
    [{ class: 'shaping-with-reject', limit: 11, perSecond: 20, seconds: 0.55 }],
    'rejects nothing; ten that were not used are made up for',
  ),
];
