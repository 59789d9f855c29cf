import { RateLimiter } from 'limiter';
import { closing, listenOnLoopback, urlOf } from './listening.ts';
import {
  CHAINS,
  type RealLimiter,
  type RealLimiterOptions,
  rejectionBody,
} from './real-limiter.ts';

/**
 * The RateLimiter of limiter: a token bucket of the limit's size, and in each interval, which begins
 * with the first request after the one before it, no more than the limit.
 */
export async function startLimiter({
  limit,
  windowSeconds,
}: RealLimiterOptions): Promise<RealLimiter> {
  const limiters = new Map<string, RateLimiter>();
  const limiterOf = (client: string): RateLimiter => {
    const known = limiters.get(client);
    if (known !== undefined) return known;
    const made = new RateLimiter({ tokensPerInterval: limit, interval: windowSeconds * 1000 });
    limiters.set(client, made);
    return made;
  };
  const server = await listenOnLoopback((request, response) => {
    const limiter = limiterOf(request.socket.remoteAddress ?? '');
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('X-RateLimit-Limit', limit);
    if (limiter.tryRemoveTokens(1)) {
      response.end(JSON.stringify(CHAINS));
      return;
    }
    const seconds = Math.ceil(limiter.getWaitTime(1) / 1000);
    response.writeHead(429, { 'Retry-After': seconds });
    response.end(JSON.stringify(rejectionBody(seconds)));
  });
  return { url: urlOf(server), close: closing(server) };
}
