import { describe, expect, test } from 'vitest';
import { member } from '../../contracts/wire/json.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { createFakeClock, type FakeClock } from '../../fixtures/clocks/fake-clock.testkit.ts';
import { createGovernor, type Budget, type Governor } from './governor.ts';

const UNLIMITED: Budget = { maxRequests: Infinity, maxSeconds: Infinity, maxRejects: Infinity };

/** Decides about a request at a time: undefined when admitted, else the `retryAfter` to answer. */
type Limiter = (nowMs: number) => { readonly retryAfter?: number } | undefined;

function fixedWindow(limit: number, windowMs: number, exact = false): Limiter {
  let window = -1;
  let count = 0;
  return (nowMs) => {
    const current = Math.floor(nowMs / windowMs);
    if (current !== window) count = 0;
    window = current;
    count += 1;
    if (count <= limit) return undefined;
    const seconds = ((current + 1) * windowMs - nowMs) / 1000;
    return { retryAfter: exact ? seconds : Math.ceil(seconds) };
  };
}

function slidingLog(limit: number, windowMs: number): Limiter {
  let log: number[] = [];
  return (nowMs) => {
    log = log.filter((atMs) => atMs > nowMs - windowMs);
    if (log.length >= limit) return { retryAfter: 1 };
    log.push(nowMs);
    return undefined;
  };
}

function tokenBucket(perSecond: number, burst: number, retryAfter?: number): Limiter {
  let tokens = burst;
  let lastMs = 0;
  return (nowMs) => {
    tokens = Math.min(burst, tokens + ((nowMs - lastMs) * perSecond) / 1000);
    lastMs = nowMs;
    if (tokens < 1) return retryAfter === undefined ? {} : { retryAfter };
    tokens -= 1;
    return undefined;
  };
}

interface Drive {
  readonly rejects: number;
  readonly perSecond: number;
}

/** Sends until so many requests are admitted; 5 ms to the service, 5 ms back. */
async function drive(limiter: Limiter, workers: number, total = 300): Promise<Drive> {
  const clock = createFakeClock(1_000_400);
  const startMs = clock.nowMs();
  const governor = createGovernor({ waitIn: TYPED_ERRORS.waitIn, budget: UNLIMITED, clock });
  let admitted = 0;
  const worker = async (): Promise<void> => {
    while (admitted < total) {
      const ticket = await governor.admit('zap');
      await clock.sleep(5);
      const refusal = limiter(clock.nowMs());
      await clock.sleep(5);
      if (refusal === undefined) admitted += 1;
      governor.settle(
        ticket,
        refusal === undefined
          ? { kind: 'answered' }
          : { kind: 'throttled', json: refusal, headers: [] },
      );
    }
  };
  await clock.run(Promise.all(Array.from({ length: workers }, worker)));
  const seconds = (clock.nowMs() - startMs) / 1000;
  return { rejects: governor.spent.rejects, perSecond: admitted / seconds };
}

async function throttle(
  governor: Governor,
  clock: FakeClock,
  json: unknown,
  headers: HeaderList = [],
): Promise<number> {
  const ticket = await clock.run(governor.admit('zap'));
  governor.settle(ticket, { kind: 'throttled', json, headers });
  const rejectedMs = clock.nowMs();
  const next = await clock.run(governor.admit('zap'));
  return next.sentMs - rejectedMs;
}

