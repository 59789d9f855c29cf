import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { PLAIN_ERRORS } from '../../contracts/wire/error-reading.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Client, ClientRequest, ExchangeListener } from '../../target/transport/client.ts';
import { BudgetExceeded, Interrupted } from '../../target/budget/governor.ts';
import { prepareBurst } from './burst.ts';

interface Rig {
  /** Sends a request as a drive would, before the burst. */
  readonly drive: (
    headers?: Readonly<Record<string, string>>,
    status?: number,
    asked?: Readonly<Record<string, string>>,
  ) => void;
  readonly burst: (budget?: number) => Promise<string[]>;
  readonly sent: ClientRequest[];
}

/** An API at a host that throttles from a certain request of the burst on. */
function rig(
  throttledFrom = Infinity,
  {
    host = '127.0.0.1',
    error,
    spacingMs = 0,
  }: { host?: string; error?: Error; spacingMs?: number } = {},
): Rig {
  const listeners: ExchangeListener[] = [];
  const sent: ClientRequest[] = [];
  const at = (status: number, headers: Readonly<Record<string, string>> = {}): Exchange => {
    const exchange = exchangeOf({ status, headers });
    return {
      ...exchange,
      sentAtMs: sent.length * spacingMs,
      request: { ...exchange.request, url: `http://${host}/v1/config/chains` },
    };
  };
  const client: Client = {
    send: (request) => {
      sent.push(request);
      if (error !== undefined) return Promise.reject(error);
      return Promise.resolve(at(sent.length >= throttledFrom ? 429 : 200));
    },
    listen: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const burst = prepareBurst({
    ...{ client, apis: new Set(['zap', 'trade', 'docs'] as const) },
    contract: { errors: PLAIN_ERRORS },
    service: { cheapRequests: { zap: ['GET /v1/config/chains'] } },
  });
  return {
    drive: (headers, status = 200, asked = {}) => {
      const exchange = at(status, headers);
      const request = { ...exchange.request, headers: Object.entries(asked) };
      const sentOf = { api: 'zap', method: 'GET', path: '/', purpose: exchange.purpose } as const;
      for (const listener of listeners) listener({ ...exchange, request }, sentOf);
    },
    burst: (budget = 1_000) => burst.send(() => budget - sent.length),
    sent,
  };
}

describe('a burst', () => {
  test('sends a few waves if nothing states a limit, each request once', async () => {
    const { drive, burst, sent } = rig();
    drive();
    expect(await burst()).toEqual([]);
    expect(sent).toHaveLength(48);
    expect(sent[0]).toMatchObject({
      api: 'zap',
      method: 'GET',
      path: '/v1/config/chains',
      attempts: 1,
    });
  });

  test('ends with the wave that is throttled, and is reported', async () => {
    const { drive, burst, sent } = rig(20);
    drive();
    expect(await burst()).toEqual([expect.stringContaining('Up to 32 equal requests')]);
    expect(sent).toHaveLength(32);
  });

  test('goes as far as is said to be left, if that is near', async () => {
    const near = rig();
    near.drive({ 'X-RateLimit-Remaining': '100' });
    await near.burst();
    expect(near.sent).toHaveLength(128);
    const far = rig();
    far.drive({ 'X-RateLimit-Remaining': '900' });
    await far.burst();
    expect(far.sent).toHaveLength(48);
  });

  test('goes as far as the tightest of several limits', async () => {
    const { drive, burst, sent } = rig();
    drive({ RateLimit: '"second";r=5;t=1, "hour";r=100;t=3600' });
    await burst();
    expect(sent).toHaveLength(32);
  });

  test('does not reckon with what a key has left, nor with what its request was', async () => {
    const { drive, burst, sent } = rig();
    const withKey = { authorization: 'Bearer key' };
    drive({ 'X-RateLimit-Remaining': '100' }, 200, withKey);
    expect(await burst()).toEqual([]);
    expect(sent).toEqual([]);
    drive();
    drive({ 'X-RateLimit-Remaining': '100' }, 200, withKey);
    await burst();
    expect(sent).toHaveLength(48);
  });

  test('repeats no request that its key may have answered', async () => {
    const { drive, burst, sent } = rig();
    drive({}, 200, { 'Idempotency-Key': 'one' });
    await burst();
    expect(sent).toEqual([]);
  });

  test('ends if requests are held back, so that none of it is a burst', async () => {
    const { drive, burst, sent } = rig(Infinity, { spacingMs: 100 });
    drive();
    expect(await burst()).toEqual([]);
    expect(sent).toHaveLength(16);
  });

  test('keeps to the budget', async () => {
    const { drive, burst, sent } = rig();
    drive();
    await burst(20);
    expect(sent).toHaveLength(16);
  });

  test('is for a service of one’s own', async () => {
    const { drive, burst, sent } = rig(Infinity, { host: 'zap.somebody' });
    drive();
    expect(await burst()).toEqual([]);
    expect(sent).toEqual([]);
  });

  test('is not needed if a request was throttled before, nor possible if none was served', async () => {
    const throttled = rig();
    throttled.drive();
    throttled.drive({}, 429);
    await throttled.burst();
    expect(throttled.sent).toEqual([]);
    const once = rig();
    once.drive({}, 429);
    once.drive();
    await once.burst();
    expect(once.sent).toEqual([]);
    const refusing = rig();
    refusing.drive({}, 500);
    await refusing.burst();
    expect(refusing.sent).toEqual([]);
  });

  test('ends if the budget does, and says so if it is interrupted', async () => {
    const ended = rig(Infinity, { error: new BudgetExceeded('requests', 1) });
    ended.drive();
    expect(await ended.burst()).toEqual([]);
    expect(ended.sent).toHaveLength(16);
    const interrupted = rig(Infinity, { error: new Interrupted() });
    interrupted.drive();
    await expect(interrupted.burst()).rejects.toThrow(Interrupted);
  });
});
