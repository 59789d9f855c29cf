import { describe, expect, test } from 'vitest';
import { PLAIN_ERRORS } from '../../contracts/wire/error-reading.ts';
import { member } from '../../contracts/wire/json.ts';
import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { EPOCH_MS, reported } from './reported.testkit.ts';

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
    expect(reported(status).outcome).toBe(outcome);
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
    expect(reported(status, 0, { body: { code } }).outcome).toBe(outcome);
  });

  test.each<[string, HeaderList, object, number | undefined]>([
    ['the body', [], { retryAfter: 7 }, 7],
    ['the field', [['Retry-After', '5']], {}, 5],
    ['the shorter one', [['Retry-After', '8']], { retryAfter: 6 }, 6],
    ['milliseconds, where nobody would wait so long', [], { retryAfter: 6000 }, 6],
    ['nothing', [], { retryAfter: 'soon' }, undefined],
  ])('hints at a wait by %s', (_, headers, body, seconds) => {
    expect(reported(429, 0, { headers, body }).retryAfterSeconds).toBe(seconds);
  });

  test('hints at a wait where the service says that it stands', () => {
    const body = { retryAfter: 7, pause: 4 };
    const pausing = { ...PLAIN_ERRORS, waitIn: (json: unknown) => member(json, 'pause') };
    const { retryAfterSeconds, bodyWait } = reported(429, 0, { body, errors: pausing });
    expect({ retryAfterSeconds, bodyWait }).toEqual({ retryAfterSeconds: 4, bodyWait: 4 });
    expect(reported(429, 0, { body, errors: PLAIN_ERRORS }).retryAfterSeconds).toBeUndefined();
  });

  test('claims a limit in its headers', () => {
    const headers: HeaderList = [
      ['X-RateLimit-Limit', '10'],
      ['X-RateLimit-Remaining', '4'],
    ];
    expect(reported(200, 0, { headers }).report).toEqual({ limit: 10, remaining: 4 });
  });
});

test.each([
  ['4', 4],
  ['0', 0],
  ['-3', undefined],
])('%s left by the headers are %s to the probe', (text, remaining) => {
  const headers: HeaderList = [['X-RateLimit-Remaining', text]];
  expect(reported(429, 0, { headers }).report?.remaining).toBe(remaining);
});

test('a request is taken to be sent a millisecond early: services cut their times off', () => {
  const { sentMs, receivedMs } = reported(200, 40, { tripMs: 7 });
  expect([sentMs, receivedMs]).toEqual([EPOCH_MS + 39, EPOCH_MS + 47]);
});

test('of several limits the one with the fewest requests left is claimed', () => {
  const headers: HeaderList = [
    ['X-RateLimit-Remaining', '90'],
    ['RateLimit', '"second";r=4;t=1'],
  ];
  for (const one of [headers, headers.toReversed()]) {
    expect(reported(200, 0, { headers: one }).report).toMatchObject({ remaining: 4 });
  }
});

test('a reset is claimed as a time from now, never as a moment', () => {
  const reset = (value: number): number | undefined =>
    reported(200, 0, {
      headers: [
        ['X-RateLimit-Reset', String(value)],
        ['X-RateLimit-Remaining', '1'],
      ],
    }).report?.resetSeconds;
  expect(reset(30)).toBe(30);
  expect(reset(EPOCH_MS / 1000 + 30)).toBeUndefined();
});
