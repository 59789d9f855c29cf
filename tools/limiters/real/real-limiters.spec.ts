import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { isThrottled } from '../../../contracts/service/wire/error-body.ts';
import {
  type RealLimiter,
  REAL_LIMITERS,
  type RealLimiterName,
  startRealLimiter,
} from './index.ts';
import { NPM_TRUTHS } from './npm-truths.ts';

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly field: string | null;
}

async function ask({ url }: RealLimiter): Promise<Answer> {
  const response = await fetch(`${url}/v1/config/chains`);
  const json = (await response.json()) as Answer['json'];
  return { status: response.status, json, field: response.headers.get('Retry-After') };
}

async function askTimes(limiter: RealLimiter, times: number): Promise<number[]> {
  const seen: number[] = [];
  for (let count = 0; count < times; count += 1) seen.push((await ask(limiter)).status);
  return seen;
}

async function using(
  name: RealLimiterName,
  windowSeconds: number,
  use: (limiter: RealLimiter) => Promise<void>,
): Promise<void> {
  const limiter = await startRealLimiter(name, { limit: 3, windowSeconds });
  try {
    await use(limiter);
  } finally {
    await limiter.close();
  }
}

describe.each(REAL_LIMITERS)('%s', (name) => {
  const { limit: admits } = NPM_TRUTHS[name]({ limit: 3, windowSeconds: 10 });

  test('admits its limit, then refuses in the typed way and says how long to wait', async () => {
    await using(name, 10, async (limiter) => {
      expect(await askTimes(limiter, admits)).toEqual(Array(admits).fill(200));
      const { status, json, field } = await ask(limiter);
      expect(status).toBe(429);
      expect(isThrottled(status, json)).toBe(true);
      const { retryAfter } = json;
      expect(field).toBe(String(retryAfter));
      expect(retryAfter).toSatisfy((seconds: number) => seconds >= 3 && seconds <= 20);
    });
  });
});

describe('what their truths say', () => {
  const windows = async (
    name: RealLimiterName,
    atSeconds: readonly number[],
  ): Promise<number[]> => {
    const seen: number[] = [];
    await using(name, 1, async (limiter) => {
      seen.push(...(await askTimes(limiter, 4)));
      const startMs = performance.now();
      for (const at of atSeconds) {
        await sleep(startMs + at * 1000 - performance.now());
        seen.push((await ask(limiter)).status);
      }
    });
    return seen;
  };

  test.concurrent.each<[RealLimiterName, readonly number[], readonly number[]]>([
    ['express-rate-limit', [0.7, 1.1], [429, 200]],
    ['rate-limiter-flexible', [0.7, 1.1], [429, 200]],
    ['rate-limiter-flexible block', [1.2, 2.2], [429, 200]],
    ['@fastify/rate-limit', [0.7, 1.1], [429, 200]],
    ['@fastify/rate-limit continueExceeding', [0.7, 1.4, 2.6], [429, 429, 200]],
    ['@fastify/rate-limit ban', [0.5, 0.6, 0.7, 1.2], [429, 429, 403, 200]],
    ['koa-ratelimit', [0.7, 1.1], [429, 200]],
    // A third of the tokens is back by then, but the interval is spent.
    ['limiter', [0.7, 1.1], [429, 200]],
    // Asked again if a busy machine asked too late for a window.
  ])('%s', { retry: 5 }, async (name, atSeconds, statuses) => {
    expect(await windows(name, atSeconds)).toEqual([200, 200, 200, 429, ...statuses]);
  });
});
