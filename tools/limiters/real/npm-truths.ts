import type { LimiterTruth } from '../../../fixtures/known-limiters/truth.ts';
import type { RealLimiterName } from './index.ts';
import type { RealLimiterOptions } from './real-limiter.ts';
import { BLOCK_WINDOWS, BURST_WINDOWS } from './with-flexible.ts';

type TruthOf = (options: RealLimiterOptions) => LimiterTruth;

/** A window for each client, from its first request. */
const fixedWindow: TruthOf = ({ limit, windowSeconds: seconds }) => ({
  class: 'fixed-window',
  limit,
  seconds,
});

/** What the documentation and the source of each limiter from npm say that it does. */
export const NPM_TRUTHS: Readonly<Record<RealLimiterName, TruthOf>> = {
  'express-rate-limit': fixedWindow,
  'rate-limiter-flexible': fixedWindow,
  // The first excess blocks; later ones add nothing.
  'rate-limiter-flexible block': ({ limit, windowSeconds: countedSeconds }) => ({
    class: 'penalty-block',
    limit,
    seconds: BLOCK_WINDOWS * countedSeconds,
    countedSeconds,
  }),
  // As many again once in some windows, so that the first excess comes at twice the limit.
  'rate-limiter-flexible bursty': ({ limit, windowSeconds }) => ({
    class: 'none',
    limit: 2 * limit,
    seconds: BURST_WINDOWS * windowSeconds,
  }),
  '@fastify/rate-limit': fixedWindow,
  // Only silence of a whole window opens it again.
  '@fastify/rate-limit continueExceeding': (options) => ({
    ...fixedWindow(options),
    class: 'restart-on-reject',
  }),
  '@fastify/rate-limit ban': fixedWindow,
  'koa-ratelimit': fixedWindow,
  // A token bucket, and no more than the limit in each interval: after a burst it looks like a fixed window.
  limiter: ({ limit, windowSeconds: seconds }) => ({ class: 'none', limit, seconds }),
};
