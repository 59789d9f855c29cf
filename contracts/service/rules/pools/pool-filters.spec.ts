import { describe, expect, test } from 'vitest';
import { verdictOf, type WireSketch } from '../../../judging/verdicts.testkit.ts';

const token = (digit: number): string => `0x${String(digit).repeat(40)}`;

interface Pool {
  readonly address: string;
  readonly protocol: unknown;
  readonly tokens: unknown;
}

/** Pool number `n`: its protocol is a or b by turns, its tokens are n and n + 1. */
function pool(n: number): Pool {
  const tokens = [token(n), token(n + 1)];
  return { address: `0xP${n}`, protocol: n % 2 === 0 ? 'a' : 'b', tokens };
}

function list(query: string, pools: readonly Pool[], limit = 200): WireSketch {
  const path = `/v1/pools?${query}${query === '' ? '' : '&'}limit=${limit}`;
  return { path, answered: { status: 'success', data: { pools } } };
}

const ALL = [0, 1, 2, 3, 4].map(pool);
const EVEN = ALL.filter((_pool, n) => n % 2 === 0);
const often = (one: WireSketch, other: WireSketch): WireSketch[] =>
  Array.from({ length: 7 }, () => [one, other]).flat();
const narrow = (...lists: readonly WireSketch[]): string =>
  verdictOf('zap.pools.filters-narrow', ...lists);
const keep = (...lists: readonly WireSketch[]): string =>
  verdictOf('zap.pools.filters-keep-matches', ...lists);

describe('a further filter', () => {
  const whole = list('chainId=1', ALL);

  test('takes pools away', () => {
    const elsewhere = list('protocol=a', [...EVEN, pool(8)]);
    expect(narrow(whole, elsewhere, list('chainId=1&protocol=a', EVEN))).toBe('pass');
    expect(keep(whole, list('protocol=a&chainId=1', EVEN))).toBe('pass');
  });

  test('brings no other pool', () => {
    const other = list('chainId=1&protocol=a', [...EVEN, pool(6)]);
    // What a pool states of itself is the business of other rules.
    expect(narrow(...often(whole, list('chainId=1&protocol=a', [...EVEN, pool(7)])))).toBe(
      'not-reached',
    );
    expect(narrow(...often(whole, other))).toBe('fail /data/pools/3/address');
    expect(narrow(whole, other)).toBe('inconclusive');
  });

  test('keeps what passes it', () => {
    const lacking = list('chainId=1&protocol=a', EVEN.slice(1));
    expect(keep(...often(whole, lacking))).toBe('fail /data/pools');
    expect(keep(...often(whole, list('chainId=1&protocol=a', [])))).toBe('fail /data/pools');
    expect(keep(...often(whole, list('chainId=1&protocol=A-name', [])))).toBe('not-reached');
  });

  test('by tokens keeps pools that hold all of them', () => {
    const tokensParam = (...digits: readonly number[]): string => digits.map(token).join();
    expect(keep(whole, list(`chainId=1&tokens=${tokensParam(2)}`, [pool(1), pool(2)]))).toBe(
      'pass',
    );
    expect(keep(whole, list(`chainId=1&tokens=${tokensParam(2, 3)}`, [pool(2)]))).toBe('pass');
    expect(keep(...often(whole, list(`chainId=1&tokens=${tokensParam(2)}`, [pool(2)])))).toContain(
      'fail',
    );
    const unknown = list(`chainId=1&tokens=0x${'E'.repeat(40)}`, []);
    expect(keep(...often(whole, unknown))).toBe('not-reached');
  });

  test('by chain may take any pool', () => {
    expect(keep(...often(list('protocol=a', EVEN), list('protocol=a&chainId=1', [])))).toBe(
      'not-reached',
    );
  });

  test('is held against the wider list whichever came first', () => {
    const other = list('chainId=1&protocol=a', [pool(6)]);
    expect(narrow(...often(other, whole))).toContain('fail');
  });
});

