import { describe, expect, test } from 'vitest';
import type { Purpose } from '../../../wire/exchange.ts';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const [POOL, A, B] = ['1', 'a', 'b'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
];
const NOWHERE: Purpose = { kind: 'probe', about: 'unknown pool' };
const ELSEWHERE: Purpose = { kind: 'probe', about: 'a pool of another chain' };

function details(chainId: number, data: unknown, purpose?: Purpose): WireSketch {
  const path = '/v1/pool/details';
  const sent = { chainId, poolAddress: POOL };
  const answered = { status: 'success', data };
  return { method: 'POST', path, sent, answered, ...(purpose === undefined ? {} : { purpose }) };
}

function refused(chainId: number, purpose: Purpose, status = 404): WireSketch {
  return { ...details(chainId, undefined, purpose), status, answered: { code: 'POOL_NOT_FOUND' } };
}

describe('details of a listed pool', () => {
  const ID = 'zap.pool-details.not-empty';

  test.each<[unknown, string]>([
    [{ liquidity: '5' }, 'pass'],
    [{ ticks: { lower: 0 } }, 'pass'],
    [{ pair: [[A]] }, 'pass'],
    [{}, 'fail /data'],
    [
      { chainId: '1', address: POOL.toUpperCase(), tokens: [], trades: null, note: '' },
      'fail /data',
    ],
    [[], 'not-reached'],
  ])('show something of it: %j: %s', (data, verdict) => {
    expect(verdictOf(ID, details(1, data))).toBe(verdict);
  });

  test('and those of others need not', () => {
    expect(verdictOf(ID, details(1, {}, NOWHERE))).toBe('not-reached');
  });
});

describe('nothing is said of an address that was made up', () => {
  const ID = 'zap.pool-details.unknown-pool-has-none';

  test.each<[string, WireSketch, string]>([
    ['refused', refused(1, NOWHERE), 'pass'],
    ['failed over', refused(1, NOWHERE, 500), 'not-reached'],
    ['an object without anything', details(1, {}, NOWHERE), 'pass'],
    ['the request again', details(1, { address: POOL, tokens: [] }, NOWHERE), 'pass'],
    ['the address as a token', details(1, { token: POOL, tokens: [] }, NOWHERE), 'pass'],
    ['tokens', details(1, { tokens: [{ address: A }] }, NOWHERE), 'fail /data'],
    ['symbols', details(1, { tokens: ['USDC', 'WETH'] }, NOWHERE), 'fail /data'],
    ['tokens further down', details(1, { pool: { token0: A } }, NOWHERE), 'fail /data'],
    [
      'a pool that states another address',
      details(1, { address: B, tokens: [A] }, NOWHERE),
      'not-reached',
    ],
    ['a listed pool', details(1, { tokens: [A] }), 'not-reached'],
  ])('%s', (_, sketch, verdict) => {
    expect(verdictOf(ID, sketch)).toBe(verdict);
  });
});

describe('details are of the chain that was asked for', () => {
  const ID = 'zap.pool-details.chain-as-asked';
  const listed = details(1, { chainId: 1, tokens: [A, B], liquidity: '5' });

  test.each<[string, WireSketch, string]>([
    ['refused', refused(10, ELSEWHERE), 'pass'],
    ['another pool', details(10, { tokens: [A], liquidity: '5' }, ELSEWHERE), 'pass'],
    ['nothing said', details(10, {}, ELSEWHERE), 'pass'],
    ['the same', details(10, { tokens: [A, B], liquidity: '5' }, ELSEWHERE), 'fail /data'],
    [
      'the same as of there',
      details(10, { chainId: 10, tokens: [A, B], liquidity: '5' }, ELSEWHERE),
      'fail /data',
    ],
    // Reported by the rule that details are of what was asked.
    [
      'the chain stated',
      details(10, { chainId: 1, tokens: [A, B], liquidity: '5' }, ELSEWHERE),
      'not-reached',
    ],
    // A twin, or the same one that has moved.
    [
      'another liquidity',
      details(10, { tokens: [A, B], liquidity: '6' }, ELSEWHERE),
      'not-reached',
    ],
    ['failed over', refused(10, ELSEWHERE, 503), 'not-reached'],
  ])('%s', (_, sketch, verdict) => {
    expect(verdictOf(ID, listed, sketch)).toBe(verdict);
    expect(verdictOf(ID, sketch, listed)).toBe(verdict);
  });

  test('which is shown only by a pool that is known', () => {
    expect(verdictOf(ID, refused(10, ELSEWHERE))).toBe('not-reached');
    expect(verdictOf(ID, details(1, { liquidity: '5' }), refused(10, ELSEWHERE))).toBe(
      'not-reached',
    );
  });
});

describe('details hold what is stated', () => {
  const ID = 'zap.pool-details.hold-what-is-stated';
  const detailsOf = (digit: string, data: unknown): WireSketch => ({
    ...details(1, data),
    sent: { chainId: 1, poolAddress: `0x${digit.repeat(40)}` },
  });
  const all = { tokens: [A], tickLower: 1, currentTick: 2, liquidity: '5', recentTrades: [] };

  test('under whatever names, some in one pool and some in another', () => {
    expect(verdictOf(ID, detailsOf('1', all), detailsOf('2', all))).toBe('pass');
    const other = { pair: 'x', range: null, reserves: [], history: null };
    expect(verdictOf(ID, detailsOf('1', other), detailsOf('2', other))).toBe('pass');
    const [shares, ticks] = [{ coins: [], tvl: 1, swaps: [] }, { lower: 0 }];
    expect(verdictOf(ID, detailsOf('1', shares), detailsOf('2', ticks))).toBe('pass');
  });

  test.each(['tokens', 'tickLower', 'liquidity', 'recentTrades'])('but not without %s', (name) => {
    const { currentTick, ...others } = all;
    const left = Object.fromEntries(
      Object.entries(name === 'tickLower' ? others : { ...others, currentTick }).filter(
        ([key]) => key !== name,
      ),
    );
    expect(verdictOf(ID, detailsOf('1', left), detailsOf('2', left))).toBe('warn /data');
    // One pool may be of a kind of its own.
    expect(verdictOf(ID, detailsOf('1', left), detailsOf('1', left))).toBe('not-reached');
  });

  test('the price of a token is no tick', () => {
    const data = { tokens: [{ symbol: 'T', price: '1' }], liquidity: '5', trades: [] };
    expect(verdictOf(ID, detailsOf('1', data), detailsOf('2', data))).toBe('warn /data');
  });
});
