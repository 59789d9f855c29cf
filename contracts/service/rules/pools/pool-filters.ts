import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { FilteredPools, ListedPool, PoolFilters } from './filtered-pools.ts';
import { fails, filteredPoolsOf, FILTERS, isNarrower, passes, weightOf } from './filtered-pools.ts';
import type { Comparison } from '../../../rules/relation-rule.ts';
import { stateOf } from '../../../rules/relation-rule.ts';

// Section 4.1: each parameter filters, so one more takes pools away and brings none. A pool that states
// itself that it does not pass is the business of the rules on what pools state.
function strangers(wide: FilteredPools, narrow: FilteredPools): Broken | undefined {
  const all = new Set(wide.pools.map(({ address }) => address));
  const at = narrow.pools.findIndex(
    (pool) => !all.has(pool.address) && !FILTERS.some((name) => fails(pool, name, narrow.filters)),
  );
  const stranger = narrow.pools[at];
  if (stranger === undefined) return undefined;
  const expected = `one of the ${all.size} pools of the list with ${words(wide.filters)}`;
  return { pointer: `/data/pools/${at}/address`, expected, actual: stranger.address };
}

// Section 4.1: what passes the filters that are added stays. If a pool does not state its chain,
// nothing is known of what a filter by chain takes away.
function lost(wide: FilteredPools, narrow: FilteredPools): Broken | undefined {
  const kept = new Set(narrow.pools.map(({ address }) => address));
  const missing = wide.pools.find(
    (pool) => !kept.has(pool.address) && passesAdded(pool, wide.filters, narrow.filters),
  );
  if (missing === undefined) return undefined;
  const expected = `${missing.address} too, which is in the list with ${words(wide.filters)} and passes ${words(narrow.filters)}`;
  return { pointer: '/data/pools', expected, actual: `${kept.size} pools without it` };
}

function passesAdded(pool: ListedPool, wide: PoolFilters, narrow: PoolFilters): boolean {
  const added = FILTERS.filter((name) => wide[name] !== narrow[name]);
  return added.every((name) => passes(pool, name, narrow[name]));
}

function words(filters: PoolFilters): string {
  const names = Object.keys(filters);
  return names.length === 0 ? 'no filter' : `the filter by ${names.join(' and ')}`;
}

/** A relation between a list and one with further filters. */
export type FilterRelation = Pick<Comparison, 'id' | 'level' | 'source' | 'protects'> & {
  readonly rulesOut: string;
  readonly agree: (one: FilteredPools, other: FilteredPools) => boolean;
  /** Which of the two lists must have all pools that there are. */
  readonly whole: 'wide' | 'narrow';
  /**
   * Whether a service that has the mistake would have answered differently.
   *
   * @param others lists with some of the filters of the narrow one, the wide one among them
   */
  readonly showsMistake: (wide: FilteredPools, narrow: FilteredPools, others: Others) => boolean;
  readonly compare: (wide: FilteredPools, narrow: FilteredPools) => readonly Broken[];
};

/** What lists with some of a list's filters hold. */
interface Others {
  /** This many pools in all; of lists without any filter none is counted. */
  readonly count: number;
}

function filterRelationOf(
  row: Pick<FilterRelation, 'id' | 'source' | 'protects' | 'rulesOut' | 'whole' | 'showsMistake'>,
  find: (wide: FilteredPools, narrow: FilteredPools) => Broken | undefined,
): FilterRelation {
  return {
    ...row,
    level: 'must',
    agree: (one, other) => addressesOf(one) === addressesOf(other),
    compare: (wide, narrow) => {
      const found = find(wide, narrow);
      return found === undefined ? [] : [found];
    },
  };
}

function addressOf({ address }: ListedPool): string {
  return address;
}

function addressesOf({ pools }: FilteredPools): string {
  return pools
    .map(({ address }) => address)
    .sort()
    .join();
}

/** What holds between the whole lists of fewer and of more filters. */
export const FILTER_RELATIONS: readonly FilterRelation[] = [
  filterRelationOf(
    {
      id: 'zap.pools.filters-narrow',
      // Zapping into a pool of another chain than was asked for.
      source: 'implied by §4.1 (transaction fails)',
      protects: 'A further filter takes pools from a list and adds none.',
      rulesOut:
        'A service that ignores a filter beside another one: without it there are pools that it takes away.',
      whole: 'wide',
      showsMistake: (wide, _narrow, { count }) => count > new Set(wide.pools.map(addressOf)).size,
    },
    strangers,
  ),
  filterRelationOf(
    {
      id: 'zap.pools.filters-keep-matches',
      // A pool that is there is not found.
      source: 'implied by §4.1 (no service)',
      protects: 'A pool that passes every filter is in the list of all of them together.',
      rulesOut:
        'A service that finds nothing, or less, if filters meet: some pool states that it passes all of them.',
      whole: 'narrow',
      showsMistake: (wide, narrow) =>
        wide.pools.some((pool) => passesAdded(pool, wide.filters, narrow.filters)),
    },
    lost,
  ),
];

