import { describe, expect, test } from 'vitest';
import type { LimitEstimate } from '../../../contracts/run/load/limit-measurement.ts';
import type { HeaderList } from '../../../contracts/wire/exchange.ts';
import { headerClaims, type ReportedEvent } from './header-claims.ts';

const EPOCH_MS = Date.UTC(2026, 0, 1);
const FOUND: LimitEstimate = {
  verdict: 'identified',
  algorithms: ['fixed-window'],
  limit: 3,
  windowSeconds: 10,
};

/** Three admitted a second apart, one rejected, one admitted in the next window. */
function reported(headersAt: (second: number) => HeaderList): ReportedEvent[] {
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
  expect(headerClaims(reported(headersAt), FOUND)).toEqual(claims);
});

test('where windows slide or tokens drip, remaining rises and resets move of right', () => {
  const events = reported((second) => [
    ['RateLimit-Remaining', String(second)],
    ['RateLimit-Reset', '10'],
  ]);
  const bucket: LimitEstimate = {
    verdict: 'identified',
    algorithms: ['token-bucket'],
    burst: 3,
    limit: 3,
  };
  expect(headerClaims(events, bucket)).toEqual([]);
});

test('without a measured limit the claim stands alone', () => {
  const events = reported(() => [['X-RateLimit-Limit', '100']]);
  const nothing: LimitEstimate = { verdict: 'above-budget', algorithms: [] };
  expect(headerClaims(events, nothing)).toEqual(['x-ratelimit: a limit of 100 requests']);
});

