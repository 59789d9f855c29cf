import { describe, expect, test } from 'vitest';
import type { ExchangeSketch } from '../../../judging/exchange.testkit.ts';
import { foundBy } from '../../../judging/verdicts.testkit.ts';

function pools(count: number): ExchangeSketch {
  return { answered: { data: { pools: Array(count).fill({}) } } };
}

function asked(query: string, answer: ExchangeSketch): ExchangeSketch {
  return { path: `/v1/pools${query}`, ...answer };
}

describe('zap.pools.within-limit', () => {
  test.each<[string, ExchangeSketch, string]>([
    ['one of one', asked('?limit=1', pools(1)), 'pass'],
    ['none of one, as if there were none', asked('?limit=1', pools(0)), 'not-reached'],
    ['two of three, as if there were no more', asked('?limit=3', pools(2)), 'not-reached'],
    ['two of one', asked('?limit=1', pools(2)), 'fail'],
    ['200 of 200', asked('?limit=200', pools(200)), 'pass'],
    ['201 of 200', asked('?limit=200', pools(201)), 'fail'],
    [
      'a limit above the maximum is not its business',
      asked('?limit=201', pools(500)),
      'not-reached',
    ],
    ['nor is a limit of 0', asked('?limit=0', pools(3)), 'not-reached'],
    [
      'nor two limits, of which either may count',
      asked('?limit=1&limit=2', pools(2)),
      'not-reached',
    ],
    ['nor one that is no whole number', asked('?limit=1.5', pools(3)), 'not-reached'],
    ['nor a request without one', asked('?chainId=1', pools(300)), 'not-reached'],
    ['nor an answer without a list', asked('?limit=1', { answered: { data: {} } }), 'not-reached'],
    ['nor a refusal', asked('?limit=1', { status: 400 }), 'not-reached'],
  ])('%s: %j', (_, sketch, verdict) => {
    expect(foundBy('zap.pools.within-limit', {}, sketch)[0]).toBe(verdict);
  });
});

describe('zap.pools.maximum-limit', () => {
  test.each<[string, ExchangeSketch, string]>([
    ['clamped', asked('?limit=201', pools(200)), 'pass'],
    ['fewer, as if there were no more', asked('?limit=201', pools(199)), 'not-reached'],
    ['exceeded', asked('?limit=201', pools(201)), 'fail'],
    ['refused', asked('?limit=201', { status: 400 }), 'pass'],
    ['failed over', asked('?limit=201', { status: 500 }), 'not-reached'],
    ['exactly the maximum, overfull', asked('?limit=200', pools(201)), 'not-reached'],
    ['exactly the maximum, refused', asked('?limit=200', { status: 400 }), 'not-reached'],
    ['below the maximum', asked('?limit=199', pools(199)), 'not-reached'],
  ])('%s', (_, sketch, verdict) => {
    expect(foundBy('zap.pools.maximum-limit', {}, sketch)[0]).toBe(verdict);
  });
});

describe('zap.pools.default-limit', () => {
  const rule = 'zap.pools.default-limit';

  const whole = (count: number, query = '?limit=200'): ExchangeSketch => asked(query, pools(count));

  test('50 pools are right if there are more, and 51 are too many', () => {
    expect(foundBy(rule, {}, asked('', pools(50)), whole(51))[0]).toBe('pass');
    expect(foundBy(rule, {}, asked('', pools(51)))).toEqual(['fail', '/data/pools']);
  });

  test('as many as there are show nothing: any larger default gives the same', () => {
    expect(foundBy(rule, {}, asked('', pools(50)))[0]).toBe('not-reached');
    expect(foundBy(rule, {}, whole(50), asked('', pools(50)), whole(50))[0]).toBe('not-reached');
    expect(foundBy(rule, {}, whole(7), asked('', pools(7)), whole(7))[0]).toBe('not-reached');
  });

  test('fewer are wrong if another page of the same filter shows more, before and after', () => {
    const more = asked('?limit=200&chainId=1', pools(8));
    const page = asked('?chainId=1', pools(7));
    expect(foundBy(rule, {}, more, page, more)).toEqual(['fail', '/data/pools']);
    // A pool may have come or gone in between.
    expect(foundBy(rule, {}, page, more)[0]).toBe('not-reached');
    expect(foundBy(rule, {}, more, page)[0]).toBe('not-reached');
  });

  test.each(['?chainId=2&limit=200', '?limit=200', '?chainId=1&protocol=a&limit=200'])(
    'pages of other filters show nothing of a default: %s',
    (query) => {
      const page = asked('?chainId=1', pools(7));
      expect(foundBy(rule, {}, whole(80, query), page, whole(80, query))[0]).toBe('not-reached');
    },
  );

  test('the same tokens in other letter case are another filter: how they are compared may be wrong', () => {
    const filtered = (digit: string, count: number, limit = ''): ExchangeSketch =>
      asked(`?tokens=0x${digit.repeat(40)}${limit}`, pools(count));
    const more = filtered('A', 9, '&limit=200');
    expect(foundBy(rule, {}, more, filtered('a', 0), more)[0]).toBe('not-reached');
  });

  test('a run without such a request does not reach it', () => {
    expect(foundBy(rule, {}, asked('?limit=60', pools(60)))[0]).toBe('not-reached');
  });
});
