import express, { type RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { listenOnLoopback, urlOf } from '../listening.ts';
import { CHAINS, PATH, type RealLimiterOptions, rejectionBody } from '../real-limiter.ts';

/** Its name on the command line of the server. */
export const STACKED_EXPRESS = 'express-rate-limit, two of them';

/** The outer one admits this many times as much in this many times the window. */
export const OUTER_LIMITS = 4;
export const OUTER_WINDOWS = 10;

/** express-rate-limit twice: what the first one rejects, the second one does not count. */
export async function startStackedExpress({
  limit,
  windowSeconds,
}: RealLimiterOptions): Promise<{ readonly url: string }> {
  const app = express();
  app.use(
    limiter(limit, windowSeconds),
    limiter(OUTER_LIMITS * limit, OUTER_WINDOWS * windowSeconds),
  );
  app.get(PATH, (_request, response) => {
    response.json(CHAINS);
  });
  const listener: unknown = app;
  const server = await listenOnLoopback(listener as Parameters<typeof listenOnLoopback>[0]);
  return { url: urlOf(server) };
}

function limiter(limit: number, windowSeconds: number): RequestHandler {
  return rateLimit({
    windowMs: windowSeconds * 1000,
    limit,
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_request, response) => {
      response.status(429).json(rejectionBody(undefined));
    },
  });
}
