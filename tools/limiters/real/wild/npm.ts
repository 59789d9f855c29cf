import type { RealLimiterName } from '../index.ts';
import { NPM_TRUTHS } from '../npm-truths.ts';
import { OUTER_LIMITS, OUTER_WINDOWS, STACKED_EXPRESS } from './stacked-express.ts';
import type { WildLimiter } from './wild-limiter.ts';

function npm(name: RealLimiterName, limit: number, seconds: number, note?: string): WildLimiter {
  const truth = NPM_TRUTHS[name]({ limit, windowSeconds: seconds });
  return { ...served(name, limit, seconds, [truth]), ...(note === undefined ? {} : { note }) };
}

function served(
  name: string,
  limit: number,
  seconds: number,
  truths: WildLimiter['truths'],
): WildLimiter {
  return {
    family: 'npm',
    name,
    parameters: `${limit} in ${seconds} s`,
    truths,
    command: ({ tool }) => ({
      program: process.execPath,
      args: [tool, name, String(limit), String(seconds)],
      writesUrl: true,
    }),
  };
}

/** express-rate-limit twice. */
function stacked(limit: number, windowSeconds: number): WildLimiter {
  const outer = { limit: OUTER_LIMITS * limit, windowSeconds: OUTER_WINDOWS * windowSeconds };
  const each = NPM_TRUTHS['express-rate-limit'];
  const parts = [each({ limit, windowSeconds }), each(outer)] as const;
  return served(STACKED_EXPRESS, limit, windowSeconds, [{ ...parts[1], class: 'stacked', parts }]);
}

/** Libraries of Node, in memory. */
export const NPM_LIMITERS: readonly WildLimiter[] = [
  npm('express-rate-limit', 20, 5),
  npm('express-rate-limit', 7, 3),
  npm('rate-limiter-flexible', 15, 4),
  npm('rate-limiter-flexible block', 10, 2),
  npm('rate-limiter-flexible bursty', 5, 1, 'as many again once in five windows'),
  npm('@fastify/rate-limit', 30, 3),
  npm('@fastify/rate-limit continueExceeding', 12, 3),
  npm('@fastify/rate-limit ban', 8, 4, 'after three rejections 403'),
  npm('koa-ratelimit', 25, 5),
  npm('limiter', 10, 2, 'a bucket, and no more than its size in each interval'),
  stacked(5, 2),
];
