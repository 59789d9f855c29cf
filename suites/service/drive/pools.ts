import type { Purpose, Relation } from '../../../contracts/wire/exchange.ts';
import {
  OTHER_CHAIN,
  UNKNOWN_POOL,
} from '../../../contracts/service/rules/2-5-pools/2-5-pool-identity.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { Session } from '../session/session.ts';
import { sendValid } from '../../drive/session.ts';
import type { RelationChecker } from '../../drive/relation-checker.ts';
import { changesBy } from '../../drive/relation.ts';
import type { PoolQuery } from '../relations/pools.ts';
import { poolLetterCase, poolLimit, poolsRequest } from '../relations/pools.ts';

/** A page of at most this many shows all pools of a narrow filter. */
const WHOLE = '200';

/** A page that is nearly as large, which rules on filters leave to the one on letter case. */
const ROOMY = '199';

/** This many addresses that are pools of several chains are looked at more closely. */
const SHARED_ADDRESSES = 3;

/** How the lists and details of a chain's pools are marked, for rules that hold them together. */
export function poolRelation(chainId: number, role: 'list' | 'detail'): readonly Relation[] {
  return [{ kind: 'pools-of-chain', group: String(chainId), role }];
}

/** Holds pool lists of different limits together; filters in combination have a cycle of their own. */
export async function drivePoolRelations(
  session: Session,
  checker: RelationChecker,
): Promise<void> {
  const pools = session.random.sample(session.world.routablePools, 3);
  const [first, second, third] = pools;
  if (first === undefined) return;
  const chainId = String(first.chainId);
  await compare(checker, { chainId }, '7');
  // The same filter without a limit, so that the default is compared with what there is.
  await sendValid(session, poolsRequest({ chainId }));
  await sendValid(session, poolsRequest({ chainId, limit: WHOLE }));
  if (second !== undefined) {
    const { protocol } = second;
    await compare(checker, { chainId: String(second.chainId), protocol }, '3');
  }
  const tokens = (third ?? first).tokens[0];
  if (tokens !== undefined) await compare(checker, { tokens }, '2');
  await compareCases(session, checker);
  const [token] = first.tokens;
  if (token === undefined) return;
  await compare(checker, { chainId, protocol: first.protocol, tokens: token }, '1');
}

/** This many lists are asked for with their tokens in other letter case. */
const RESPELT = 2;

/** Asks for tokens as the lists spell them, and in the letter case that all readers take (EIP-55). */
async function compareCases(session: Session, checker: RelationChecker): Promise<void> {
  const pools = session.random.sample(session.world.routablePools, 4 * RESPELT);
  const lists = pools.flatMap(({ tokens }, at) => {
    const [first, second] = tokens.filter(isEvmAddress);
    const text = at % 2 === 0 ? first : `${first ?? ''},${second ?? ''}`;
    if (text === undefined) return [];
    const query = { tokens: text, limit: ROOMY };
    const others = changesBy([poolLetterCase], query);
    return others.length === 0 ? [] : [{ query, others }];
  });
  for (const { query, others } of lists.slice(0, RESPELT)) {
    await checker.run(poolsRequest(query), others);
  }
}

async function compare(checker: RelationChecker, filter: PoolQuery, limit: string): Promise<void> {
  const first = poolsRequest({ ...filter, limit: WHOLE });
  await checker.run(first, changesBy([poolLimit], { filter, limit }));
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

/** Asks what the document leaves open about lists of pools. */
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