interface Digested {
  readonly digest: FilteredPools;
}

/** How the lists of fewer and of more filters stand to each other, each asked once or more often. */
export function filterStateOf(
  filterRelation: FilterRelation,
  wide: readonly FilteredPools[],
  narrow: readonly FilteredPools[],
): ReturnType<typeof stateOf> {
  const { whole } = filterRelation;
  const comparison: Comparison<FilteredPools> = { ...filterRelation, relation: '' };
  const answers = (role: FilterRelation['whole'], lists: readonly FilteredPools[]): Digested[] =>
    lists.filter((list) => list.whole || role !== whole).map((digest) => ({ digest }));
  return stateOf(comparison, answers('wide', wide), answers('narrow', narrow));
}

type Lists = readonly Collected<FilteredPools>[];

// Lists are compared whoever asked for them, so that any two of a run are evidence.
function judgePairs(filterRelation: FilterRelation, facts: Lists): GroupJudgement[] {
  const most = mostGiven(facts);
  const byFilters = new Map<string, Collected<FilteredPools>[]>();
  for (const { fact, witness } of facts) {
    const { chainId, protocol, tokens } = fact.filters;
    const key = JSON.stringify([chainId, protocol, tokens]);
    const list = { fact: { ...fact, whole: fact.whole && fact.pools.length < most }, witness };
    const known = byFilters.get(key);
    if (known === undefined) byFilters.set(key, [list]);
    else known.push(list);
  }
  const groups = [...byFilters.values()];
  return groups.flatMap((narrow) => {
    const wider = groups.filter((wide) => isPair(wide, narrow));
    const others = othersOf(wider);
    return wider.flatMap((wide) => judgePair(filterRelation, wide, narrow, others));
  });
}

// A list without filters holds all pools, unless the service gives no more in any list. Then one of
// that size is not all there is, whatever it was asked for.
function mostGiven(facts: Lists): number {
  const all = facts.filter(({ fact }) => Object.keys(fact.filters).length === 0);
  const known = new Set(all.flatMap(({ fact }) => fact.pools.map(addressOf)));
  const isCut = facts.some(({ fact }) => fact.pools.some((pool) => !known.has(addressOf(pool))));
  if (all.length === 0 || !isCut) return Infinity;
  return Math.max(...all.map(({ fact }) => fact.pools.length));
}

function isPair([wide]: Lists, [narrow]: Lists): boolean {
  return (
    wide !== undefined &&
    narrow !== undefined &&
    wide.fact.pools.length > 0 &&
    isNarrower(wide.fact.filters, narrow.fact.filters)
  );
}

function othersOf(wider: readonly Lists[]): Others {
  const pools = new Set<string>();
  for (const [list] of wider) {
    if (list === undefined || Object.keys(list.fact.filters).length === 0) continue;
    for (const pool of list.fact.pools) pools.add(addressOf(pool));
  }
  return { count: pools.size };
}

function judgePair(
  filterRelation: FilterRelation,
  wide: Lists,
  narrow: Lists,
  others: Others,
): GroupJudgement[] {
  const factsOf = (lists: Lists): FilteredPools[] => lists.map(({ fact }) => fact);
  const state = filterStateOf(filterRelation, factsOf(wide), factsOf(narrow));
  const witnesses = [...narrow.slice(0, 1), ...wide.slice(0, 1)].map(({ witness }) => witness);
  switch (state.kind) {
    case 'broken':
      return [{ witnesses, judgement: state.broken }];
    case 'holds': {
      const [[one], [other]] = [wide, narrow];
      const isEvidence = one && other && filterRelation.showsMistake(one.fact, other.fact, others);
      return isEvidence === true ? [{ witnesses, judgement: [] }] : [];
    }
    case 'nothing':
      return [];
    default:
      return [{ witnesses: [], judgement: 'inconclusive' }];
  }
}

/** Rules on filters in combination (section 4.1). */
export const poolFilterRules: readonly Rule[] = FILTER_RELATIONS.map((filterRelation) =>
  runRule<FilteredPools>({
    id: filterRelation.id,
    level: filterRelation.level,
    source: filterRelation.source,
    protects: filterRelation.protects,
    rulesOut: filterRelation.rulesOut,
    api: 'zap',
    operations: ['zap.pools'],
    answer: 'success',
    leastEvidence: 1,
    collect: filteredPoolsOf,
    weigh: weightOf,
    conclude: (facts) => judgePairs(filterRelation, facts),
  }),
);
