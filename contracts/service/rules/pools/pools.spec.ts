import { expect, test } from 'vitest';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import { judge } from '../../../judging/judge.ts';
import { loadContract } from '../../load-contract.ts';
import { RULES } from '../../registry.ts';
import type { Exchange, Relation } from '../../../wire/exchange.ts';

const contract = await loadContract();

const addressOf = (digit: string): string => `0x${digit.repeat(40)}`;
const [A, B, C] = ['a', 'b', 'c'].map(addressOf) as [string, string, string];

type Fields = Readonly<Record<string, unknown>>;

function pool(digit: string, fields: Fields = {}): Fields {
  return { address: addressOf(digit), protocol: 'p', tokens: [A, B], feeTier: 1, ...fields };
}

let count = 0;

function list(
  query: string,
  pools: readonly unknown[],
  relations: readonly Relation[] = [],
): Exchange {
  count += 1;
  const exchange = exchangeOf({
    id: `x${count}`,
    path: `/v1/pools?${query}`,
    answered: { status: 'success', data: { pools } },
  });
  return { ...exchange, relations };
}

function chainList(chain: number, pools: readonly unknown[]): Exchange {
  const relations = [{ kind: 'pools-of-chain', group: String(chain), role: 'list' }];
  return list(`chainId=${chain}&limit=200`, pools, relations);
}

function details(sent: Fields, data: unknown, status = 200): Exchange {
  count += 1;
  const exchange = exchangeOf({
    id: `x${count}`,
    method: 'POST',
    path: '/v1/pool/details',
    sent,
    status,
    answered: status === 200 ? { status: 'success', data } : { code: 'POOL_NOT_FOUND' },
  });
  const relations = [{ kind: 'pools-of-chain', group: String(sent.chainId), role: 'detail' }];
  return { ...exchange, relations };
}

function outcome(id: string, ...exchanges: readonly Exchange[]): string {
  const [result] = judge(
    RULES.filter((rule) => rule.id === id),
    contract,
    exchanges,
  );
  if (result === undefined) throw new Error(`there is no rule ${id}`);
  const { evidence, findings } = result;
  return evidence === 0 ? 'nothing' : findings.length > 0 ? 'broken' : 'held';
}

test('a list of one chain holds each pool once', () => {
  const id = 'zap.pools.each-once';
  expect(outcome(id, list('chainId=1', [pool('1'), pool('2')]))).toBe('held');
  expect(outcome(id, list('chainId=1', [pool('1'), pool('2'), pool('1')]))).toBe('broken');
  // One contract may keep several pools, and one address may be a pool on two chains.
  expect(outcome(id, list('chainId=1', [pool('1'), pool('1', { feeTier: 2 })]))).toBe('held');
  expect(outcome(id, list('', [pool('1'), pool('1')]))).toBe('nothing');
});

test('pools of a chain are those of that chain', () => {
  const id = 'zap.pools.chain-filter';
  const [one, two] = [
    ['1', '2', '3'].map((digit) => pool(digit)),
    ['4', '5', '6'].map((digit) => pool(digit)),
  ];
  expect(outcome(id, chainList(1, one), chainList(10, two))).toBe('held');
  expect(outcome(id, chainList(1, one), chainList(10, one))).toBe('broken');
  expect(outcome(id, chainList(1, one))).toBe('nothing');
  expect(outcome(id, chainList(1, one), chainList(10, []))).toBe('nothing');
  const [own] = one;
  const leaked = chainList(10, [...two, own]);
  const address = own?.address;
  const unknown = details({ chainId: 10, poolAddress: address }, undefined, 404);
  const known = details({ chainId: 1, poolAddress: address }, {});
  expect(outcome(id, chainList(1, one), leaked, unknown, known)).toBe('broken');
  // One address may be a pool on two chains; details that are not reported prove nothing alone.
  const alsoThere = details({ chainId: 10, poolAddress: address }, {});
  expect(outcome(id, chainList(1, one), leaked, alsoThere, known)).toBe('held');
  expect(outcome(id, chainList(1, one), leaked, unknown)).toBe('held');
  const outage = details({ chainId: 10, poolAddress: address }, undefined, 502);
  expect(outcome(id, chainList(1, one), leaked, outage, known)).toBe('held');
});

