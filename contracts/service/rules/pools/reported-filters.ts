/** Filters of pool lists by what each pool states of itself: its protocol, its tokens. */

import { member } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { addressKey, isEvmAddress } from '../../../wire/addresses.ts';
import { BrokenList } from '../../../rules/broken-list.ts';
import type { ListedPool, PoolFilters } from './filtered-pools.ts';
import { filteredPoolsOf, filtersIn, FILTERS, hasProtocol, passes } from './filtered-pools.ts';
import { evmAddressesIn, givenOnce, poolsOf, protocolIn } from '../readings/pool-list.ts';
import { POOLS_OF_CHAIN } from './pool-facts.ts';

/** Nobody asks for pools of more tokens at once. */
const MAX_WANTED = 100;

/** The native token in requests, which pools hold wrapped. */
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** A filter that is judged by what pools state. */
interface ReportedFilter {
  readonly name: 'protocol' | 'tokens';
  /** What the list shows of the filter; null for nothing. */
  readonly judge: (view: View) => readonly Broken[] | null;
  /** Whether a service that has the mistake would list this pool, which the filter takes away. */
  readonly isEvidence: (pool: ListedPool, wanted: string) => boolean;
}

/** Pools of a chain, of which filters have to choose. */
interface Seen {
  readonly kind: 'seen';
  readonly chain: string;
  readonly pools: readonly ListedPool[];
}

interface Asked {
  readonly kind: 'asked';
  /** Undefined if the query has something else besides: then nothing is known to be left out. */
  readonly filters: PoolFilters | undefined;
  readonly broken: readonly Broken[];
}

type Fact = Seen | Asked;

function factOf(filter: ReportedFilter, view: View): Fact | null {
  if (view.exchange.relations.some(({ kind }) => kind === POOLS_OF_CHAIN)) {
    const list = filteredPoolsOf(view);
    const chain = list?.filters.chainId;
    return list && chain !== undefined ? { kind: 'seen', chain, pools: list.pools } : null;
  }
  const broken = filter.judge(view);
  return broken && { kind: 'asked', filters: filtersIn(view.query), broken };
}

function weightOf(fact: Fact): number {
  if (fact.kind === 'asked') return 1;
  return fact.pools.reduce((weight, { tokens }) => weight + 1 + tokens.size, 1);
}

// A list that holds what it should is evidence only if the service has a pool that the filter
// takes away and everything else that was asked for lets pass.
function conclude(filter: ReportedFilter, facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const seen = facts.flatMap(({ fact }) => (fact.kind === 'seen' ? [fact] : []));
  const known = new Map<string, boolean>();
  const isEvidence = (filters: PoolFilters | undefined): boolean => {
    if (filters === undefined) return false;
    const key = FILTERS.map((name) => filters[name] ?? '').join('\n');
    let has = known.get(key);
    if (has === undefined) known.set(key, (has = hasEvidence(filter, filters, seen)));
    return has;
  };
  return facts.flatMap(({ fact, witness }): GroupJudgement[] => {
    if (fact.kind === 'seen') return [];
    const { broken, filters } = fact;
    return broken.length > 0 || isEvidence(filters)
      ? [{ witnesses: [witness], judgement: broken }]
      : [];
  });
}

function hasEvidence(filter: ReportedFilter, filters: PoolFilters, seen: readonly Seen[]): boolean {
  const wanted = filters[filter.name] ?? '';
  return seen.some(({ chain, pools }) => {
    if (filters.chainId !== undefined && filters.chainId !== chain) return false;
    return pools.some((pool) => {
      const passesOthers = (['protocol', 'tokens'] as const).every(
        (name) =>
          name === filter.name || filters[name] === undefined || passes(pool, name, filters[name]),
      );
      return passesOthers && filter.isEvidence(pool, wanted);
    });
  });
}

// §4.1: filter by protocol identifier. The pool says its own, itself or as the id of an object.
const byProtocol: ReportedFilter = {
  name: 'protocol',
  judge: (view) => {
    const wanted = givenOnce(view.query, 'protocol');
    const pools = poolsOf(view.json);
    if (wanted === null || wanted === '' || wanted.includes(',') || !pools) return null;
    let judged = pools.length === 0;
    const broken = new BrokenList();
    for (const [index, pool] of pools.entries()) {
      const protocol = protocolIn(pool);
      if (protocol === undefined) continue;
      judged = true;
      if (protocol.toLowerCase() === wanted.toLowerCase()) continue;
      broken.add(() => {
        const pointer = `/data/pools/${index}/protocol`;
        return { pointer, expected: `the protocol asked for, ${wanted}`, actual: protocol };
      });
    }
    return judged ? broken.all() : null;
  },
  isEvidence: (pool, wanted) => pool.protocol !== undefined && !hasProtocol(pool, wanted),
};

