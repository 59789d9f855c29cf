/** Pool lists and the filters that they were asked with (section 4.1), as rules compare them. */

import { isObject } from '../../../wire/json.ts';
import type { View } from '../../../judging/view.ts';
import { memoOf } from '../../../judging/view.ts';
import { addressKey, isEvmAddress } from '../../../wire/addresses.ts';
import {
  chainNumber,
  evmAddressesIn,
  MAX_CHARACTERS,
  MAX_POOLS,
  poolsOf,
  protocolIn,
} from '../readings/pool-list.ts';

/** The largest page (section 4.1): one that is shorter shows all that pass its filters. */
export const WHOLE_PAGE = 200;

/** The parameters that filter (section 4.1). */
export const FILTERS = ['chainId', 'protocol', 'tokens'] as const;
type FilterName = (typeof FILTERS)[number];
/** The filters of a request, by name. */
export type PoolFilters = Readonly<Partial<Record<FilterName, string>>>;

/** A pool of a list, as far as filters go. */
export interface ListedPool {
  readonly address: string;
  readonly protocol: string | undefined;
  readonly tokens: ReadonlySet<string>;
  /** Undefined if the pool does not state it. */
  readonly chain: number | undefined;
}

/** Pools that pass some filters, as one answer of the largest size has them. */
export interface FilteredPools {
  readonly filters: PoolFilters;
  readonly pools: readonly ListedPool[];
  /** Whether these are all of them: the page has room for more. */
  readonly whole: boolean;
}

const FILTERED = memoOf(readFilteredPools);

/** What a list shows of filters; null when it is a smaller page, or has other parameters. */
export function filteredPoolsOf(view: View): FilteredPools | null {
  return view.get(FILTERED);
}

function readFilteredPools({ query, json }: View): FilteredPools | null {
  return filteredPoolsIn(query, json);
}

/** What the list in an answer to a query shows of filters. */
export function filteredPoolsIn(query: URLSearchParams, json: unknown): FilteredPools | null {
  const pools = poolsOf(json);
  const filters = filtersIn(query);
  if (query.get('limit') !== String(WHOLE_PAGE) || pools === undefined || !filters) return null;
  if (pools.length > MAX_POOLS) return null;
  return { filters, pools: pools.flatMap(listed), whole: pools.length < WHOLE_PAGE };
}

/** The filters of a query, each given once; undefined if there is any other parameter. */
export function filtersIn(query: URLSearchParams): PoolFilters | undefined {
  const names = [...query.keys()];
  const known = names.every((name) => name === 'limit' || FILTERS.some((one) => one === name));
  if (!known || new Set(names).size < names.length) return undefined;
  return Object.fromEntries([...query].filter(([name]) => name !== 'limit'));
}

function listed(pool: unknown): ListedPool[] {
  if (!isObject(pool) || typeof pool.address !== 'string') return [];
  if (pool.address.length > MAX_CHARACTERS) return [];
  return [
    {
      address: pool.address.toLowerCase(),
      protocol: protocolIn(pool)?.slice(0, MAX_CHARACTERS),
      tokens: evmAddressesIn(pool.tokens),
      chain: chainNumber(pool.chainId),
    },
  ];
}

/** Whether the second has all filters of the first, and more: another one, or another token. */
export function isNarrower(wide: PoolFilters, narrow: PoolFilters): boolean {
  const kept = FILTERS.every((name) => {
    const [wideValue, more] = [wide[name], narrow[name]];
    if (wideValue === undefined || wideValue === more) return true;
    return name === 'tokens' && more !== undefined && hasTokens(more, wideValue);
  });
  return kept && FILTERS.some((name) => isNarrowed(name, wide[name], narrow[name]));
}

function isNarrowed(
  name: FilterName,
  wideValue: string | undefined,
  more: string | undefined,
): boolean {
  if (wideValue === undefined || more === undefined) return wideValue !== more;
  return name === 'tokens' && !hasTokens(wideValue, more);
}

function hasTokens(all: string, some: string): boolean {
  const held = tokensIn(all);
  return tokensIn(some).every((token) => held.includes(token));
}

function tokensIn(value: string): string[] {
  return value.split(',').map((token) => addressKey(token.trim()));
}

/** What a list takes to keep, in pools and tokens. */
export function weightOf({ pools }: FilteredPools): number {
  return pools.reduce((weight, { tokens }) => weight + 1 + tokens.size, 1);
}

/** Whether a pool states that it is of a protocol, in any letter case. */
export function hasProtocol({ protocol }: ListedPool, wanted: string): boolean {
  return protocol?.toLowerCase() === wanted.toLowerCase();
}

/** Whether a pool passes a filter, as far as it says. */
export function passes(pool: ListedPool, name: FilterName, value = ''): boolean {
  if (name === 'chainId') return pool.chain !== undefined && String(pool.chain) === value;
  if (name === 'protocol') return pool.protocol === value;
  return value.split(',').every((text) => {
    const token = text.trim();
    return isEvmAddress(token) && pool.tokens.has(token.toLowerCase());
  });
}

/** Whether a pool states that it does not pass a filter. */
export function fails(pool: ListedPool, name: FilterName, filters: PoolFilters): boolean {
  const value = filters[name];
  if (value === undefined) return false;
  if (name === 'chainId') return pool.chain !== undefined && String(pool.chain) !== value;
  if (name === 'protocol') return pool.protocol !== undefined && !hasProtocol(pool, value);
  const wanted = value.split(',').map((text) => text.trim());
  if (pool.tokens.size === 0 || !wanted.every(isEvmAddress)) return false;
  return wanted.some((token) => !pool.tokens.has(token.toLowerCase()));
}
