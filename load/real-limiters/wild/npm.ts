import type { RandomTruth } from '../limiter-truth.ts';
import type { RealLimiterName } from '../index.ts';
import { OUTER_LIMITS, OUTER_WINDOWS, STACKED_EXPRESS } from './stacked-express.ts';
import type { WildLimiter } from './wild-limiter.ts';

function npm(
  name: RealLimiterName | typeof STACKED_EXPRESS,
  limit: number,
  seconds: number,
  truths: WildLimiter['truths'],
  note?: string,
): WildLimiter {
  return {
    family: 'npm',
    name,
    parameters: `${limit} in ${seconds} s`,
    truths,
    ...(note === undefined ? {} : { note }),
    command: ({ tool }) => ({
      program: process.execPath,
      args: [tool, name, String(limit), String(seconds)],
      tellsUrl: true,
    }),
  };
}

const windowOf = (limit: number, seconds: number): RandomTruth => ({
  class: 'fixed-window',
  limit,
  seconds,
});
const none = (limit: number, seconds: number): RandomTruth => ({ class: 'none', limit, seconds });

/** Libraries of Node, in memory. */
export const NPM_LIMITERS: readonly WildLimiter[] = [
  npm('express-rate-limit', 20, 5, [windowOf(20, 5)]),
  npm('express-rate-limit', 7, 3, [windowOf(7, 3)]),
  npm('rate-limiter-flexible', 15, 4, [windowOf(15, 4)]),
  npm('rate-limiter-flexible block', 10, 2, [
    { class: 'penalty-block', limit: 10, countedSeconds: 2, seconds: 4 },
  ]),
  npm('rate-limiter-flexible bursty', 5, 1, [none(10, 5)], 'as many again once in five windows'),
  npm('@fastify/rate-limit', 30, 3, [windowOf(30, 3)]),
  npm('@fastify/rate-limit continueExceeding', 12, 3, [
    { class: 'restart-on-reject', limit: 12, seconds: 3 },
  ]),
  npm('@fastify/rate-limit ban', 8, 4, [windowOf(8, 4)], 'after three rejections 403'),
  npm('koa-ratelimit', 25, 5, [windowOf(25, 5)]),
  npm('limiter', 10, 2, [none(10, 2)], 'a bucket, and no more than its size in each interval'),
  npm(STACKED_EXPRESS, 5, 2, [
    {
      class: 'stacked',
      limit: OUTER_LIMITS * 5,
      seconds: OUTER_WINDOWS * 2,
      parts: [windowOf(5, 2), windowOf(OUTER_LIMITS * 5, OUTER_WINDOWS * 2)],
    },
  ]),
];
