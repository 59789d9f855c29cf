import type { Broken } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { poolCase } from './pool-case.ts';
import { poolPageOf, sameAddresses, isWhole } from './pool-page.ts';
import type { PoolPage } from './pool-page.ts';
import { givenOnce } from '../readings/pool-list.ts';
import type { RelationRow } from '../../../rules/relation-rule.ts';

// Without an order that the document states, the pages of a filter can be compared only if one of
// them shows all there is.
function limitRow(
  row: Pick<RelationRow, 'id' | 'source' | 'protects'> & { readonly rulesOut: string },
  isEvidence: (page: PoolPage) => boolean,
  compareWhole: (whole: PoolPage, page: PoolPage) => Broken | undefined,
): RelationRow<PoolPage> {
  return {
    ...row,
    level: 'must',
    relation: 'pool-limit',
    api: 'zap',
    operations: ['zap.pools'],
    digest: (view: View) => {
      const page = poolPageOf(givenOnce(view.query, 'limit'), view.json);
      // The larger page is A.
      const isLarger = view.exchange.relations.some(
        ({ kind, role }) => kind === 'pool-limit' && role === 'A',
      );
      if (page === null) return null;
      return (isLarger ? isWhole(page) : isEvidence(page)) ? page : null;
    },
    weigh: ({ addresses }) => 1 + addresses.length,
    agree: sameAddresses,
    compare: (whole, page) => {
      const broken = compareWhole(whole, page);
      return broken === undefined ? [] : [broken];
    },
  };
}

type PoolRelationName = 'letterCase' | 'limit';

/** All relations between two lists of pools, each with its rules. */
export const POOL_RELATIONS: Readonly<Record<PoolRelationName, readonly RelationRow[]>> = {
  letterCase: [poolCase],
  limit: [
    limitRow(
      {
        id: 'zap.pools.limit-selects',
        // Zapping into a pool that does not pass the filter.
        source: 'implied by §4.1 (transaction fails)',
        protects: 'A smaller limit gives some of the same pools, and no others.',
        rulesOut:
          'A service that forgets the filter if it is asked for few pools: the small list holds some pool.',
      },
      ({ addresses }) => addresses.length > 0,
      (whole, page) => {
        const all = new Set(whole.addresses);
        const other = page.addresses.findIndex((address) => !all.has(address));
        if (other < 0) return undefined;
        const expected = `one of the ${all.size} pools of the whole list`;
        const actual = String(page.addresses[other]);
        return { pointer: `/data/pools/${other}/address`, expected, actual };
      },
    ),
    limitRow(
      {
        id: 'zap.pools.limit-is-filled',
        // A pool that is there is not found.
        source: 'implied by §4.1, §8 (no service)',
        protects: 'A list ends short of its limit only if there are no more pools.',
        rulesOut:
          'A service that applies the limit before the filter, or gives one pool too few: as many pass the filter as the limit asks for.',
      },
      () => true,
      (whole, page) => {
        const most = Math.min(page.limit, whole.addresses.length);
        if (page.addresses.length >= most) return undefined;
        const expected = `${most} pools, since there are ${whole.addresses.length}`;
        return { pointer: '/data/pools', expected, actual: `${page.addresses.length} pools` };
      },
    ),
  ],
};