test('pools that state their chain are judged by that alone', () => {
  const id = 'zap.pools.chain-filter';
  const on = (chainId: unknown, ...digits: readonly string[]): unknown[] =>
    digits.map((digit) => pool(digit, { chainId }));
  // If all pools are on one chain, a filter that is ignored gives the same.
  expect(outcome(id, list('chainId=10', on(10, '1', '2')))).toBe('nothing');
  const elsewhere = list('chainId=1', on(1, '3'));
  expect(outcome(id, elsewhere, list('chainId=10', on(10, '1', '2')))).toBe('held');
  expect(outcome(id, elsewhere, list('chainId=10', on('10', '1', '2')))).toBe('held');
  expect(outcome(id, list('chainId=10&protocol=a', [...on(10, '1'), ...on(100, '2')]))).toBe(
    'broken',
  );
  expect(outcome(id, list('chainId=10', on('optimism', '1')))).toBe('nothing');
  expect(outcome(id, list('', on(10, '1')))).toBe('nothing');
  // The same addresses on two chains.
  const [one, ten] = [chainList(1, on(1, '1', '2', '3')), chainList(10, on(10, '1', '2', '3'))];
  expect(outcome(id, one, ten)).toBe('held');
});

test('one address may be a pool on many chains', () => {
  const id = 'zap.pools.chain-filter';
  const poolsWith = (...tokens: readonly string[]): ReturnType<typeof pool>[] =>
    ['1', '2', '3'].map((digit) => pool(digit, { tokens }));
  expect(outcome(id, chainList(1, poolsWith(A, B)), chainList(10, poolsWith(A, C)))).toBe('held');
  expect(outcome(id, chainList(1, poolsWith(A, B)), chainList(10, poolsWith(A, B)))).toBe('broken');
  expect(outcome(id, chainList(1, poolsWith('USDC')), chainList(10, poolsWith('USDC')))).toBe(
    'held',
  );
  // A fork, whose details say that they are its own.
  const forked = [chainList(1, poolsWith(A, B)), chainList(10, poolsWith(A, B))];
  const reported = [1, 10].map((chainId) =>
    details({ chainId, poolAddress: addressOf('1') }, { chainId }),
  );
  expect(outcome(id, ...forked, ...reported)).toBe('held');
  const [first] = reported;
  expect(first && outcome(id, ...forked, first)).toBe('broken');
});

test('details hold the tokens of the list, and are of the pool that was asked about', () => {
  const [tokensRule, poolRule] = [
    'zap.pool-details.tokens-as-listed',
    'zap.pool-details.pool-as-asked',
  ];
  const listed = chainList(1, [pool('1'), pool('2', { tokens: [A, C] })]);
  const sent = { chainId: 1, poolAddress: addressOf('1') };
  const reported = (tokens: unknown): Exchange => details(sent, { tokens });
  expect(outcome(tokensRule, listed, reported([{ address: B }, { address: A }]))).toBe('held');
  // If all pools have the same tokens, details of any of them do.
  expect(outcome(tokensRule, chainList(1, [pool('1'), pool('2')]), reported([A, B]))).toBe(
    'nothing',
  );
  expect(outcome(tokensRule, listed, reported([A, C]))).toBe('broken');
  const ofOther = details(sent, { chainId: 10, tokens: [A, C] });
  expect(outcome(tokensRule, listed, ofOther)).toBe('nothing');
  // What lies behind the shares that a pool holds, the bare native token, or nothing readable.
  expect(outcome(tokensRule, listed, reported([A, C, addressOf('d')]))).toBe('nothing');
  expect(outcome(tokensRule, listed, reported([A, addressOf('e')]))).toBe('nothing');
  expect(outcome(tokensRule, listed, reported(['USDC', 'WETH']))).toBe('nothing');
  expect(outcome(tokensRule, reported([A, B]))).toBe('nothing');

  expect(outcome(poolRule, details(sent, { chainId: '1', address: addressOf('1') }))).toBe('held');
  expect(outcome(poolRule, details(sent, { chainId: 10 }))).toBe('broken');
  expect(outcome(poolRule, details(sent, { address: addressOf('2') }))).toBe('broken');
  expect(outcome(poolRule, details(sent, { chainId: '0x1', id: 10 }))).toBe('nothing');
});

