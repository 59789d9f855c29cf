import { member } from '../json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../rule.ts';
import { exchangeRule, runRule } from '../rule.ts';
import type { View } from '../view.ts';
import type { FilteredPools, PoolFilters } from './filtered-pools.ts';
import { countPassing, filteredPoolsOf, filtersIn, isNarrower } from './filtered-pools.ts';

const DEFAULT_LIMIT = 50;
const MAXIMUM_LIMIT = 200;
const POSITIVE_INTEGER = /^[1-9][0-9]*$/;

/** How many pools a response lists; undefined when it lists none in the documented way. */
function poolCount(view: View): number | undefined {
  const pools = member(member(view.json, 'data'), 'pools');
  return Array.isArray(pools) ? pools.length : undefined;
}

/** The limit that the request asked for; undefined when it gave none or no positive integer. */
function askedLimit(view: View): number | undefined {
  const text = view.query.get('limit');
  return text !== null && POSITIVE_INTEGER.test(text) ? Number(text) : undefined;
}

function tooMany(count: number, most: number): Broken[] {
  if (count <= most) return [];
  return [{ pointer: '/data/pools', expected: `at most ${most} pools`, actual: `${count} pools` }];
}

interface Page {
  /** The filters of the request, without its limit, as text. */
  readonly filter: string;
  /** The same, where they are the documented ones. */
  readonly filters: PoolFilters | undefined;
  readonly limited: boolean;
  readonly count: number;
  /** The list, where it is of the largest size. */
  readonly largest: FilteredPools | null;
}

function pageOf(view: View): Page | null {
  const count = poolCount(view);
  if (count === undefined) return null;
  const query = new URLSearchParams(view.query);
  const limited = query.has('limit');
  query.delete('limit');
  query.sort();
  const filters = filtersIn(query);
  return { filter: query.toString(), filters, limited, count, largest: filteredPoolsOf(view) };
}

// §4.1, §8: default 50. Fewer are right only where no more exist, which other pages of the same
// filter tell, and those of further filters: all of their pools pass this one.
function judgeDefaults(pages: readonly Collected<Page>[]): GroupJudgement[] {
  const fullest = new Map<string, Collected<Page>>();
  for (const page of pages) {
    const { filter, count } = page.fact;
    if (count > (fullest.get(filter)?.fact.count ?? -1)) fullest.set(filter, page);
  }
  return pages
    .filter(({ fact }) => !fact.limited)
    .map((page) => {
      const { count } = page.fact;
      if (count >= DEFAULT_LIMIT) {
        return { witnesses: [page.witness], judgement: tooMany(count, DEFAULT_LIMIT) };
      }
      for (const fuller of fullest.values()) {
        const there = passing(fuller.fact, page.fact);
        if (there <= count) continue;
        const expected = `${DEFAULT_LIMIT} pools by default, or all where there are fewer`;
        const actual = `${count} pools, where a larger limit gave ${there}`;
        const witnesses = [page.witness, fuller.witness];
        return { witnesses, judgement: [{ pointer: '/data/pools', expected, actual }] };
      }
      return { witnesses: [page.witness], judgement: [] };
    });
}

/** So many pools of one page pass the filters of another, as far as can be told. */
function passing({ filter, filters, count, largest }: Page, of: Page): number {
  if (filter === of.filter) return count;
  if (largest === null || of.filters === undefined || filters === undefined) return 0;
  return isNarrower(of.filters, filters) ? countPassing(largest, of.filters) : 0;
}

export const limitRules: readonly Rule[] = [
  exchangeRule({
    id: 'zap.pools.within-limit',
    level: 'must',
    source: 'card',
    protects: 'A pool list holds no more pools than the limit that was asked for.',
    api: 'zap',
    operations: ['zap.pools'],
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      const limit = askedLimit(view);
      const count = poolCount(view);
      if (limit === undefined || limit > MAXIMUM_LIMIT || count === undefined) return null;
      return tooMany(count, limit);
    },
  }),
  // A limit above the maximum may be clamped or refused, and so may one that is no positive integer;
  // what is answered stays within the maximum.
  exchangeRule({
    id: 'zap.pools.maximum-limit',
    level: 'must',
    source: '§8',
    protects: 'A pool list never holds more than 200 pools.',
    api: 'zap',
    operations: ['zap.pools'],
    answer: 'answered',
    leastEvidence: 1,
    judge: (view) => {
      const limit = askedLimit(view);
      // At exactly the maximum, and below, an overfull page is the business of the rule above; without
      // a limit, of the one below.
      if (limit === undefined ? !view.query.has('limit') : limit <= MAXIMUM_LIMIT) return null;
      const refused = view.status >= 400 && view.status < 500;
      if (!view.succeeded) return refused && limit !== undefined ? [] : null;
      const count = poolCount(view);
      return count === undefined ? null : tooMany(count, MAXIMUM_LIMIT);
    },
  }),
  runRule<Page>({
    id: 'zap.pools.default-limit',
    level: 'must',
    source: '§4.1, §8',
    protects: 'Without a limit a pool list holds 50 pools, or all where there are fewer.',
    api: 'zap',
    operations: ['zap.pools'],
    answer: 'success',
    leastEvidence: 1,
    collect: pageOf,
    conclude: judgeDefaults,
  }),
];
