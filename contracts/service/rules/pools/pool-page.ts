/** Pages of pool lists, as rules on limits and spellings compare them (sections 2.5 and 4.1). */

import { isObject } from '../../../wire/json.ts';
import { MAX_CHARACTERS, MAX_POOLS, poolsOf } from '../readings/pool-list.ts';

/** A page of a filter, as far as it speaks of other pages of the same filter. */
export interface PoolPage {
  readonly limit: number;
  readonly addresses: readonly string[];
}

const LIMIT = /^[1-9][0-9]{0,2}$/;

/** The page that a request with a limit got; null when it shows nothing. */
export function poolPageOf(limit: string | null, json: unknown): PoolPage | null {
  const pools = poolsOf(json);
  if (limit === null || !LIMIT.test(limit) || pools === undefined) return null;
  if (pools.length > MAX_POOLS) return null;
  const addresses = pools.flatMap((pool) =>
    isObject(pool) && typeof pool.address === 'string' && pool.address.length <= MAX_CHARACTERS
      ? [pool.address]
      : [],
  );
  return { limit: Number(limit), addresses };
}

/** Whether a page shows all that pass its filter, so that it decides what other pages may hold. */
export function isWhole({ limit, addresses }: PoolPage): boolean {
  return addresses.length > 0 && addresses.length < limit;
}

/** Whether two pages hold the same pools, in whatever order. */
export function sameAddresses(one: PoolPage, other: PoolPage): boolean {
  return [...one.addresses].sort().join() === [...other.addresses].sort().join();
}
