import type { Purpose, Relation } from '../../../contracts/wire/exchange.ts';
import { OTHER_CHAIN, UNKNOWN_POOL } from '../../../contracts/service/rules/pools/pool-identity.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { Session } from '../session/session.ts';
import { sendValid } from '../../drive/session.ts';
import { poolsRequest } from '../relations/pools.ts';

/** This many addresses that are pools of several chains are looked at more closely. */
const SHARED_ADDRESSES = 3;

/** How the lists and details of a chain's pools are marked, for rules that hold them together. */
export function poolRelation(chainId: number, role: 'list' | 'detail'): readonly Relation[] {
  return [{ kind: 'pools-of-chain', group: String(chainId), role }];
}

/** Asks on which of its chains a pool is that several chains list: none in most worlds. */
export async function driveSharedPools(session: Session): Promise<void> {
  const chains = new Map<string, Set<number>>();
  for (const { address, chainId } of session.world.pools) {
    const key = address.toLowerCase();
    chains.set(key, (chains.get(key) ?? new Set()).add(chainId));
  }
  const shared = [...chains].filter(([, on]) => on.size > 1);
  for (const [poolAddress, on] of session.random.sample(shared, SHARED_ADDRESSES)) {
    for (const chainId of [...on].slice(0, 3)) {
      await sendValid(session, {
        api: 'zap',
        method: 'POST',
        path: '/v1/pool/details',
        json: { chainId, poolAddress },
        relations: poolRelation(chainId, 'detail'),
      });
    }
  }
}

/** This many pools are asked for on a chain that does not list them. */
const MISPLACED = 2;

/** Asks for details of what is not there: a pool of another chain, and none at all. */
export async function driveAbsentPools(session: Session): Promise<void> {
  const { random, world } = session;
  const details = async (json: object, about: string): Promise<void> => {
    const purpose: Purpose = { kind: 'probe', about };
    const path = '/v1/pool/details';
    await session.client.send({ api: 'zap', method: 'POST', path, json, purpose });
  };
  const addresses = new Map<string, Set<number>>();
  for (const { address, chainId } of world.pools) {
    const key = address.toLowerCase();
    addresses.set(key, (addresses.get(key) ?? new Set()).add(chainId));
  }
  const chains = new Set(world.pools.map(({ chainId }) => chainId));
  const asked = world.detailed.filter(({ address }) => isEvmAddress(address));
  for (const { address: poolAddress } of random.sample(asked, MISPLACED)) {
    const on = addresses.get(poolAddress.toLowerCase());
    const [chainId] = [...chains].filter((one) => on?.has(one) !== true);
    if (chainId !== undefined) await details({ chainId, poolAddress }, OTHER_CHAIN);
  }
  for (const chainId of random.sample([...chains], 1)) {
    await details({ chainId, poolAddress: random.address() }, UNKNOWN_POOL);
  }
}

/** Asks what the document leaves open about lists and details of pools, and what it does not. */
export async function driveUnspecifiedPools(session: Session): Promise<void> {
  const probe = (about: string): Purpose => ({ kind: 'probe', about });
  const unknownToken = session.random.address();
  for (const [query, purpose] of [
    [{ protocol: 'assay-no-such-protocol' }, probe('unknown protocol')],
    [{ chainId: '987654321' }, probe('unknown chain')],
    [{ tokens: unknownToken }, probe('unknown token')],
    [{ assayUnknown: '1', limit: '1' }, probe('unknown parameter')],
  ] as const) {
    await session.client.send({ ...poolsRequest(query), purpose });
  }
}
