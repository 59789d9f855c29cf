import { isObject, listOf, member } from '../../contracts/json.ts';
import { isEvmAddress } from '../../contracts/wire/addresses.ts';
import type { Relation } from '../../contracts/wire/exchange.ts';
import { driveSharedPools, poolRelation } from './pools.ts';
import type { Session } from './session.ts';
import { sendValid } from './session.ts';
import { protocolId, tokenAddresses } from './world.ts';

/** So many chains are asked for their pools. */
const CHAINS_ASKED = 6;

/** Learns chains, providers and pools from the zap API, exercising its listings on the way. */
export async function driveListings(session: Session): Promise<void> {
  await driveConfig(session);
  await drivePools(session);
  await drivePoolFilters(session);
  await drivePoolDetails(session);
  await driveSharedPools(session);
}

async function driveConfig(session: Session): Promise<void> {
  const { world } = session;
  const get = async (path: string): Promise<unknown> =>
    member(await sendValid(session, { api: 'zap', method: 'GET', path }), 'data');
  const chains = await get('/v1/config/chains');
  const providers = await get('/v1/config/providers');
  for (const key of Object.keys(isObject(chains) ? chains : {})) {
    if (!Number.isSafeInteger(Number(key))) continue;
    world.chainIds.push(Number(key));
    world.noteAssets(member(chains, key), Number(key));
  }
  for (const [key, list] of Object.entries(isObject(providers) ? providers : {})) {
    const known = listOf(list).flatMap((provider) => {
      const [id, type] = [member(provider, 'id'), member(provider, 'type')];
      return typeof id === 'string' ? [{ id, type: String(type) }] : [];
    });
    world.noteProviders(Number(key), known);
  }
}

async function listPools(
  session: Session,
  query: Record<string, string>,
  relations: readonly Relation[] = [],
): Promise<unknown[]> {
  const text = new URLSearchParams(query).toString();
  const path = text === '' ? '/v1/pools' : `/v1/pools?${text}`;
  const json = await sendValid(session, { api: 'zap', method: 'GET', path, relations });
  return [...listOf(member(member(json, 'data'), 'pools'))];
}

async function drivePools(session: Session): Promise<void> {
  await listPools(session, {});
  await listPools(session, { limit: '200' });
  for (const limit of ['1', '7', '199']) await listPools(session, { limit });
  for (const chainId of session.random.sample(session.world.chainIds, CHAINS_ASKED)) {
    const query = { chainId: String(chainId), limit: '200' };
    const pools = await listPools(session, query, poolRelation(chainId, 'list'));
    session.world.noteAssets(pools, chainId);
    for (const pool of pools) {
      const [address, protocol] = [member(pool, 'address'), protocolId(member(pool, 'protocol'))];
      if (typeof address !== 'string' || protocol === undefined) continue;
      const tokens = tokenAddresses(member(pool, 'tokens'));
      session.world.pools.push({ chainId, address, protocol, tokens });
    }
  }
  // What a limit beyond the maximum does is open: it may be clamped or refused.
  for (const limit of ['201', '1000', '0', '-1']) {
    const path = `/v1/pools?limit=${limit}`;
    const purpose = { kind: 'probe', about: 'limit' } as const;
    await session.client.send({ api: 'zap', method: 'GET', path, purpose });
  }
}

async function drivePoolFilters(session: Session): Promise<void> {
  const { random, world } = session;
  const protocols = [...new Set(world.pools.map(({ protocol }) => protocol))];
  for (const protocol of random.sample(protocols, 3)) await listPools(session, { protocol });
  for (const pool of random.sample(world.routablePools, 3)) {
    const [first, second] = pool.tokens;
    if (first === undefined || second === undefined) continue;
    await listPools(session, { tokens: first, limit: '200' });
    await listPools(session, { tokens: `${first},${second}` });
  }
}

async function drivePoolDetails(session: Session): Promise<void> {
  const { random, world } = session;
  const byProtocol = new Map(
    random.sample(world.pools, world.pools.length).map((p) => [p.protocol, p]),
  );
  for (const { chainId, address } of [...byProtocol.values()].slice(0, 5)) {
    const json = { chainId, poolAddress: address };
    const details = await sendValid(session, {
      api: 'zap',
      method: 'POST',
      path: '/v1/pool/details',
      json,
      relations: poolRelation(chainId, 'detail'),
    });
    if (isEvmAddress(address)) world.noteAssets(details, chainId);
  }
}
