import { isObject } from '../json.ts';
import type { Broken } from '../rule.ts';
import type { View } from '../view.ts';
import { MOST_CHARACTERS, MOST_POOLS, poolsOf } from './pool-list.ts';
import type { ViewTrial } from './trial.ts';

/** A page of a filter, as far as it tells of other pages of the same filter. */
export interface PoolPage {
  readonly limit: number;
  readonly addresses: readonly string[];
}

const LIMIT = /^[1-9][0-9]{0,2}$/;

/** The page that a request with a limit got; null when it shows nothing. */
export function poolPageOf(limit: string | null, json: unknown): PoolPage | null {
  const pools = poolsOf(json);
  if (limit === null || !LIMIT.test(limit) || pools === undefined) return null;
  if (pools.length > MOST_POOLS) return null;
  const addresses = pools.flatMap((pool) =>
    isObject(pool) && typeof pool.address === 'string' && pool.address.length <= MOST_CHARACTERS
      ? [pool.address]
      : [],
  );
  return { limit: Number(limit), addresses };
}

/** Whether a page shows all that pass its filter, so that it decides what other pages may hold. */
function isWhole({ limit, addresses }: PoolPage): boolean {
  return addresses.length > 0 && addresses.length < limit;
}

// Without an order that the document states, the pages of a filter can be compared only where one of
// them shows all there is.
function trial(
  row: Pick<ViewTrial, 'id' | 'source' | 'protects'>,
  compareWhole: (whole: PoolPage, page: PoolPage) => Broken | undefined,
): ViewTrial<PoolPage> {
  return {
    ...row,
    level: 'should',
    relation: 'pool-limit',
    api: 'zap',
    operations: ['zap.pools'],
    digest: (view: View) => {
      const page = poolPageOf(view.query.get('limit'), view.json);
      // The larger page is A.
      const isLarger = view.exchange.relations.some(
        ({ kind, role }) => kind === 'pool-limit' && role === 'A',
      );
      return page === null || (isLarger && !isWhole(page)) ? null : page;
    },
    weigh: ({ addresses }) => 1 + addresses.length,
    agree: (one, other) => [...one.addresses].sort().join() === [...other.addresses].sort().join(),
    compare: (whole, page) => {
      const broken = compareWhole(whole, page);
      return broken === undefined ? [] : [broken];
    },
  };
}

/** What holds between a list of all pools of a filter and one of fewer. */
export const POOL_TRIALS: readonly ViewTrial<PoolPage>[] = [
  trial(
    {
      id: 'zap.pools.limit-selects',
      source: 'implied by §4.1',
      protects: 'A smaller limit gives some of the same pools, and no others.',
    },
    (whole, page) => {
      const all = new Set(whole.addresses);
      const other = page.addresses.findIndex((address) => !all.has(address));
      if (other < 0) return undefined;
      const expected = `one of the ${all.size} pools of the whole list`;
      const actual = String(page.addresses[other]);
      return { pointer: `/data/pools/${other}/address`, expected, actual };
    },
  ),
  trial(
    {
      id: 'zap.pools.limit-is-filled',
      source: 'implied by §4.1, §8',
      protects: 'A list ends short of its limit only where there are no more pools.',
    },
    (whole, page) => {
      const most = Math.min(page.limit, whole.addresses.length);
      if (page.addresses.length >= most) return undefined;
      const expected = `${most} pools, since there are ${whole.addresses.length}`;
      return { pointer: '/data/pools', expected, actual: `${page.addresses.length} pools` };
    },
  ),
];
