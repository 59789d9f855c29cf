import type { Server } from 'node:http';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { closing, urlOf } from './listening.ts';
import {
  CHAINS,
  PATH,
  type RealLimiter,
  type RealLimiterOptions,
  rejectionBody,
} from './real-limiter.ts';

/** express-rate-limit in memory, with the headers of draft 8. */
export async function startExpressRateLimit({
  limit,
  windowSeconds,
}: RealLimiterOptions): Promise<RealLimiter> {
  const app = express();
  app.use(
    rateLimit({
      windowMs: windowSeconds * 1000,
      limit,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      handler: (_request, response) => {
        const header = response.getHeader('Retry-After');
        response.status(429).json(rejectionBody(Number(header)));
      },
    }),
  );
  app.get(PATH, (_request, response) => {
    response.json(CHAINS);
  });
  const server = await new Promise<Server>((resolve) => {
    const listening: Server = app.listen(0, '127.0.0.1', () => {
      resolve(listening);
    });
  });
  return { url: urlOf(server), close: closing(server) };
}
