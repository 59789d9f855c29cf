import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { FilteredPools } from './filtered-pools.ts';
import { filteredPoolsOf, weightOf, WHOLE_PAGE } from './filtered-pools.ts';

/** A service that gives no more than this if 200 are asked for has cut its lists short. */
const USUAL_CUT = 100;

type Lists = readonly Collected<FilteredPools>[];

// §4.1, §8: the limit may be as large as 200. A list without filters ends short of it only if there
// are no more pools. One that other lists hold before it and after it was there all the while.
function judgeLargest(lists: Lists): GroupJudgement[] {
  const { first, last } = placesOf(lists);
  return lists.flatMap((list, at): GroupJudgement[] => {
    const { filters, pools } = list.fact;
    if (Object.keys(filters).length > 0) return [];
    const here = new Set(pools.map(({ address }) => address));
    if (here.size >= WHOLE_PAGE) return [{ witnesses: [list.witness], judgement: [] }];
    const missing = [...first].filter(
      ([address, from]) => from < at && (last.get(address) ?? 0) > at && !here.has(address),
    );
    const [one] = missing;
    if (one === undefined) {
      return here.size > USUAL_CUT ? [{ witnesses: [list.witness], judgement: [] }] : [];
    }
    const expected = `${WHOLE_PAGE} pools, or all if there are fewer: ${one[0]} too, which another filter gives before and after`;
    const actual = `${here.size} pools, without ${missing.length} that the service has`;
    const other = lists[one[1]];
    const witnesses = [list.witness, ...(other === undefined ? [] : [other.witness])];
    return [{ witnesses, judgement: [{ pointer: '/data/pools', expected, actual }] }];
  });
}

/** In which of the lists with filters each pool stands first, and last. */
function placesOf(lists: Lists): Readonly<Record<'first' | 'last', ReadonlyMap<string, number>>> {
  const [first, last] = [new Map<string, number>(), new Map<string, number>()];
  for (const [at, { fact }] of lists.entries()) {
    if (Object.keys(fact.filters).length === 0) continue;
    for (const { address } of fact.pools) {
      if (!first.has(address)) first.set(address, at);
      last.set(address, at);
    }
  }
  return { first, last };
}

/** The rule that a list may be as large as the document says. */
export const poolMaximumRule: Rule = runRule<FilteredPools>({
  id: 'zap.pools.maximum-is-given',
  level: 'must',
  // A pool that is there is not found.
  source: 'implied by §4.1, §8 (no service)',
  protects: 'Whoever asks for 200 pools gets 200, or all if there are fewer.',
  rulesOut: `A service that cuts 200 down to a smaller number: the list holds 200 pools, or more than the ${USUAL_CUT} that such a service stops at.`,
  api: 'zap',
  operations: ['zap.pools'],
  answer: 'success',
  leastEvidence: 1,
  collect: filteredPoolsOf,
  weigh: weightOf,
  conclude: judgeLargest,
});
