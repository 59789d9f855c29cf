import rateLimit, { type RateLimitPluginOptions } from '@fastify/rate-limit';
import fastify from 'fastify';
import {
  CHAINS,
  PATH,
  type RealLimiter,
  type RealLimiterOptions,
  rejectionBody,
} from './real-limiter.ts';

/** After so many refusals in one window it answers 403. */
const BAN_AFTER = 3;

/** @fastify/rate-limit in memory: a fixed window for each client, from its first request. */
export function startFastify(options: RealLimiterOptions): Promise<RealLimiter> {
  return serve(options, {});
}

/** With `continueExceeding`: each refused request starts the window anew. */
export function startFastifyContinueExceeding(options: RealLimiterOptions): Promise<RealLimiter> {
  return serve(options, { continueExceeding: true });
}

/**
 * With `ban`: from the fourth refusal in a window on it answers 403, typed as FORBIDDEN and without a wait, until the
 * window ends.
 */
export function startFastifyBan(options: RealLimiterOptions): Promise<RealLimiter> {
  return serve(options, { ban: BAN_AFTER });
}

async function serve(
  { limit, windowSeconds }: RealLimiterOptions,
  settings: Partial<RateLimitPluginOptions>,
): Promise<RealLimiter> {
  const app = fastify({ forceCloseConnections: true });
  await app.register(rateLimit, {
    max: limit,
    timeWindow: windowSeconds * 1000,
    ...settings,
    // The plug-in throws what this returns, and Fastify takes the status from it.
    errorResponseBuilder: (_request, { statusCode, ttl, ban }) => ({
      ...rejectionBody(ban ? undefined : Math.ceil(ttl / 1000)),
      ...(ban ? { code: 'FORBIDDEN', status: 403 } : {}),
      statusCode,
    }),
  });
  app.get(PATH, () => CHAINS);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => app.close() };
}
