/** What lists and details of one chain's pools say, for rules that hold them together. */

import { isObject, member } from '../../../wire/json.ts';
import type { Collected } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { memoOf } from '../../../judging/view.ts';
import { evmKey, isEvmAddress } from '../../../wire/addresses.ts';
import {
  chainNumber,
  evmAddressesIn,
  MAX_CHARACTERS,
  MAX_POOLS,
  poolsOf,
} from '../readings/pool-list.ts';

/** The kind of relation of the lists and details of one chain's pools; roles are list and detail. */
export const POOLS_OF_CHAIN = 'pools-of-chain';
/** The operations that list pools and describe one. */
export const LISTS_AND_DETAILS: readonly string[] = ['zap.pools', 'zap.pool-details'];

/** What a list of one chain says. */
export interface Listed {
  readonly kind: 'list';
  readonly chain: string;
  /** By address key, the EVM addresses among the tokens. */
  readonly pools: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What became of a request for the details of a pool. */
export interface Detailed {
  readonly kind: 'detail';
  readonly chain: string;
  readonly address: string;
  readonly answer: 'served' | 'refused';
  readonly tokens: ReadonlySet<string>;
  /** The chain that the details state, if they do. */
  readonly reported: number | undefined;
  /** Whether the details say that they are of another pool. */
  readonly isOfOther: boolean;
}

/** What an answer says of the pools of a chain. */
export type PoolFact = Listed | Detailed;

const FACT = memoOf((view): PoolFact | null =>
  view.operation?.id === 'zap.pools' ? listOf(view) : detailOf(view),
);

/** What an answer says of pools; null for nothing. */
export function poolFactOf(view: View): PoolFact | null {
  return view.get(FACT);
}

function listOf(view: View): Listed | null {
  const chain = view.query.get('chainId');
  const listed = poolsOf(view.json);
  if (chain === null || listed === undefined || !view.succeeded) return null;
  if (listed.length > MAX_POOLS) return null;
  const pools = new Map<string, ReadonlySet<string>>();
  for (const pool of listed) {
    const address = member(pool, 'address');
    if (typeof address !== 'string' || address.length > MAX_CHARACTERS) continue;
    pools.set(evmKey(address) || address.toLowerCase(), evmAddressesIn(member(pool, 'tokens')));
  }
  return { kind: 'list', chain, pools };
}

function detailOf(view: View): Detailed | null {
  const { chainId, poolAddress } = isObject(view.requestJson) ? view.requestJson : {};
  if (typeof chainId !== 'number' || typeof poolAddress !== 'string') return null;
  // An outage says nothing of the pool.
  if (view.status >= 500) return null;
  const tokens = evmAddressesIn(member(member(view.json, 'data'), 'tokens'));
  const answer = view.succeeded ? 'served' : 'refused';
  const [chain, address] = [String(chainId), poolAddress.toLowerCase()];
  const reported = chainNumber(member(member(view.json, 'data'), 'chainId'));
  const isOfOther = isOfOtherPool(view);
  return { kind: 'detail', chain, address, answer, tokens, reported, isOfOther };
}

/** Whether details say themselves that they are of another chain, or of a pool at another address. */
export function isOfOtherPool(view: View): boolean {
  const data = member(view.json, 'data');
  const { chainId, poolAddress } = isObject(view.requestJson) ? view.requestJson : {};
  const [reported, address] = [chainNumber(member(data, 'chainId')), member(data, 'address')];
  const isFar = typeof chainId === 'number' && reported !== undefined && reported !== chainId;
  const isElsewhere =
    isEvmAddress(address) && isEvmAddress(poolAddress) && evmKey(address) !== evmKey(poolAddress);
  return isFar || isElsewhere;
}

/** What a fact takes to keep, in pools and tokens. */
export function weightOf(fact: PoolFact): number {
  if (fact.kind === 'detail') return 1 + fact.tokens.size;
  let weight = 1;
  for (const tokens of fact.pools.values()) weight += 1 + tokens.size;
  return weight;
}

/** Facts by their kind. */
export interface PoolFacts {
  readonly lists: readonly Collected<Listed>[];
  readonly details: readonly Collected<Detailed>[];
}

/** Lists and details, each by themselves. */
export function sorted(facts: readonly Collected<PoolFact>[]): PoolFacts {
  const lists: Collected<Listed>[] = [];
  const details: Collected<Detailed>[] = [];
  for (const { fact, witness } of facts) {
    if (fact.kind === 'list') lists.push({ fact, witness });
    else details.push({ fact, witness });
  }
  return { lists, details };
}
