import { member } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { givenOnce } from '../readings/pool-list.ts';
import { announcedLimitRules } from './announced-limits.ts';

const DEFAULT_LIMIT = 50;
const MAXIMUM_LIMIT = 200;
const POSITIVE_INTEGER = /^[1-9][0-9]*$/;

/** How many pools a response lists; undefined when it lists none in the documented way. */
function poolCount(view: View): number | undefined {
  const pools = member(member(view.json, 'data'), 'pools');
  return Array.isArray(pools) ? pools.length : undefined;
}

/** The limit that the request asked for; undefined when it gave none, several or no positive integer. */
function askedLimit(view: View): number | undefined {
  const text = givenOnce(view.query, 'limit');
  return text !== null && POSITIVE_INTEGER.test(text) ? Number(text) : undefined;
}

function tooMany(count: number, most: number): Broken[] {
  if (count <= most) return [];
  return [{ pointer: '/data/pools', expected: `at most ${most} pools`, actual: `${count} pools` }];
}

interface Page {
  /** The filters of the request, without its limit, as text. */
  readonly filter: string;
  readonly limited: boolean;
  readonly count: number;
}

function pageOf(view: View): Page | null {
  const count = poolCount(view);
  if (count === undefined) return null;
  const query = new URLSearchParams(view.query);
  const limited = query.has('limit');
  query.delete('limit');
  query.sort();
  return { filter: query.toString(), limited, count };
}

type Pages = readonly Collected<Page>[];

// §4.1, §8: default 50. Fewer are right only if no more exist, which larger pages of the very same
// filter show, before and after. What another filter gives, or the same in other letter case, may be
// what is wrong.
function judgeDefaults(pages: Pages): GroupJudgement[] {
  const byFilter = new Map<string, Collected<Page>[]>();
  for (const page of pages) {
    const known = byFilter.get(page.fact.filter);
    if (known === undefined) byFilter.set(page.fact.filter, [page]);
    else known.push(page);
  }
  return [...byFilter.values()].flatMap(judgeFilter);
}

function judgeFilter(pages: Pages): GroupJudgement[] {
  const fullest = fullestOf(pages);
  const before = runningFullest(pages);
  const after = runningFullest(pages.toReversed()).reverse();
  return pages.flatMap((page, at): GroupJudgement[] => {
    const { count, limited } = page.fact;
    if (limited) return [];
    if (count > DEFAULT_LIMIT) {
      return [{ witnesses: [page.witness], judgement: tooMany(count, DEFAULT_LIMIT) }];
    }
    // As many as there are is what any larger default gives, too.
    if (fullest <= count) return [];
    if (count === DEFAULT_LIMIT) return [{ witnesses: [page.witness], judgement: [] }];
    const fuller = [before[at], after[at]].flatMap((one) => one ?? []);
    const there = Math.min(...fuller.map(({ fact }) => fact.count));
    if (there <= count) return [];
    const expected = `${DEFAULT_LIMIT} pools by default, or all if there are fewer`;
    const actual = `${count} pools, while a larger limit gave ${there} before and after`;
    const witnesses = [page, ...fuller].map(({ witness }) => witness);
    return [{ witnesses, judgement: [{ pointer: '/data/pools', expected, actual }] }];
  });
}

function fullestOf(pages: Pages): number {
  return pages.reduce((most, { fact }) => Math.max(most, fact.count), 0);
}

/** For each page the fullest of those up to it. */
function runningFullest(pages: Pages): Collected<Page>[] {
  let fullest: Collected<Page> | undefined;
  return pages.map((page) => {
    if (fullest === undefined || page.fact.count > fullest.fact.count) fullest = page;
    return fullest;
  });
}

export const limitRules: readonly Rule[] = [
  ...announcedLimitRules,
  exchangeRule({
    id: 'zap.pools.within-limit',
    level: 'must',
    source: 'card',
    protects: 'A pool list holds no more pools than the limit that was asked for.',
    rulesOut: 'A service that does not look at the limit, or gives more: the list is full.',
    api: 'zap',
    operations: ['zap.pools'],
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      const limit = askedLimit(view);
      const count = poolCount(view);
      if (limit === undefined || limit > MAXIMUM_LIMIT || count === undefined) return null;
      // As few as there are would come without the limit, too.
      return count < limit ? null : tooMany(count, limit);
    },
  }),
  // A limit above the maximum may be clamped or refused, and so may one that is no positive integer.
  // What is answered stays within the maximum.
  exchangeRule({
    id: 'zap.pools.maximum-limit',
    level: 'must',
    source: '§8',
    protects: 'A pool list never holds more than 200 pools.',
    rulesOut:
      'A service that takes a limit above 200 as it is: the list stops at 200, or the limit is refused.',
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
      // A list of fewer shows nothing: more than the maximum may not exist.
      return count === undefined || count < MAXIMUM_LIMIT ? null : tooMany(count, MAXIMUM_LIMIT);
    },
  }),
  runRule<Page>({
    id: 'zap.pools.default-limit',
    level: 'must',
    source: '§4.1, §8',
    protects: 'Without a limit a pool list holds 50 pools, or all if there are fewer.',
    rulesOut: 'A service with another default: more than 50 pools pass the same filter.',
    api: 'zap',
    operations: ['zap.pools'],
    answer: 'success',
    leastEvidence: 1,
    collect: pageOf,
    conclude: judgeDefaults,
  }),
];
