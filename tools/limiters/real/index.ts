import type { RealLimiter, RealLimiterOptions } from './real-limiter.ts';
import { startExpressRateLimit } from './with-express.ts';
import { startFastify, startFastifyBan, startFastifyContinueExceeding } from './with-fastify.ts';
import { startFlexible, startFlexibleBlock, startFlexibleBursty } from './with-flexible.ts';
import { startKoa } from './with-koa.ts';
import { startLimiter } from './with-limiter.ts';

export type { RealLimiter, RealLimiterOptions } from './real-limiter.ts';

/** A limiter from npm, with the mode that it runs in. */
export type RealLimiterName =
  | 'express-rate-limit'
  | 'rate-limiter-flexible'
  | 'rate-limiter-flexible block'
  | 'rate-limiter-flexible bursty'
  | '@fastify/rate-limit'
  | '@fastify/rate-limit continueExceeding'
  | '@fastify/rate-limit ban'
  | 'koa-ratelimit'
  | 'limiter';

type Start = (options: RealLimiterOptions) => Promise<RealLimiter>;

const STARTS: Readonly<Record<RealLimiterName, Start>> = {
  'express-rate-limit': startExpressRateLimit,
  'rate-limiter-flexible': startFlexible,
  'rate-limiter-flexible block': startFlexibleBlock,
  'rate-limiter-flexible bursty': startFlexibleBursty,
  '@fastify/rate-limit': startFastify,
  '@fastify/rate-limit continueExceeding': startFastifyContinueExceeding,
  '@fastify/rate-limit ban': startFastifyBan,
  'koa-ratelimit': startKoa,
  limiter: startLimiter,
};

/** All of them. */
export const REAL_LIMITERS: readonly RealLimiterName[] = Object.keys(STARTS) as RealLimiterName[];

/**
 * Starts one of them behind GET /v1/config/chains on a free port of 127.0.0.1. Rejections have the
 * typed body of the document. The packages are for development only.
 */
export function startRealLimiter(
  name: RealLimiterName,
  options: RealLimiterOptions,
): Promise<RealLimiter> {
  return STARTS[name](options);
}
