import { describe, expect, test } from 'vitest';
import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { createVirtualClock } from '../../fixtures/target/budget/virtual-clock.ts';
import { BudgetExceeded } from '../../fixtures/target/budget/governor.ts';
import type { ClassEstimate } from '../limits/estimate/estimate.ts';
import { bucketsOf } from '../service/buckets.ts';
import { toldOf, type Told } from './courier.ts';
import { predictedLevels } from './predict.ts';
import { createPurse } from './purse.ts';
import { stopAfter } from './stops.ts';
import { localWallClock, wallClock } from './wall-clock.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import { rejectionTest } from './rejections.ts';

const EPOCH_MS = Date.UTC(2026, 0, 1);

function told(
  status: number,
  atMs = 0,
  changes: { headers?: HeaderList; body?: object; tripMs?: number } = {},
): Told {
  const { headers = [], body = {}, tripMs = 10 } = changes;
  return toldOf(
    {
      id: 'x00001',
      api: 'zap',
      purpose: { kind: 'unknown' },
      relations: [],
      request: { method: 'GET', url: 'http://zap.test/', path: '/', headers: [], body: null },
      outcome: {
        kind: 'response',
        response: { status, headers, body: { encoding: 'utf8', text: JSON.stringify(body) } },
      },
      sentAtMs: EPOCH_MS + atMs,
      latencyMs: tripMs,
    },
    900,
    rejectionTest(TYPED_ERRORS),
  );
}

describe('an exchange', () => {
  test.each([
    [200, 'admitted'],
    [400, 'admitted'],
    [429, 'rejected'],
    [401, 'failed'],
    [403, 'failed'],
    [404, 'failed'],
    [503, 'failed'],
  ])('with status %i is %s', (status, outcome) => {
    expect(told(status).outcome).toBe(outcome);
  });

  test.each([
    [429, 'BUSY', 'rejected'],
    [429, 'rate_limited', 'rejected'],
    [503, 'RATE_LIMITED', 'rejected'],
    [503, 'rate_limited', 'rejected'],
    [403, 'RateLimitExceeded', 'rejected'],
    [400, 'TOO-MANY-REQUESTS', 'rejected'],
    [503, 'UNAVAILABLE', 'failed'],
    [400, 'INVALID_LIMIT', 'admitted'],
    [200, 'RATE_LIMITED', 'admitted'],
  ])('with status %i and the code %s is %s', (status, code, outcome) => {
    expect(told(status, 0, { body: { code } }).outcome).toBe(outcome);
  });

  test.each<[string, HeaderList, object, number | undefined]>([
    ['the body', [], { retryAfter: 7 }, 7],
    ['the field', [['Retry-After', '5']], {}, 5],
    ['the shorter one', [['Retry-After', '8']], { retryAfter: 6 }, 6],
    ['milliseconds, where nobody would wait so long', [], { retryAfter: 6000 }, 6],
    ['nothing', [], { retryAfter: 'soon' }, undefined],
  ])('hints at a wait by %s', (_, headers, body, seconds) => {
    expect(told(429, 0, { headers, body }).retryAfterSeconds).toBe(seconds);
  });

  test('claims a limit in its headers', () => {
    const headers: HeaderList = [
      ['X-RateLimit-Limit', '10'],
      ['X-RateLimit-Remaining', '4'],
    ];
    expect(told(200, 0, { headers }).claim).toEqual({ limit: 10, remaining: 4 });
  });
});

test.each([
  ['4', 4],
  ['0', 0],
  ['-3', 0],
])('%s left by the headers are %i to the probe', (text, remaining) => {
  const headers: HeaderList = [['X-RateLimit-Remaining', text]];
  expect(told(429, 0, { headers }).claim).toEqual({ remaining });
});

describe('a probe stops', () => {
  const calm = Array.from({ length: 12 }, (_, at) => told(200, at * 20));
  const slow = Array.from({ length: 9 }, (_, at) => told(200, 1000 + at * 500, { tripMs: 400 }));

  test('not while all is well', () => {
    expect(stopAfter(calm, 900)).toBeNull();
    expect(stopAfter([...calm, told(429, 1000, { body: { retryAfter: 60_000 } })], 900)).toBeNull();
    expect(stopAfter([...calm, ...slow.slice(1)], 900)).toBeNull();
  });

  const fails = (status: number, times: number): Told[] =>
    Array.from({ length: times }, (_, at) => told(status, 1000 + at * 20));

  test('not for an error of the server now and then', () => {
    expect(stopAfter([...calm, ...fails(503, 1)], 900)).toBeNull();
    expect(stopAfter([...calm, ...fails(500, 2)], 900)).toBeNull();
    const rare = [...fails(502, 1), ...calm.slice(4), ...fails(502, 1), ...calm, ...fails(502, 1)];
    expect(stopAfter(rare, 900)).toBeNull();
  });

  test('when errors of the server come one after another, or often', () => {
    expect(stopAfter([...calm, ...fails(503, 3)], 900)).toBe('it answered 503 3 times in a row');
    const often = [...calm, ...fails(500, 2), ...calm.slice(8), ...fails(500, 1)];
    expect(stopAfter(often, 900)).toBe(
      'it answered 500, and 3 of the last 19 answers were errors of the server',
    );
  });

  test.each([401, 403, 404, 501])('at once when it answers %i', (status) => {
    expect(stopAfter([...calm, ...fails(status, 1)], 900)).toBe(`it answered ${status}`);
  });

  test('when answers become slow', () => {
    expect(stopAfter([...calm, ...slow], 900)).toContain('three times as long');
  });

  test('when a wait is too long in whatever unit', () => {
    const body = { retryAfter: 901_000 };
    expect(stopAfter([told(429, 0, { body })], 900)).toContain('--long');
    expect(stopAfter([told(429, 0, { body })], 86_400)).toBeNull();
  });
});

