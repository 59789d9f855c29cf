import type { Broken, Collected, GroupJudgement, Rule } from '../rule.ts';
import { runRule } from '../rule.ts';
import type { FilteredPools, PoolFilters } from './filtered-pools.ts';
import { filteredPoolsOf, FILTERS, isNarrower, passes, weightOf } from './filtered-pools.ts';
import type { Comparison } from './trial.ts';
import { stateOf } from './trial.ts';

// Section 4.1: each parameter filters, so one more takes pools away and brings none.
function strangers(wide: FilteredPools, narrow: FilteredPools): Broken | undefined {
  const all = new Set(wide.pools.map(({ address }) => address));
  const at = narrow.pools.findIndex(({ address }) => !all.has(address));
  const stranger = narrow.pools[at];
  if (stranger === undefined) return undefined;
  const expected = `one of the ${all.size} pools that ${words(wide.filters)} gives`;
  return { pointer: `/data/pools/${at}/address`, expected, actual: stranger.address };
}

// Section 4.1: what passes the filters that are added stays. Where a pool does not tell its chain,
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

function words(filters: PoolFilters): string {
  const names = Object.keys(filters);
  return names.length === 0 ? 'no filter' : `the filter by ${names.join(' and ')} alone`;
}

/** A relation between a list and one with further filters. */
export type FilterTrial = Pick<Comparison, 'id' | 'level' | 'source' | 'protects'> & {
  readonly agree: (one: FilteredPools, other: FilteredPools) => boolean;
  /** Which of the two lists must have all pools that there are. */
  readonly whole: 'wide' | 'narrow';
  readonly compare: (wide: FilteredPools, narrow: FilteredPools) => readonly Broken[];
};

function trial(
  row: Pick<FilterTrial, 'id' | 'protects' | 'whole'>,
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
      whole: 'wide',
    },
    strangers,
  ),
  trial(
    {
      id: 'zap.pools.filters-keep-matches',
      protects: 'A pool that passes every filter is in the list of all of them together.',
      whole: 'narrow',
    },
    lost,
  ),
];

interface Digested {
  readonly digest: FilteredPools;
}

/** How the lists of fewer and of more filters stand to each other, each asked once or more often. */
export function filterStateOf(
  filterTrial: FilterTrial,
  wide: readonly FilteredPools[],
  narrow: readonly FilteredPools[],
): ReturnType<typeof stateOf> {
  const { id, level, source, protects, agree, compare, whole } = filterTrial;
  const comparison: Comparison<FilteredPools> = {
    ...{ id, level, source, protects, agree, compare },
    relation: '',
  };
  const answers = (role: FilterTrial['whole'], of: readonly FilteredPools[]): Digested[] =>
    of.filter((list) => list.whole || role !== whole).map((digest) => ({ digest }));
  return stateOf(comparison, answers('wide', wide), answers('narrow', narrow));
}

type Lists = readonly Collected<FilteredPools>[];

// Lists are compared whoever asked for them, so that any two of a run are evidence.
function judgePairs(filterTrial: FilterTrial, facts: Lists): GroupJudgement[] {
  const byFilters = new Map<string, Collected<FilteredPools>[]>();
  for (const fact of facts) {
    const { chainId, protocol, tokens } = fact.fact.filters;
    const key = JSON.stringify([chainId, protocol, tokens]);
    const known = byFilters.get(key);
    if (known === undefined) byFilters.set(key, [fact]);
    else known.push(fact);
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
    weigh: weightOf,
    conclude: (facts) => judgePairs(filterTrial, facts),
  }),
);
