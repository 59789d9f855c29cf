import { isObject } from '../json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../rule.ts';
import { runRule } from '../rule.ts';
import type { View } from '../view.ts';
import { memoOf } from '../view.ts';
import { isEvmAddress } from '../wire/addresses.ts';
import { evmAddressesIn, poolsOf, protocolIn } from './pool-list.ts';
import type { Comparison } from './trial.ts';
import { stateOf } from './trial.ts';

/** The largest page (section 4.1): one that is shorter shows all that pass its filters. */
export const WHOLE_PAGE = 200;

/** The parameters that filter (section 4.1). */
const FILTERS = ['chainId', 'protocol', 'tokens'] as const;
type FilterName = (typeof FILTERS)[number];
/** The filters of a request, by name. */
export type PoolFilters = Readonly<Partial<Record<FilterName, string>>>;

interface ListedPool {
  readonly address: string;
  readonly protocol: string | undefined;
  readonly tokens: ReadonlySet<string>;
}

/** All pools that pass some filters, as one answer has them. */
export interface FilteredPools {
  readonly filters: PoolFilters;
  readonly pools: readonly ListedPool[];
}

const FILTERED = memoOf(readFilteredPools);

/** What a list shows of filters; null when it may lack pools, or has other parameters. */
export function filteredPoolsOf(view: View): FilteredPools | null {
  return view.get(FILTERED);
}

function readFilteredPools({ query, json }: View): FilteredPools | null {
  const pools = poolsOf(json);
  if (query.get('limit') !== String(WHOLE_PAGE) || pools === undefined) return null;
  if (pools.length >= WHOLE_PAGE) return null;
  const names = [...new Set(query.keys())].filter((name) => name !== 'limit');
  const known = names.every((name) => FILTERS.some((filter) => filter === name));
  if (!known || names.length !== query.size - 1) return null;
  const filters = Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']));
  return { filters, pools: pools.flatMap(listed) };
}

function listed(pool: unknown): ListedPool[] {
  if (!isObject(pool) || typeof pool.address !== 'string') return [];
  const { address, tokens } = pool;
  return [
    { address: address.toLowerCase(), protocol: protocolIn(pool), tokens: evmAddressesIn(tokens) },
  ];
}

/** Whether the second has all filters of the first, and more. */
export function isNarrower(wide: PoolFilters, narrow: PoolFilters): boolean {
  const [of, more] = [Object.entries(wide), Object.keys(narrow)];
  return (
    of.length < more.length && of.every(([name, value]) => narrow[name as FilterName] === value)
  );
}

// Section 4.1: each parameter filters, so one more takes pools away and brings none.
function strangers(wide: FilteredPools, narrow: FilteredPools): Broken | undefined {
  const all = new Set(wide.pools.map(({ address }) => address));
  const at = narrow.pools.findIndex(({ address }) => !all.has(address));
  const stranger = narrow.pools[at];
  if (stranger === undefined) return undefined;
  const expected = `one of the ${all.size} pools that ${words(wide.filters)} gives`;
  return { pointer: `/data/pools/${at}/address`, expected, actual: stranger.address };
}

// Section 4.1: what passes the filters that are added stays. A pool does not tell its chain, so
// nothing is known of what a filter by chain takes away.
function lost(wide: FilteredPools, narrow: FilteredPools): Broken | undefined {
  const added = FILTERS.filter((name) => wide.filters[name] !== narrow.filters[name]);
  const kept = new Set(narrow.pools.map(({ address }) => address));
  const missing = wide.pools.find(
    (pool) =>
      !kept.has(pool.address) && added.every((name) => passes(pool, name, narrow.filters[name])),
  );
  if (missing === undefined) return undefined;
  const expected = `${missing.address} too, which ${words(wide.filters)} gives and which passes`;
  return { pointer: '/data/pools', expected, actual: `${kept.size} pools without it` };
}

function passes({ protocol, tokens }: ListedPool, name: FilterName, value = ''): boolean {
  if (name === 'chainId') return false;
  if (name === 'protocol') return protocol === value;
  const wanted = value.split(',').map((token) => token.trim().toLowerCase());
  return wanted.every((token) => isEvmAddress(token) && tokens.has(token));
}

function words(filters: PoolFilters): string {
  const names = Object.keys(filters);
  return names.length === 0 ? 'no filter' : `the filter by ${names.join(' and ')} alone`;
}