describe('pace', () => {
  test.each<[string, Limiter]>([
    ['a fixed window', fixedWindow(3, 1_000)],
    ['a fixed window that says the exact wait', fixedWindow(3, 1_000, true)],
    ['a sliding log', slidingLog(3, 1_000)],
    ['a token bucket', tokenBucket(3, 3, 1)],
    ['a token bucket with fractions of a second', tokenBucket(3, 3, 0.34)],
    ['a token bucket that does not say the wait', tokenBucket(3, 30)],
  ])(
    '%s of 3 requests a second gives few rejects and 90 %% of its rate',
    async (_what, limiter) => {
      const { rejects, perSecond } = await drive(limiter, 1);
      expect(rejects).toBeLessThanOrEqual(10);
      expect(perSecond).toBeGreaterThan(2.7);
    },
  );

  test.each<[string, Limiter]>([
    ['a fixed window', fixedWindow(3, 1_000)],
    ['a token bucket', tokenBucket(3, 3, 1)],
  ])('%s: rejects in flight together count as one', async (_what, limiter) => {
    const { rejects, perSecond } = await drive(limiter, 8);
    // The first burst costs one reject for each worker.
    expect(rejects).toBeLessThanOrEqual(8 + 10);
    expect(perSecond).toBeGreaterThan(2.7);
  });

  test('a limit per minute is met without bursts of rejects', async () => {
    const { rejects } = await drive(fixedWindow(60, 60_000), 4, 150);
    expect(rejects).toBeLessThanOrEqual(4 + 4);
  });

  test('without a limit nothing is spaced', async () => {
    const { perSecond } = await drive(() => undefined, 1);
    expect(perSecond).toBeCloseTo(100);
  });

  test('a limit on one API does not slow another', async () => {
    const clock = createFakeClock();
    const governor = createGovernor({ waitIn: TYPED_ERRORS.waitIn, budget: UNLIMITED, clock });
    const ticket = await governor.admit('zap');
    governor.settle(ticket, { kind: 'throttled', json: { retryAfter: 30 }, headers: [] });
    const other = await governor.admit('trade');
    expect(other.sentMs).toBe(ticket.sentMs);
  });
});

describe('the wait that an answer asks for', () => {
  const date = 'Sun, 06 Nov 1994 08:49:37 GMT';
  const later = 'Sun, 06 Nov 1994 08:49:44 GMT';

  test.each([
    ['retryAfter', { retryAfter: 7 }],
    ['pause', { pause: 7 }],
  ])('is read if the body of the service has it: %s', async (name, json) => {
    const clock = createFakeClock();
    const waitIn = (body: unknown): unknown => member(body, name);
    const governor = createGovernor({ budget: UNLIMITED, clock, waitIn });
    expect(await throttle(governor, clock, json)).toBeGreaterThanOrEqual(7_000);
    expect(await throttle(governor, clock, { other: 7 })).toBeLessThan(7_000);
  });

  test.each<[string, unknown, HeaderList, number]>([
    ['the body, in seconds', { retryAfter: 7 }, [['Retry-After', '3']], 7_000],
    ['the body, with a fraction', { retryAfter: 0.25 }, [], 250],
    ['the field, in seconds', {}, [['Retry-After', '3']], 3_000],
    [
      'the field, as a date against that of the answer',
      {},
      [
        ['Retry-After', later],
        ['Date', date],
      ],
      7_000,
    ],
    [
      'the field, when the body makes no sense',
      { retryAfter: 60_000 },
      [['Retry-After', '3']],
      3_000,
    ],
    ['nothing', undefined, [], 1_000],
    ['a negative wait', { retryAfter: -5 }, [], 1_000],
    ['no wait', { retryAfter: 0 }, [], 1_000],
    ['more than a minute', { retryAfter: 61 }, [], 1_000],
    ['text', { retryAfter: '7' }, [], 1_000],
    ['not a number', { retryAfter: NaN }, [], 1_000],
    ['a field that is not HTTP', {}, [['Retry-After', '1.5']], 1_000],
    ['a date long past', {}, [['Retry-After', date]], 1_000],
  ])('%s', async (_what, json, headers, waitMs) => {
    const clock = createFakeClock();
    const governor = createGovernor({ waitIn: TYPED_ERRORS.waitIn, budget: UNLIMITED, clock });
    const waited = await throttle(governor, clock, json, headers);
    expect(waited).toBeGreaterThanOrEqual(waitMs);
    expect(waited).toBeLessThanOrEqual(waitMs * 1.1);
  });

  test('backs off further each time, up to a minute', async () => {
    const clock = createFakeClock();
    const governor = createGovernor({ waitIn: TYPED_ERRORS.waitIn, budget: UNLIMITED, clock });
    const waits: number[] = [];
    let ticket = await governor.admit('zap');
    for (let at = 0; at < 8; at += 1) {
      governor.settle(ticket, { kind: 'throttled', json: {}, headers: [] });
      const rejectedMs = clock.nowMs();
      ticket = await clock.run(governor.admit('zap'));
      waits.push(Math.round((ticket.sentMs - rejectedMs) / 1000));
    }
    expect(waits.slice(0, 3)).toEqual([1, 2, 4]);
    expect(waits.at(-1)).toBe(60);
  });
});
