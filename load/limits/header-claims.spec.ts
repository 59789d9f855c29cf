import { expect, test } from 'vitest';
import type { LimitEstimate } from '../../contracts/limit-measurement.ts';
import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { headerClaims, type ToldEvent } from './header-claims.ts';

const EPOCH_MS = Date.UTC(2026, 0, 1);
const FOUND: LimitEstimate = {
  verdict: 'identified',
  algorithms: ['fixed-window'],
  limit: 3,
  windowSeconds: 10,
};

/** Three admitted a second apart, one rejected, one admitted in the next window. */
function told(headersAt: (second: number) => HeaderList): ToldEvent[] {
  return [0, 1, 2, 3, 11].map((second) => ({
    sentMs: second * 1000,
    receivedMs: second * 1000,
    receivedEpochMs: EPOCH_MS + second * 1000,
    outcome: second === 3 ? 'rejected' : 'admitted',
    headers: headersAt(second),
  }));
}

const remainingAt = (second: number): number => (second > 10 ? 2 : Math.max(0, 2 - second));
const resetAt = (second: number): number => (second > 10 ? 21 : 10) - second;

test.each<[string, (second: number) => HeaderList, readonly string[]]>([
  [
    'what is right is said to be so',
    (second) => [
      ['RateLimit-Policy', '"a";q=3;w=10'],
      ['RateLimit', `"a";r=${remainingAt(second)};t=${resetAt(second)}`],
    ],
    ['structured: a limit of 3 requests, as measured', 'structured: a window of 10 s, as measured'],
  ],
  [
    'what is wrong is held against what was measured',
    () => [['RateLimit-Limit', '100, 100;w=60']],
    ['separate: a limit of 100 requests, measured 3', 'separate: a window of 60 s, measured 10 s'],
  ],
  [
    'remaining may rise with a new window, but not inside of one',
    (second) => [['X-RateLimit-Remaining', String(second === 2 ? 3 : remainingAt(second))]],
    ['x-ratelimit: remaining rises inside a window'],
  ],
  [
    'a reset that is always as far away drifts',
    () => [['X-RateLimit-Reset', '10']],
    ['x-ratelimit: reset drifts by 3 s'],
  ],
  [
    'a reset as a moment stands still',
    (second) => [['X-RateLimit-Reset', String(EPOCH_MS / 1000 + (second > 10 ? 21 : 10))]],
    [],
  ],
  ['nothing told is nothing claimed', () => [['Retry-After', '1']], []],
])('%s', (_, headersAt, claims) => {
  expect(headerClaims(told(headersAt), FOUND)).toEqual(claims);
});

test('where windows slide or tokens drip, remaining rises and resets move of right', () => {
  const events = told((second) => [
    ['RateLimit-Remaining', String(second)],
    ['RateLimit-Reset', '10'],
  ]);
  const bucket: LimitEstimate = { verdict: 'identified', algorithms: ['token-bucket'], burst: 3 };
  expect(headerClaims(events, bucket)).toEqual([]);
});

test('without a measured limit the claim stands alone', () => {
  const events = told(() => [['X-RateLimit-Limit', '100']]);
  const nothing: LimitEstimate = { verdict: 'above-budget', algorithms: [] };
  expect(headerClaims(events, nothing)).toEqual(['x-ratelimit: a limit of 100 requests']);
});

test('more in a row than a limit that is claimed is told, where none was measured', () => {
  const events = told(() => [['X-RateLimit-Limit', '10']]);
  const admitted = (requests: number): LimitEstimate => ({
    verdict: 'composite',
    algorithms: [],
    admitted: { requests, seconds: 0.5 },
  });
  expect(headerClaims(events, admitted(20))).toEqual([
    'x-ratelimit: a limit of 10 requests, 20 admitted in a row, in 0.5 s',
  ]);
  expect(headerClaims(events, admitted(10))).toEqual(['x-ratelimit: a limit of 10 requests']);
});