/** A relation between a list and one with further filters. */
export type FilterTrial = Pick<Comparison, 'id' | 'level' | 'source' | 'protects'> & {
  readonly agree: (one: FilteredPools, other: FilteredPools) => boolean;
  readonly compare: (wide: FilteredPools, narrow: FilteredPools) => readonly Broken[];
};

function trial(
  row: Pick<FilterTrial, 'id' | 'protects'>,
  find: (wide: FilteredPools, narrow: FilteredPools) => Broken | undefined,
): FilterTrial {
  return {
    ...row,
    level: 'should',
    source: 'implied by §4.1',
    agree: (one, other) => addressesOf(one) === addressesOf(other),
    compare: (wide, narrow) => {
      const found = find(wide, narrow);
      return found === undefined ? [] : [found];
    },
  };
}

function addressesOf({ pools }: FilteredPools): string {
  return pools
    .map(({ address }) => address)
    .sort()
    .join();
}

/** What holds between the whole lists of fewer and of more filters. */
export const FILTER_TRIALS: readonly FilterTrial[] = [
  trial(
    {
      id: 'zap.pools.filters-narrow',
      protects: 'A further filter takes pools from a list and adds none.',
    },
    strangers,
  ),
  trial(
    {
      id: 'zap.pools.filters-keep-matches',
      protects: 'A pool that passes every filter is in the list of all of them together.',
    },
    lost,
  ),
];

/** How the lists of fewer and of more filters stand to each other, each asked once or more often. */
export function filterStateOf(
  filterTrial: FilterTrial,
  wide: readonly FilteredPools[],
  narrow: readonly FilteredPools[],
): ReturnType<typeof stateOf> {
  const { id, level, source, protects, agree, compare } = filterTrial;
  const comparison: Comparison<FilteredPools> = {
    ...{ id, level, source, protects, agree, compare },
    relation: '',
  };
  const answers = (of: readonly FilteredPools[]): { digest: FilteredPools }[] =>
    of.map((digest) => ({ digest }));
  return stateOf(comparison, answers(wide), answers(narrow));
}

type Lists = readonly Collected<FilteredPools>[];

// Lists are compared whoever asked for them, so that any two of a run are evidence.
function judgePairs(filterTrial: FilterTrial, facts: Lists): GroupJudgement[] {
  const byFilters = new Map<string, Collected<FilteredPools>[]>();
  for (const fact of facts) {
    const { chainId, protocol, tokens } = fact.fact.filters;
    const key = JSON.stringify([chainId, protocol, tokens]);
    byFilters.set(key, [...(byFilters.get(key) ?? []), fact]);
  }
  const groups = [...byFilters.values()];
  return groups.flatMap((wide) =>
    groups
      .filter((narrow) => isPair(wide, narrow))
      .flatMap((narrow) => judgePair(filterTrial, wide, narrow)),
  );
}

function isPair([wide]: Lists, [narrow]: Lists): boolean {
  return (
    wide !== undefined &&
    narrow !== undefined &&
    wide.fact.pools.length > 0 &&
    isNarrower(wide.fact.filters, narrow.fact.filters)
  );
}

function judgePair(filterTrial: FilterTrial, wide: Lists, narrow: Lists): GroupJudgement[] {
  const of = (lists: Lists): FilteredPools[] => lists.map(({ fact }) => fact);
  const state = filterStateOf(filterTrial, of(wide), of(narrow));
  const witnesses = [...narrow.slice(0, 1), ...wide.slice(0, 1)].map(({ witness }) => witness);
  switch (state.kind) {
    case 'holds':
    case 'broken':
      return [{ witnesses, judgement: state.broken }];
    case 'nothing':
      return [];
    default:
      return [{ witnesses: [], judgement: 'inconclusive' }];
  }
}

/** Rules on filters in combination (section 4.1). */
export const poolFilterRules: readonly Rule[] = FILTER_TRIALS.map((filterTrial) =>
  runRule<FilteredPools>({
    id: filterTrial.id,
    level: filterTrial.level,
    source: filterTrial.source,
    protects: filterTrial.protects,
    api: 'zap',
    operations: ['zap.pools'],
    answer: 'success',
    leastEvidence: 1,
    collect: filteredPoolsOf,
    conclude: (facts) => judgePairs(filterTrial, facts),
  }),
);