test('more in a row than a limit that is claimed is told, where none was measured', () => {
  const events = reported(() => [['X-RateLimit-Limit', '10']]);
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

test('and more in a window that is claimed than the limit', () => {
  const nothing: LimitEstimate = { verdict: 'composite', algorithms: [] };
  const told = (limit: number, seconds: number): readonly string[] =>
    headerClaims(
      reported(() => [['RateLimit-Policy', `${limit};w=${seconds}`]]),
      nothing,
    ).filter((claim) => claim.includes('limit'));
  const [of1, of2, of3] = [1, 2, 3].map((limit) => told(limit, 3)[0] ?? '');
  expect(of1).toMatch(/: a limit of 1 requests, measured up to 3 within 3 s$/);
  expect(of2).toMatch(/: a limit of 2 requests, measured up to 3 within 3 s, as two windows that/);
  expect(of3).toMatch(/: a limit of 3 requests$/);
  expect(told(2, 2)[0]).toMatch(/: a limit of 2 requests$/);
});

/** Answers one after another: outcome, remaining, and when it was sent and received. */
function series(
  rows: readonly (readonly [outcome: 'a' | 'r', left: number | null, from: number, to: number])[],
): ReportedEvent[] {
  return rows.map(([outcome, left, sentMs, receivedMs]) => ({
    sentMs,
    receivedMs,
    receivedEpochMs: EPOCH_MS + receivedMs,
    outcome: outcome === 'a' ? 'admitted' : 'rejected',
    headers: left === null ? [] : [['X-RateLimit-Remaining', String(left)]],
  }));
}
const RISES = 'x-ratelimit: remaining rises inside a window';

test.each<[string, Parameters<typeof series>[0], readonly string[]]>([
  [
    'answers that overlap may come in any order',
    [
      ['a', 2, 0, 10],
      ['a', 0, 20, 28],
      ['a', 1, 23, 30],
      ['r', 0, 40, 50],
    ],
    [],
  ],
  [
    'whoever was sent after the other was answered comes after it',
    [
      ['a', 2, 0, 10],
      ['a', 0, 20, 28],
      ['a', 1, 28, 38],
      ['r', 0, 40, 50],
    ],
    [RISES],
  ],
  [
    'one that overlaps hides none of those before it',
    [
      ['a', 1, 0, 10],
      ['a', 0, 20, 60],
      ['a', 2, 20, 30],
      ['r', 0, 70, 80],
    ],
    [RISES],
  ],
  [
    'a window that ended before any was rejected is another one',
    [
      ['a', 2, 0, 10],
      ['a', 1, 5000, 5010],
      ['a', 2, 10_000, 10_010],
      ['a', 1, 10_020, 10_030],
      ['a', 0, 10_040, 10_050],
      ['r', 0, 10_060, 10_070],
    ],
    [],
  ],
])('%s', (_, rows, claims) => {
  expect(headerClaims(series(rows), FOUND)).toEqual(claims);
});

test('where the end of the window is told late, it does not drift by that', () => {
  const events = [0, 1, 2, 3].map((second) => ({
    sentMs: second * 1000,
    // The second one is told while it was sent, and answered 5 s later.
    receivedMs: second * 1000 + (second === 1 ? 5000 : 0),
    receivedEpochMs: EPOCH_MS + second * 1000 + (second === 1 ? 5000 : 0),
    outcome: second === 3 ? ('rejected' as const) : ('admitted' as const),
    headers: [['X-RateLimit-Reset', String(10 - second)] as const],
  }));
  expect(headerClaims(events, FOUND)).toEqual([]);
});

describe('what remains', () => {
  const FIVE: LimitEstimate = { verdict: 'composite', algorithms: [] };
  const at = (lefts: readonly (number | null)[], rejected: readonly (number | null)[]) =>
    series([
      ...lefts.map((left, nth) => ['a', left, 20 * nth, 20 * nth + 10] as const),
      ...rejected.map((left, nth) => ['r', left, 500 + 20 * nth, 510 + 20 * nth] as const),
    ]);
  test.each<[string, (number | null)[], (number | null)[], string[]]>([
    ['falls', [4, 3, 2, 1, 0], [0, 0], []],
    [
      'stays the same',
      [7, 7, 7, 7, 7],
      [7, 7],
      ['x-ratelimit: remaining stays at 7 while 5 are admitted, until one is rejected'],
    ],
    ['stays the same for few', [7, 7, 7, 7], [7, 7], []],
    [
      'stays the same, but for the rejected',
      [7, 7, 7, 7, 7],
      [0, 0],
      ['x-ratelimit: remaining stays at 7 while 5 are admitted, until one is rejected'],
    ],
    ['is told of few', [null, 7, 7, 7, 7], [7, 7], []],
    ['stays the same, and nothing is rejected', [7, 7, 7, 7, 7], [], []],
    ['falls below 0', [4, 3, 2, 1, 0], [-1, -2], ['x-ratelimit: remaining falls below 0, to -2']],
    [
      'is not told of rejections',
      [4, 3, 2, 1, 0],
      [null, null],
      ['x-ratelimit: stated for admitted requests, and never for rejected ones'],
    ],
    ['is told of one rejection of two', [4, 3, 2, 1, 0], [0, null], []],
    ['is not told of the only rejection', [4, 3, 2, 1, 0], [null], []],
    ['is never told', [null, null, null, null, null], [null, null], []],
  ])('%s', (_, lefts, rejected, claims) => {
    expect(headerClaims(at(lefts, rejected), FIVE)).toEqual(claims);
  });

  test('stays the same where requests under way are counted', () => {
    const events = at([7, 7, 7, 7, 7], [7, 7]);
    expect(headerClaims(events, { ...FIVE, algorithms: ['concurrency'] })).toEqual([]);
  });
});

test('a window is the measured one where it is off by a twentieth of it', () => {
  const claimed = (seconds: number): readonly string[] =>
    headerClaims(
      reported(() => [['RateLimit-Limit', `3, 3;w=${seconds}`]]),
      { ...FOUND, windowSeconds: 100 },
    );
  expect(claimed(104)).toContain('separate: a window of 104 s, as measured');
  expect(claimed(106)).toContain('separate: a window of 106 s, measured 100 s');
});

test('a limit is held against what passes at once', () => {
  const events = reported(() => [['X-RateLimit-Limit', '5']]);
  const bucket: LimitEstimate = { ...FOUND, algorithms: ['token-bucket'], burst: 5, limit: 3 };
  expect(headerClaims(events, bucket)).toEqual(['x-ratelimit: a limit of 5 requests, as measured']);
});
