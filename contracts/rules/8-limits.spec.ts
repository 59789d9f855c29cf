import { describe, expect, test } from 'vitest';
import type { ExchangeSketch } from '../exchange.testkit.ts';
import { verdictOf } from './judging.testkit.ts';

function pools(count: number): ExchangeSketch {
  return { answered: { data: { pools: Array(count).fill({}) } } };
}

function asked(query: string, answer: ExchangeSketch): ExchangeSketch {
  return { path: `/v1/pools${query}`, ...answer };
}

describe('zap.pools.within-limit', () => {
  test.each<[string, ExchangeSketch, string]>([
    ['one of one', asked('?limit=1', pools(1)), 'pass'],
    ['none of one', asked('?limit=1', pools(0)), 'pass'],
    ['two of one', asked('?limit=1', pools(2)), 'fail'],
    ['200 of 200', asked('?limit=200', pools(200)), 'pass'],
    ['201 of 200', asked('?limit=200', pools(201)), 'fail'],
    [
      'a limit above the maximum is not its business',
      asked('?limit=201', pools(500)),
      'not-reached',
    ],
    ['nor is a limit of 0', asked('?limit=0', pools(3)), 'not-reached'],
    ['nor one that is no whole number', asked('?limit=1.5', pools(3)), 'not-reached'],
    ['nor a request without one', asked('?chainId=1', pools(300)), 'not-reached'],
    ['nor an answer without a list', asked('?limit=1', { answered: { data: {} } }), 'not-reached'],
    ['nor a refusal', asked('?limit=1', { status: 400 }), 'not-reached'],
  ])('%s: %j', (_, sketch, verdict) => {
    expect(verdictOf('zap.pools.within-limit', {}, sketch)[0]).toBe(verdict);
  });
});

describe('zap.pools.maximum-limit', () => {
  test.each<[string, ExchangeSketch, string]>([
    ['clamped', asked('?limit=201', pools(200)), 'pass'],
    ['exceeded', asked('?limit=201', pools(201)), 'fail'],
    ['refused', asked('?limit=201', { status: 400 }), 'pass'],
    ['failed over', asked('?limit=201', { status: 500 }), 'not-reached'],
    ['exactly the maximum, overfull', asked('?limit=200', pools(201)), 'not-reached'],
    ['exactly the maximum, refused', asked('?limit=200', { status: 400 }), 'not-reached'],
    ['below the maximum', asked('?limit=199', pools(199)), 'not-reached'],
  ])('%s', (_, sketch, verdict) => {
    expect(verdictOf('zap.pools.maximum-limit', {}, sketch)[0]).toBe(verdict);
  });
});

describe('zap.pools.default-limit', () => {
  const rule = 'zap.pools.default-limit';

  test('50 pools are right, 51 are too many', () => {
    expect(verdictOf(rule, {}, asked('', pools(50)))[0]).toBe('pass');
    expect(verdictOf(rule, {}, asked('', pools(51)))).toEqual(['fail', '/data/pools']);
  });

  test('fewer are right where there are no more', () => {
    const whole = asked('?chainId=1&limit=200', pools(7));
    expect(verdictOf(rule, {}, asked('?chainId=1', pools(7)), whole)[0]).toBe('pass');
  });

  test('fewer are wrong where another page of the same filter shows more', () => {
    const more = asked('?limit=200&chainId=1', pools(8));
    expect(verdictOf(rule, {}, asked('?chainId=1', pools(7)), more)[0]).toBe('fail');
    // Whichever came first.
    expect(verdictOf(rule, {}, more, asked('?chainId=1', pools(7)))[0]).toBe('fail');
  });

  test('pages of other filters tell nothing', () => {
    const elsewhere = asked('?chainId=2&limit=200', pools(80));
    expect(verdictOf(rule, {}, asked('?chainId=1', pools(7)), elsewhere)[0]).toBe('pass');
  });

  test('a page of a further filter at the largest size tells, by the pools that pass', () => {
    const of = (protocol: string, count: number): ExchangeSketch => ({
      answered: {
        data: {
          pools: Array.from({ length: count }, (_, n) => ({ address: `0x${n}`, protocol })),
        },
      },
    });
    const page = asked('?protocol=a', of('a', 20));
    const on = (query: string, answer: ExchangeSketch): string | undefined =>
      verdictOf(rule, {}, page, asked(query, answer))[0];
    expect(on('?protocol=a&chainId=1&limit=200', of('a', 21))).toBe('fail');
    expect(on('?protocol=a&chainId=1&limit=200', of('a', 20))).toBe('pass');
    // Another filter that is ignored is another fault.
    expect(on('?protocol=a&chainId=1&limit=200', of('b', 21))).toBe('pass');
    expect(on('?chainId=1&limit=200', of('a', 21))).toBe('pass');
    expect(on('?protocol=a&chainId=1&sort=tvl&limit=200', of('a', 21))).toBe('pass');
  });

  test('a run without such a request does not reach it', () => {
    expect(verdictOf(rule, {}, asked('?limit=60', pools(60)))[0]).toBe('not-reached');
  });
});