describe('what passes a filter', () => {
  const tokensParam = (...digits: readonly number[]): string => digits.map(token).join();

  test('by one token passes that by two, if it holds both', () => {
    const wide = list(`tokens=${tokensParam(2)}`, [pool(1), pool(2)]);
    expect(keep(wide, list(`tokens=${tokensParam(3, 2)}`, [pool(2)]))).toBe('pass');
    expect(keep(...often(wide, list(`tokens=${tokensParam(2, 3)}`, [])))).toBe('fail /data/pools');
    expect(narrow(...often(wide, list(`tokens=${tokensParam(2, 3)}`, [pool(4)])))).toBe(
      'not-reached',
    );
    expect(narrow(...often(wide, list(`tokens=${tokensParam(3, 4)}`, [pool(3)])))).toBe(
      'not-reached',
    );
  });

  test('by tokens passes it in any letter case', () => {
    const address = (digits: string): string => `0x${digits.repeat(20)}`;
    const mixed: Pool = { address: '0xP', protocol: 'a', tokens: [address('aB'), token(1)] };
    const wide = list(`chainId=1&tokens=${address('AB')}`, [mixed]);
    const other = list(`chainId=1&tokens=${address('ab')},${token(1)}`, [mixed]);
    expect(keep(wide, other)).toBe('pass');
    expect(
      keep(...often(list('chainId=1', [mixed]), list(`chainId=1&tokens=${address('ab')}`, []))),
    ).toBe('fail /data/pools');
  });

  test('by chain is known if pools state their chain', () => {
    const on = (chainId: unknown): Pool[] => EVEN.map((one) => ({ ...one, chainId }));
    const lists = (chainId: unknown): WireSketch[] =>
      often(list('protocol=a', on(chainId)), list('protocol=a&chainId=1', []));
    expect(keep(...lists(1))).toBe('fail /data/pools');
    expect(keep(...lists(10))).toBe('not-reached');
  });

  test('is known of a full page, too', () => {
    const full = list(
      'chainId=1',
      Array.from({ length: 200 }, (_, n) => pool(n)),
    );
    expect(keep(...often(full, list('chainId=1&protocol=a', EVEN.slice(1))))).toContain('fail');
    expect(narrow(full, list('chainId=1&protocol=a', [pool(777)]))).toBe('not-reached');
  });
});

describe('a list that is cut short', () => {
  const cut = (pools: readonly Pool[]): WireSketch => list('chainId=1', pools);
  const stranger = list('chainId=1&protocol=a', [...EVEN, pool(6)]);

  test('is not all there is, if one without filters is as short and lacks pools', () => {
    expect(narrow(...often(cut(ALL), stranger), list('', ALL))).toBe('not-reached');
    expect(narrow(...often(cut(ALL), stranger), list('', [...ALL, pool(6)]))).toContain('fail');
  });
});

describe('nothing is said', () => {
  test.each<[string, readonly WireSketch[]]>([
    ['of filters that differ', [list('chainId=1', ALL), list('chainId=2&protocol=a', [pool(6)])]],
    ['of pages', often(list('chainId=1', ALL, 5), list('chainId=1&protocol=a', [pool(6)], 5))],
    [
      'of other parameters',
      often(list('chainId=1', ALL), list('chainId=1&protocol=a&sort=tvl', [pool(6)])),
    ],
    ['of an empty list', often(list('chainId=1', []), list('chainId=1&protocol=a', [pool(6)]))],
    [
      'of a full page',
      often(
        list(
          'chainId=1',
          Array.from({ length: 200 }, (_, n) => pool(n)),
        ),
        list('chainId=1&protocol=a', [pool(777)]),
      ),
    ],
  ])('%s', (_of, lists) => {
    expect(narrow(...lists)).toBe('not-reached');
  });

  test('when the market moves between lists', () => {
    const moving = Array.from({ length: 7 }, (_, n) => [
      list('chainId=1', [...ALL, pool(20 + n)]),
      list('chainId=1&protocol=a', [...EVEN, pool(60 + 2 * n)]),
    ]).flat();
    expect(narrow(...moving)).toBe('inconclusive');
  });
});