test('smaller limits give some of the whole list, as many as they say', () => {
  const [selects, fills] = ['zap.pools.limit-selects', 'zap.pools.limit-is-filled'];
  const whole = ['1', '2', '3', '4'].map((digit) => pool(digit));
  const pairOf = (smaller: readonly unknown[], larger: readonly unknown[] = whole): Exchange[] =>
    Array.from({ length: 7 }, () => [
      list('limit=200', larger, [{ kind: 'pool-limit', group: 'g', role: 'A' }]),
      list('limit=2', smaller, [{ kind: 'pool-limit', group: 'g', role: 'B' }]),
    ]).flat();
  for (const id of [selects, fills]) {
    expect(outcome(id, ...pairOf([pool('4'), pool('2')]))).toBe('held');
    // A full page is not all there is, so it decides nothing.
    const full = Array.from({ length: 200 }, () => pool('9'));
    expect(outcome(id, ...pairOf([pool('1')], full))).toBe('nothing');
  }
  expect(outcome(selects, ...pairOf([pool('1'), pool('7')]))).toBe('broken');
  // An empty list shows nothing of how few pools are chosen.
  expect(outcome(selects, ...pairOf([]))).toBe('nothing');
  expect(outcome(fills, ...pairOf([pool('1')]))).toBe('broken');
});

test('whoever asks for 200 pools gets as many as there are', () => {
  const id = 'zap.pools.maximum-is-given';
  const many = (from: number, to: number): unknown[] =>
    Array.from({ length: to - from }, (_, n) => pool('1', { address: `0xP${from + n}` }));
  const all = (pools: readonly unknown[]): Exchange => list('limit=200', pools);
  const chain = list('chainId=1&limit=200', many(90, 140));
  expect(outcome(id, chain, all(many(0, 100)), chain)).toBe('broken');
  expect(outcome(id, chain, all(many(0, 140)), chain)).toBe('held');
  expect(outcome(id, all(many(0, 200)))).toBe('held');
  // A pool may have come or gone in between, and few pools are never cut.
  expect(outcome(id, chain, all(many(0, 100)))).toBe('nothing');
  expect(outcome(id, all(many(0, 100)), chain)).toBe('nothing');
  expect(outcome(id, all(many(0, 7)))).toBe('nothing');
});

test('tokens in other letter case give the same pools', () => {
  const id = 'zap.pools.tokens-in-any-case';
  const listed = ['1', '2'].map((digit) => pool(digit));
  const pairOf = (respelt: readonly unknown[], larger = listed): Exchange[] =>
    Array.from({ length: 7 }, () => [
      list('tokens=0xAa&limit=199', larger, [{ kind: 'pool-case', group: 'g', role: 'A' }]),
      list('tokens=0xaa&limit=199', respelt, [{ kind: 'pool-case', group: 'g', role: 'B' }]),
    ]).flat();
  expect(outcome(id, ...pairOf(listed.toReversed()))).toBe('held');
  expect(outcome(id, ...pairOf([]))).toBe('broken');
  expect(outcome(id, ...pairOf(listed.slice(1)))).toBe('broken');
  // Pools that come besides lack a token.
  expect(outcome(id, ...pairOf([...listed, pool('3')]))).toBe('held');
  expect(outcome(id, ...pairOf([], []))).toBe('nothing');
});
