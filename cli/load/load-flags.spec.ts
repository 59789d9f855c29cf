import { describe, expect, test } from 'vitest';
import { UsageError } from '../exit-code.ts';
import { readLoadFlags, USUAL_CONNECTIONS } from './load-flags.ts';

describe('the flags of assay load', () => {
  test('say nothing if there are none', () => {
    expect(readLoadFlags({})).toEqual({
      wish: { thresholds: [], isJudged: true },
      allowed: [],
      connections: USUAL_CONNECTIONS,
      judgeShare: 1,
      engine: 'open-loop',
      k6Outputs: [],
      throttleStatuses: [],
      earlier: {},
    });
  });

  test('are read', () => {
    const flags = {
      ...{ scenario: 'stress', rate: '12.5', seconds: '30', clients: '3', maxRequests: '100' },
      ...{ maxSeconds: '60', threshold: ['p99<1s'], allowLoad: ['h.example'] },
      ...{ connections: '50', judgeShare: '0.25' },
      ...{ engine: 'k6', k6: '/opt/k6', k6Out: ['opentelemetry'], segment: '2/4' },
    };
    expect(readLoadFlags(flags)).toEqual({
      wish: {
        ...{ scenario: 'stress', peakPerSecond: 12.5, seconds: 30, clients: 3 },
        ...{ mostRequests: 100, mostSeconds: 60, thresholds: ['p99<1s'], isJudged: true },
      },
      ...{ allowed: ['h.example'], connections: 50, judgeShare: 0.25 },
      ...{ engine: 'k6', k6: '/opt/k6', k6Outputs: ['opentelemetry'], throttleStatuses: [] },
      segment: { index: 2, of: 4 },
      earlier: {},
    });
    expect(readLoadFlags({ rounds: '5', history: 'nights', baseline: 'last' })).toMatchObject({
      rounds: 5,
      earlier: { history: 'nights', baseline: 'last' },
    });
    expect(readLoadFlags({ throttleStatus: ['403,503', '503'] }).throttleStatuses).toEqual([
      403, 503,
    ]);
    expect(readLoadFlags({ warmUp: '5' }).wish.warmUpSeconds).toBe(5);
    expect(readLoadFlags({ judgeShare: '0' }).wish.isJudged).toBe(false);
    expect(readLoadFlags({ limits: 'a', belowLimit: '0.8' }).limits).toEqual({
      ...{ dir: 'a', way: 'below', factor: 0.8 },
    });
  });

  test('k6 judges by all rules only if it is asked to, or there are four cores', () => {
    const shareOn = (cores: number, judgeShare?: string): number =>
      readLoadFlags({ engine: 'k6', ...(judgeShare === undefined ? {} : { judgeShare }) }, cores)
        .judgeShare;
    expect([shareOn(2), shareOn(3), shareOn(4), shareOn(2, '0.5')]).toEqual([0, 0, 0.1, 0.5]);
    expect(readLoadFlags({}, 1).judgeShare).toBe(1);
  });

  test.each([
    [{ rate: 'fast' }, /--rate takes a number above 0, not "fast"/],
    [{ rate: '0' }, /--rate/],
    [{ rate: '-5' }, /--rate/],
    [{ rate: '1e9' }, /--rate/],
    [{ seconds: 'Infinity' }, /--seconds/],
    [{ warmUp: '-1' }, /--warm-up takes a number of at least 0, not "-1"/],
    [{ otlp: 'ftp://a:word@collector.example/' }, /not "ftp:\/\/…@collector\.example\/"$/],
    [{ otlp: 'a:word@collector.example:4318' }, /not "a:…@collector\.example:4318"$/],
    [{ clients: '2.5' }, /--clients takes a whole number/],
    [{ connections: '0' }, /--connections/],
    [{ judgeShare: '1.1' }, /--judge-share takes a number from 0 to 1/],
    [{ maxRequests: 'x' }, /--max-requests/],
    [{ limits: 'a' }, /takes one of --below-limit 0.8/],
    [{ limits: 'a', belowLimit: '0.8', aboveLimit: '1.2' }, /takes one of/],
    [{ limits: 'a', belowLimit: '1' }, /factor below 1/],
    [{ limits: 'a', aboveLimit: '1' }, /factor above 1/],
    [{ belowLimit: '0.8' }, /with --limits/],
    [{ throttleStatus: ['200'] }, /statuses of errors/],
    [{ throttleStatus: ['503'], engine: 'k6' }, /k6 takes for throttled/],
    [{ engine: 'k5' }, /no engine "k5"\. Did you mean k6\?/],
    [{ limits: 'a', belowLimit: '0.8', rate: '5' }, /leave out --rate/],
    [{ rounds: '0' }, /--rounds takes a number from 1 to 50/],
    [{ rounds: '51' }, /--rounds takes a number from 1 to 50/],
    [{ rounds: '2.5' }, /--rounds takes a whole number/],
    [{ rounds: '2', engine: 'k6' }, /leave --rounds out, or --engine k6/],
    [{ rounds: '2', engine: 'autocannon' }, /leave --rounds out, or --engine autocannon/],
    [{ rounds: '2', segment: '1/2' }, /leave --rounds out, or --segment/],
    [{ history: 'a', segment: '1/2' }, /leave --history and --baseline out, or --segment/],
    [{ baseline: 'a', segment: '1/2' }, /leave --history and --baseline out, or --segment/],
  ])('are refused: %o', (flags, message) => {
    expect(() => readLoadFlags(flags)).toThrow(UsageError);
    expect(() => readLoadFlags(flags)).toThrow(message);
  });
});