/** The tokens that a request asks for; null if it names none, or what is no EVM address. */
function wantedTokens(text: string | null): string[] | null {
  const wanted = (text ?? '').split(',').map((token) => token.trim());
  if (wanted.length > MAX_WANTED || !wanted.every(isEvmAddress)) return null;
  return wanted.map(addressKey);
}

/** The wanted tokens that a pool lacks; the native one is held wrapped. */
function lacked(held: ReadonlySet<string>, wanted: readonly string[]): string[] {
  return wanted.filter((token) => !held.has(token) && token !== NATIVE);
}

/**
 * Lists with pools that lack some of the wanted tokens. How a pool states its tokens is open, so
 * whatever EVM address stands anywhere in `tokens` counts; a pool that shows none is not judged.
 *
 * @param isBroken whether to lack these, of those that are wanted, is what is looked for
 */
function lacking(
  view: View,
  isConcerned: (wanted: readonly string[]) => boolean,
  isBroken: (missing: readonly string[], wanted: readonly string[]) => boolean,
): readonly Broken[] | null {
  const wanted = wantedTokens(givenOnce(view.query, 'tokens'));
  const pools = poolsOf(view.json);
  if (wanted === null || pools === undefined || !isConcerned(wanted)) return null;
  let judged = pools.length === 0;
  const broken = new BrokenList();
  for (const [index, pool] of pools.entries()) {
    const held = evmAddressesIn(member(pool, 'tokens'));
    if (held.size === 0) continue;
    judged = true;
    const missing = lacked(held, wanted);
    if (!isBroken(missing, wanted)) continue;
    broken.add(() => ({
      pointer: `/data/pools/${index}/tokens`,
      expected: `all tokens asked for, ${missing[0] ?? ''} too`,
      actual: [...held].join(),
    }));
  }
  return judged ? broken.all() : null;
}

const lacksAll = (missing: readonly string[], wanted: readonly string[]): boolean =>
  missing.length > 0 && missing.length === wanted.length;

const lacksSome = (missing: readonly string[], wanted: readonly string[]): boolean =>
  missing.length > 0 && missing.length < wanted.length;

/** How a pool that states its tokens stands to those of a request. */
function evidenceBy(how: typeof lacksAll): ReportedFilter['isEvidence'] {
  return ({ tokens }, text) => {
    const wanted = wantedTokens(text);
    return wanted !== null && tokens.size > 0 && how(lacked(tokens, wanted), wanted);
  };
}

// §4.1: pools that contain all listed tokens. One that holds none of them shows that the filter was
// not looked at.
const byTokens: ReportedFilter = {
  name: 'tokens',
  judge: (view) => lacking(view, () => true, lacksAll),
  isEvidence: evidenceBy(lacksAll),
};

// One that holds some of them shows how they are joined. If the list has pools that hold none, that
// is the business of the rule above.
const byAllTokens: ReportedFilter = {
  name: 'tokens',
  judge: (view) => {
    const several = (wanted: readonly string[]): boolean => new Set(wanted).size > 1;
    const broken = lacking(view, several, lacksSome);
    if (broken === null || broken.length === 0) return broken;
    return (lacking(view, several, lacksAll) ?? []).length > 0 ? null : broken;
  },
  isEvidence: evidenceBy(lacksSome),
};

function ruleOf(
  row: Pick<Rule, 'id' | 'protects' | 'leastEvidence'> & { readonly rulesOut: string },
  filter: ReportedFilter,
): Rule {
  return runRule<Fact>({
    ...row,
    level: 'must',
    source: '§4.1',
    api: 'zap',
    operations: ['zap.pools'],
    answer: 'success',
    collect: (view) => factOf(filter, view),
    weigh: weightOf,
    conclude: (facts) => conclude(filter, facts),
  });
}

/** Rules on filters that each answer is held to by what its pools state. */
export const reportedFilterRules: readonly Rule[] = [
  ruleOf(
    {
      id: 'zap.pools.protocol-filter',
      protects: 'A list that is filtered by protocol holds pools of that protocol only.',
      rulesOut:
        'A service that ignores the protocol, alone or beside another filter: it has a pool of another protocol that passes all else that was asked for.',
      leastEvidence: 1,
    },
    byProtocol,
  ),
  ruleOf(
    {
      id: 'zap.pools.tokens-filter',
      protects: 'A list that is filtered by tokens holds no pool without any of them.',
      rulesOut:
        'A service that ignores the tokens, alone or beside another filter: it has a pool that holds none of them and passes all else that was asked for.',
      leastEvidence: 2,
    },
    byTokens,
  ),
  ruleOf(
    {
      id: 'zap.pools.tokens-all-held',
      protects:
        'A list that is filtered by several tokens holds only pools that contain all of them.',
      rulesOut:
        'A service that joins the tokens by or, or looks at some of them alone: it has a pool that holds only some of the tokens asked for.',
      leastEvidence: 1,
    },
    byAllTokens,
  ),
];