describe('the clock of the target', () => {
  const dated = (atMs: number, date: string): Told =>
    told(200, atMs, { headers: [['Date', date]] });

  test('is told the better the more dates there are', () => {
    const one = dated(200, 'Thu, 01 Jan 2026 00:00:05 GMT');
    const more = [
      dated(1100, 'Thu, 01 Jan 2026 00:00:06 GMT'),
      one,
      dated(900, 'Thu, 01 Jan 2026 00:00:05 GMT'),
    ];
    expect(wallClock([one])?.uncertaintyMs).toBeGreaterThan(500);
    const wall = wallClock(more);
    expect(Math.abs((wall?.offsetMs ?? 0) - 4950)).toBeLessThan(100);
    expect(wall?.uncertaintyMs).toBeLessThan(200);
  });

  test('is ours on this machine, unless its dates say otherwise', () => {
    expect(localWallClock([dated(200, 'Thu, 01 Jan 2026 00:00:00 GMT')])?.offsetMs).toBe(0);
    expect(localWallClock([dated(200, 'Thu, 01 Jan 2026 00:00:09 GMT')])?.offsetMs).not.toBe(0);
    expect(localWallClock([told(200)])?.offsetMs).toBe(0);
  });
});

describe('a purse', () => {
  const open = (changes: object) =>
    createPurse(
      { maxRequests: 3, maxRejects: 2, maxSeconds: 10, maxRatePerSecond: 10, ...changes },
      createVirtualClock(0),
    );
  test('spaces requests, and ends with the last of them', async () => {
    const purse = open({});
    for (const sentMs of [0, 102, 204]) expect((await purse.admit('zap')).sentMs).toBe(sentMs);
    await expect(purse.admit('zap')).rejects.toThrow(BudgetExceeded);
    expect(purse.left.requests).toBe(0);
  });

  test('ends with the last rejection', async () => {
    const purse = open({ maxRequests: 9 });
    for (let at = 0; at < 2; at += 1) {
      purse.settle(await purse.admit('zap'), { kind: 'throttled', json: {}, headers: [] });
    }
    await expect(purse.admit('zap')).rejects.toThrow('2 throttled answers');
  });
});

test('no key is sent to zap, and it is asked of from trade alone', () => {
  const credential = { bearer: 'k', public: true };
  const buckets = bucketsOf({ apis: ['zap', 'trade'], keys: [{ name: 'K', credential }] });
  expect(buckets.map(({ api, client }) => [api, client])).toEqual([
    ['zap', 'address'],
    ['trade', 'address'],
    ['trade', 'key'],
  ]);
  const asks = buckets.flatMap(({ variations, plain }) => [
    plain,
    ...variations.map(({ ask }) => ask(0)),
  ]);
  expect(asks.filter(({ api }) => api === 'zap').every((ask) => ask.credential === undefined)).toBe(
    true,
  );
  const other = buckets.map(({ variations }) =>
    variations.some(({ kind }) => kind === 'other-api'),
  );
  expect(other).toEqual([false, true, false]);
});

describe('the model of the plot', () => {
  const at = (value: number) => ({ value, lo: value, hi: value });
  const base = { share: 1, limit: at(2), windowSeconds: at(10) };
  const events = [0, 100, 200].map((ms) => told(ms < 200 ? 200 : 429, ms, { tripMs: 1 }));
  const recovered = [...events, told(200, 12_000, { tripMs: 1 })];
  const leftAt = (model: ClassEstimate, seconds: number): number | undefined =>
    predictedLevels(model, recovered)
      .filter(({ atMs }) => atMs <= EPOCH_MS + seconds * 1000)
      .at(-1)?.left;

  test.each<[ClassEstimate, number, number]>([
    [{ ...base, class: 'fixed-window' }, 9, 0],
    [{ ...base, class: 'fixed-window' }, 11, 2],
    [{ ...base, class: 'sliding-log' }, 10.06, 1],
    [{ ...base, class: 'sliding-log-counting-rejects' }, 10.06, 0],
    [{ ...base, class: 'restart-on-reject' }, 10.1, 0],
    [{ ...base, class: 'token-bucket', refillPerSecond: at(0.5) }, 3, 1],
    [{ ...base, class: 'penalty', penaltySeconds: at(5) }, 4, 0],
    [{ ...base, class: 'penalty', penaltySeconds: at(5) }, 6, 2],
  ])('%o at %d s has %d left', (model, seconds, left) => {
    expect(leftAt(model, seconds)).toBe(left);
  });
});
