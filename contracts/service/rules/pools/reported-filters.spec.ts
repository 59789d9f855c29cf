import { expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const addressOf = (digit: string): string => `0x${digit.repeat(40)}`;
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(addressOf) as [string, string, string, string];
const PROTOCOL = 'zap.pools.protocol-filter';
const TOKENS = 'zap.pools.tokens-filter';
const ALL = 'zap.pools.tokens-all-held';

type Fields = Readonly<Record<string, unknown>>;

function pool(digit: string, fields: Fields = {}): Fields {
  return { address: addressOf(digit), protocol: 'p', tokens: [A, B], feeTier: 1, ...fields };
}

function list(query: string, ...pools: readonly unknown[]): WireSketch {
  return { path: `/v1/pools?${query}`, answered: { status: 'success', data: { pools } } };
}

/** What the service is known to have on a chain. */
function seen(chain: number, ...pools: readonly unknown[]): WireSketch {
  const relations = [{ kind: 'pools-of-chain', group: String(chain), role: 'list' }];
  return { ...list(`chainId=${chain}&limit=200`, ...pools), relations };
}

const Q = pool('9', { protocol: 'q', tokens: [C, D] });

test('a protocol filter selects by the protocol that a pool states, itself or as an id', () => {
  const verdict = (...lists: readonly WireSketch[]): string =>
    verdictOf(PROTOCOL, seen(1, pool('1'), Q), ...lists);
  const asObject = pool('2', { protocol: { id: 'p', name: 'The P' } });
  expect(verdict(list('protocol=p', pool('1'), asObject))).toBe('pass');
  expect(verdict(list('protocol=P', pool('1')))).toBe('pass');
  expect(verdict(list('chainId=1&protocol=q', pool('1')))).toBe('fail /data/pools/0/protocol');
  expect(verdict(list('protocol=p', pool('1', { protocol: 7 })))).toBe('not-reached');
  expect(verdict(list('', pool('1')))).toBe('not-reached');
});

test('a filter is shown to be looked at only if there is something that it takes away', () => {
  const answer = list('protocol=p', pool('1'));
  expect(verdictOf(PROTOCOL, answer)).toBe('not-reached');
  expect(verdictOf(PROTOCOL, seen(1, pool('1')), answer)).toBe('not-reached');
  expect(verdictOf(PROTOCOL, seen(1, Q), answer)).toBe('pass');
  // What passes neither this filter nor another one is taken away by the other.
  expect(verdictOf(PROTOCOL, seen(1, Q), list('protocol=p&chainId=10', pool('1')))).toBe(
    'not-reached',
  );
  expect(verdictOf(PROTOCOL, seen(1, Q), list(`protocol=p&tokens=${A}`, pool('1')))).toBe(
    'not-reached',
  );
  expect(verdictOf(PROTOCOL, seen(1, Q), list(`protocol=p&tokens=${C}`))).toBe('pass');
});

test('a tokens filter selects pools that hold some of the tokens, however they state them', () => {
  const known = seen(1, Q);
  const forms: unknown[] = [
    [A, B],
    [{ address: A }, { token: { id: B } }],
    { token0: A, token1: B },
    { [A]: { index: 0 }, [B]: {} },
    `${A}, ${B}`,
    [A, B, C],
  ];
  for (const tokens of forms) {
    const one = pool('1', { tokens });
    const held = list(`tokens=${A.toUpperCase().replace('0X', '0x')}`, one);
    expect(verdictOf(TOKENS, known, held, held)).toBe('pass');
    expect(verdictOf(TOKENS, list(`tokens=${D}`, one))).toBe('fail /data/pools/0/tokens');
    expect(verdictOf(ALL, list(`tokens=${A},${D}`, one))).toBe('fail /data/pools/0/tokens');
  }
  const symbols = list(`tokens=${A}`, pool('1', { tokens: ['USDC', 'WETH'] }));
  expect(verdictOf(TOKENS, known, symbols, symbols)).toBe('not-reached');
  const base58 = list('tokens=So11111111111111111111111111111111111111112', pool('1'));
  expect(verdictOf(TOKENS, known, base58, base58)).toBe('not-reached');
  // Pools hold the native token wrapped.
  expect(verdictOf(TOKENS, list(`tokens=${addressOf('E')}`, pool('1')))).toBe('not-reached');
});

test('several tokens are shown to be joined by and where a pool holds only some of them', () => {
  const both = list(`tokens=${A},${B}`, pool('1'));
  expect(verdictOf(ALL, seen(1, pool('1')), both)).toBe('not-reached');
  expect(verdictOf(ALL, seen(1, Q), both)).toBe('not-reached');
  const partly = pool('2', { tokens: [B, C] });
  expect(verdictOf(ALL, seen(1, partly), both)).toBe('pass');
  expect(verdictOf(ALL, seen(1, partly), list(`tokens=${A},${B}`))).toBe('pass');
  expect(verdictOf(ALL, seen(1, partly), list(`tokens=${A}`, pool('1')))).toBe('not-reached');
  expect(verdictOf(ALL, list(`tokens=${A},${B}`, pool('1'), partly))).toBe(
    'fail /data/pools/1/tokens',
  );
});

test('one fault is one finding: a pool without any of the tokens, or with some of them', () => {
  const partly = pool('2', { tokens: [B, C] });
  const ignored = list(`tokens=${A},${B}`, partly, Q);
  expect(verdictOf(TOKENS, ignored)).toBe('fail /data/pools/1/tokens');
  expect(verdictOf(ALL, ignored)).toBe('not-reached');
  expect(verdictOf(TOKENS, list(`tokens=${A},${B}`, partly))).toBe('not-reached');
});
