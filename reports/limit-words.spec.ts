import { describe, expect, test } from 'vitest';
import type { LimitRow } from '../contracts/run/run.ts';
import { clientBlock, comesBackOf, keepToOf, openOf, whoseOf } from './limit-words.ts';

const ROW: LimitRow = {
  api: 'zap',
  scope: 'per client address',
  verdict: 'identified',
  algorithms: ['fixed-window'],
  confidence: 0.97,
  limit: 100,
  windowSeconds: 60,
  client: { requests: 100, afterSilenceSeconds: 60, pacePerSecond: 1.61, retryAfter: 'obey' },
  requests: 105,
  seconds: 60,
};

describe('how a limit comes back', () => {
  test.each([
    [{}, 'all at once, 60 s after the first request (fixed-window, 97 % sure)'],
    [
      { algorithms: ['fixed-window', 'clock-window'], confidence: 0.6 },
      'all at once, 60 s after the first request, or all at once, by the clock, each 60 s (fixed-window or clock-window, 60 % sure)',
    ],
    [
      { algorithms: ['token-bucket'], refillPerSecond: 3 },
      'evenly, one each 0.333 s (token-bucket, 97 % sure)',
    ],
    [{ algorithms: ['a kind of another version'] }, 'a kind of another version, 97 % sure'],
    [
      { algorithms: ['fixed-window', 'penalty-block'], confidence: 0.6 },
      'fixed-window or penalty-block, 60 % sure',
    ],
    [{ algorithms: [] }, ''],
  ] as const)('%o: %s', (more, words) => {
    expect(comesBackOf({ ...ROW, ...more })).toBe(words);
  });

  test('is not said as long as no time is known', () => {
    const { windowSeconds, ...open } = ROW;
    expect(windowSeconds).toBe(60);
    expect(comesBackOf(open)).toBe('fixed-window, 97 % sure');
  });
});

test('a client is given a pace, and as JSON what it is to be set to', () => {
  expect(keepToOf(ROW)).toBe('1.61 a second, or 100 at once after 60 s of silence');
  expect(keepToOf({ ...ROW, client: { inFlight: 4, retryAfter: 'absent' } })).toBe('4 in flight');
  const { client, ...earlier } = ROW;
  expect(keepToOf(earlier)).toBe('');
  expect(JSON.parse(clientBlock(client ?? { retryAfter: 'absent' }))).toEqual(client);
});

test('whose bucket it is stands in words, with whether failed requests count', () => {
  const buckets = [
    { kind: 'other-address', met: 'separate' },
    { kind: 'other-route', met: 'shared' },
    { kind: 'path-case', met: 'shared' },
    { kind: 'other-method', met: 'undecided' },
  ] as const;
  expect(whoseOf({ ...ROW, buckets, failures: 'counted' })).toBe(
    'apart for another address; the same for another route, another case of the path; failed requests count',
  );
});

describe('what is not known', () => {
  const scenario = {
    ...{ held: true, admitted: 1, rejected: 0 },
    ...{ seconds: 1, shareOfRate: 1, detail: '' },
  };

  test('stands with the option that would find out', () => {
    const buckets = [{ kind: 'other-route', met: 'undecided' }] as const;
    expect(openOf({ ...ROW, buckets, failures: 'undecided', scenario })).toBe(
      'whether another route shares it; whether another address has its own (--other-source-ip); whether failed requests count',
    );
    expect(openOf(ROW)).toBe(
      'whose it is (--depth normal); whether a client at that pace gets through (--depth thorough)',
    );
    expect(openOf({ ...ROW, verdict: 'ambiguous', endedBy: 'max-rejects' })).toBe(
      'the limit (more --max-rejects)',
    );
    expect(openOf({ ...ROW, verdict: 'above-budget', endedBy: 'max-requests' })).toBe(
      'the limit (more --max-requests or --max-rate)',
    );
  });

  test('is nothing if all was found', () => {
    const buckets = [{ kind: 'other-address', met: 'separate' }] as const;
    expect(openOf({ ...ROW, buckets, failures: 'counted', scenario })).toBe('');
  });
});
