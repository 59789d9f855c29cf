import Koa from 'koa';
import ratelimit from 'koa-ratelimit';
import { closing, listenOnLoopback, urlOf } from './listening.ts';
import {
  CHAINS,
  PATH,
  type RealLimiter,
  type RealLimiterOptions,
  rejectionBody,
} from './real-limiter.ts';

/**
 * koa-ratelimit in memory; its own Retry-After, which is rounded down and so too early, goes into the body as well.
 */
export async function startKoa({ limit, windowSeconds }: RealLimiterOptions): Promise<RealLimiter> {
  const app = new Koa();
  app.use(async (context, next) => {
    await next();
    if (context.status !== 429) return;
    context.body = rejectionBody(Number(context.response.get('Retry-After')));
  });
  app.use(
    ratelimit({
      driver: 'memory',
      db: new Map<string, never>(),
      duration: windowSeconds * 1000,
      max: limit,
      id: ({ ip }) => ip,
    }),
  );
  app.use((context) => {
    if (context.path === PATH) context.body = CHAINS;
  });
  const handle = app.callback();
  const server = await listenOnLoopback((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  return { url: urlOf(server), close: closing(server) };
}
