import { describe, expect, test } from 'vitest';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const ROUTER = `0x${'7a'.repeat(20)}`;

/** A chain config with these members besides. */
function chain(more: object): object {
  return { name: 'A chain', native: { symbol: 'ETH', address: ROUTER }, rpc: [], ...more };
}

function chains(data: Readonly<Record<string, unknown>>): Parameters<typeof verdictOf>[1] {
  return { answered: { data } };
}

describe('the id of a chain config', () => {
  test.each<[string, object, string]>([
    ['is a number', { chainId: 42_161 }, 'pass'],
    ['is text', { chain: { id: '42161' } }, 'pass'],
    ['is in hex', { id: '0xa4b1' }, 'pass'],
    ['has a namespace', { ref: 'eip155:42161' }, 'pass'],
    ['is another, which has a rule of its own', { chainId: 1 }, 'pass'],
    ['has a name before it', { slug: 'evm-42161' }, 'pass'],
    ['is not there', {}, 'fail /data/42161'],
    ['is another, under another name', { id: 1 }, 'fail /data/42161'],
    ['is null', { chainId: null }, 'fail /data/42161'],
    ['ends a name', { title: 'Chain-42161' }, 'fail /data/42161'],
    ['ends a URL', { rpcUrls: ['https://rpc.example/42161'] }, 'fail /data/42161'],
    ['is the number of something else', { blockTime: 42_161 }, 'fail /data/42161'],
    ['is stated by its tokens alone', { tokens: [{ chainId: 42_161 }] }, 'fail /data/42161'],
    ['ends a longer number', { salt: '142161' }, 'fail /data/42161'],
  ])('%s', (_, more, verdict) => {
    expect(verdictOf('zap.chains.tell-their-id', chains({ 42161: chain(more) }))).toBe(verdict);
  });

  test('is not asked of what says nothing', () => {
    expect(verdictOf('zap.chains.tell-their-id', chains({ 1: {} }))).toBe('not-reached');
  });
});

describe('one chain of seven', () => {
  const ID = 'zap.chains.each-holds-what-others-hold';
  const full = chain({ type: 'evm', contracts: { router: ROUTER } });
  const beside = (one: object, others = 6): string => {
    const all = Array.from({ length: others }, (_, index) => [String(index + 2), full]);
    return verdictOf(ID, chains({ 1: one, ...(Object.fromEntries(all) as object) }));
  };
  test.each<[string, object, string]>([
    ['holds what the others hold', full, 'pass'],
    ['has no contracts', chain({ type: 'evm' }), 'fail /data/1'],
    ['has an empty list of contracts', chain({ type: 'evm', contracts: [] }), 'pass'],
    [
      'names no EVM address, and has a native token of 18 decimals',
      { type: 'evm', name: 'E', native: { decimals: 18 }, rpc: [] },
      'fail /data/1',
    ],
    ['is of another kind', chain({ type: 'svm' }), 'pass'],
    [
      'names the native token alone',
      { type: 'evm', name: 'B', native: { address: `0x${'e'.repeat(40)}` }, rpc: [] },
      'pass',
    ],
    ['names no EVM address', { type: 'evm', name: 'S', native: 'SOL', rpc: [] }, 'pass'],
  ])('%s', (_, one, verdict) => {
    expect(beside(one)).toBe(verdict);
  });

  test('is compared with five others at least', () => {
    expect(beside(chain({ type: 'evm' }), 4)).toBe('not-reached');
    expect(beside(chain({ type: 'evm' }), 5)).toBe('fail /data/1');
  });
});
