import { expect, test } from 'vitest';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import { judge } from '../../../judging/judge.ts';
import { loadContract } from '../../load-contract.ts';
import { RULES } from '../../registry.ts';
import type { Exchange } from '../../../wire/exchange.ts';

const contract = await loadContract();

type Fields = Readonly<Record<string, unknown>>;

function chains(data: unknown): Exchange {
  return exchangeOf({ id: 'x1', answered: { status: 'success', data } });
}

function providers(data: unknown): Exchange {
  const answered = { status: 'success', data };
  return exchangeOf({ id: 'x2', path: '/v1/config/providers', answered });
}

const provider = (id: string, fields: Fields = {}): Fields => ({
  id,
  name: id,
  type: 'dex',
  logo: 'l',
  ...fields,
});

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

test('maps are keyed by chain ids', () => {
  for (const [id, bodyOf] of [
    ['zap.chains.keyed-by-chain-id', (data: unknown) => chains(data)],
    ['zap.providers.keyed-by-chain-id', (data: unknown) => providers(data)],
  ] as const) {
    const value = id.startsWith('zap.chains') ? {} : [];
    expect(outcome(id, bodyOf({ 1: value, 42161: value }))).toBe('held');
    expect(outcome(id, bodyOf({ 1: value, solana: value }))).toBe('broken');
    expect(outcome(id, bodyOf({}))).toBe('nothing');
    expect(outcome(id, bodyOf([value]))).toBe('nothing');
  }
});

test('a chain stands under its own id, if it states one as a whole number', () => {
  const id = 'zap.chains.key-is-chain-id';
  expect(outcome(id, chains({ 1: { chainId: 1 }, 10: { chainId: '10' } }))).toBe('held');
  expect(outcome(id, chains({ 1: { chainId: 1 }, 10: { chainId: 1 } }))).toBe('broken');
  // Other names, hex, and chains stated one level down are open.
  const open = { 1: { chainId: '0x1', domain: 7 }, 10: { id: 'evm-10' }, 56: { chain: { id: 1 } } };
  expect(outcome(id, chains(open))).toBe('nothing');
});

test('a provider is a dex or a bridge, and listed once as each', () => {
  const [type, once] = ['zap.providers.type-is-known', 'zap.providers.each-once'];
  const both = { 1: [provider('a'), provider('a', { type: 'bridge' })], 10: [provider('a')] };
  expect(outcome(type, providers(both))).toBe('held');
  expect(outcome(once, providers(both))).toBe('held');
  expect(outcome(type, providers({ 1: [provider('a', { type: 'aggregator' })] }))).toBe('broken');
  expect(outcome(once, providers({ 1: [provider('a'), provider('b'), provider('a')] }))).toBe(
    'broken',
  );
  expect(outcome(type, providers({ 1: [] }))).toBe('nothing');
  const wrongType = providers({ 1: [provider('a', { type: 'DEX' })] });
  expect(outcome('zap.providers.response-shape', wrongType)).toBe('held');
});

test('providers are of chains that are configured', () => {
  const id = 'zap.providers.chains-are-configured';
  const configured = chains({ 1: {}, 10: {} });
  expect(outcome(id, configured, providers({ 1: [] }))).toBe('held');
  expect(outcome(id, configured, providers({ 1: [], 137: [] }))).toBe('broken');
  expect(outcome(id, providers({ 1: [] }))).toBe('nothing');
});

test('chain configs hold what is stated, under whatever names, some on one chain and some on another', () => {
  const id = 'zap.chains.hold-what-is-stated';
  const token = { symbol: 'T', name: 'Token', address: `0x${'1'.repeat(40)}` };
  const chain = {
    name: 'One',
    nativeToken: { symbol: 'ONE', name: 'One' },
    rpcUrls: ['https://rpc.example'],
    explorer: 'https://explorer.example',
    router: `0x${'2'.repeat(40)}`,
    tokens: [token],
  };
  expect(outcome(id, chains({ 1: chain, 10: { id: 10 } }))).toBe('held');
  const parts = { 1: { label: 'One', gas: null }, 10: { nodes: [], contracts: {} } };
  expect(outcome(id, chains(parts))).toBe('held');
  for (const name of ['name', 'nativeToken', 'rpcUrls', 'router']) {
    const left = Object.fromEntries(Object.entries(chain).filter(([key]) => key !== name));
    expect(outcome(id, chains({ 1: left }))).toBe('broken');
  }
  // A native token among others is reported by its constant.
  const { nativeToken, ...others } = chain;
  const native = { ...nativeToken, address: `0x${'E'.repeat(40)}` };
  expect(outcome(id, chains({ 1: { ...others, tokens: [token, native] } }))).toBe('held');
  expect(outcome(id, chains({ 1: {} }))).toBe('nothing');
  expect(outcome(id, chains({}))).toBe('nothing');
});
