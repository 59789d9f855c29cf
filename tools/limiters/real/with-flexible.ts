import type { ServerResponse } from 'node:http';
import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { closing, listenOnLoopback, urlOf } from './listening.ts';
import {
  CHAINS,
  type RealLimiter,
  type RealLimiterOptions,
  rejectionBody,
} from './real-limiter.ts';

/** A block lasts so many windows. */
export const BLOCK_WINDOWS = 2;
/** The burst limiter admits as many again, in so many windows. */
export const BURST_WINDOWS = 5;

/** rate-limiter-flexible in memory: a fixed window for each client, from its first request. */
export function startFlexible(options: RealLimiterOptions): Promise<RealLimiter> {
  const { limit: points, windowSeconds: duration } = options;
  return serve(new RateLimiterMemory({ points, duration }), options);
}

/** The same with a block: the first excess shuts the client out for two windows. */
export function startFlexibleBlock(options: RealLimiterOptions): Promise<RealLimiter> {
  const { limit: points, windowSeconds: duration } = options;
  const blockDuration = BLOCK_WINDOWS * duration;
  return serve(new RateLimiterMemory({ points, duration, blockDuration }), options);
}

/** A limiter, and a second one for what exceeds the first: each a fixed window of its own length. */
export function startFlexibleBursty(options: RealLimiterOptions): Promise<RealLimiter> {
  const { limit: points, windowSeconds: duration } = options;
  const burst = new RateLimiterMemory({
    keyPrefix: 'burst',
    points,
    duration: BURST_WINDOWS * duration,
  });
  return serve(new BurstyRateLimiter(new RateLimiterMemory({ points, duration }), burst), options);
}

async function serve(
  limiter: Pick<RateLimiterMemory, 'consume'> | BurstyRateLimiter,
  { limit }: RealLimiterOptions,
): Promise<RealLimiter> {
  const answer = async (client: string, response: ServerResponse): Promise<void> => {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('X-RateLimit-Limit', limit);
    try {
      await limiter.consume(client);
      response.end(JSON.stringify(CHAINS));
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const seconds = Math.ceil(refused.msBeforeNext / 1000);
      response.writeHead(429, { 'Retry-After': seconds });
      response.end(JSON.stringify(rejectionBody(seconds)));
    }
  };
  const server = await listenOnLoopback((request, response) => {
    answer(request.socket.remoteAddress ?? '', response).catch(() => response.destroy());
  });
  return { url: urlOf(server), close: closing(server) };
}
