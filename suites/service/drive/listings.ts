import { isObject, listOf, member } from '../../../contracts/wire/json.ts';
import { filteredPoolsIn } from '../../../contracts/service/rules/pools/filtered-pools.ts';
import { addressKey, isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { Purpose, Relation } from '../../../contracts/wire/exchange.ts';
import { driveAbsentPools, driveSharedPools, poolRelation } from './pools.ts';
import type { Session } from '../session/session.ts';
import { sendValid, successJson } from '../../drive/session.ts';
import { DistinguishingFilters } from './distinguishing-filters.ts';
import type { LearnedPool, LearnedWorld } from '../session/world.ts';
import { isName, isRoutable, MAX_LEARNED, protocolId, tokenAddresses } from '../session/world.ts';

/** Learns chains, providers and pools from the zap API, exercising its listings on the way. */
export async function driveListings(session: Session): Promise<void> {
  await driveConfig(session);
  await drivePools(session);
  // Details may name tokens that a list does not.
  await drivePoolDetails(session);
  await driveAbsentPools(session);
  await drivePoolFilters(session);
  await driveSharedPools(session);
}

async function driveConfig(session: Session): Promise<void> {
  const { world } = session;
  const get = async (path: string): Promise<unknown> =>
    member(await sendValid(session, { api: 'zap', method: 'GET', path }), 'data');
  const chains = await get('/v1/config/chains');
  const providers = await get('/v1/config/providers');
  for (const key of Object.keys(isObject(chains) ? chains : {})) {
    if (world.chainIds.length >= MAX_LEARNED.chains) break;
    if (!Number.isSafeInteger(Number(key))) continue;
    world.chainIds.push(Number(key));
    world.noteAssets(member(chains, key), Number(key));
    world.noteNodes(Number(key), member(chains, key));
  }
  const listed = Object.entries(isObject(providers) ? providers : {});
  for (const [key, list] of listed.slice(0, MAX_LEARNED.chains)) {
    const known = listOf(list)
      .slice(0, MAX_LEARNED.providersOfChain)
      .flatMap((provider) => {
        const [id, type] = [member(provider, 'id'), member(provider, 'type')];
        return isName(id) ? [{ id, type: isName(type) ? type : typeof type }] : [];
      });
    world.noteProviders(Number(key), known);
  }
}

/** A service may say that nothing passes a filter by an error of its own. */
const NONE_PASSES: Purpose = { kind: 'probe', about: 'filters that no listed pool passes' };

async function listPools(
  session: Session,
  query: Record<string, string>,
  relations: readonly Relation[] = [],
  passes = true,
): Promise<unknown[]> {
  const text = new URLSearchParams(query).toString();
  const path = text === '' ? '/v1/pools' : `/v1/pools?${text}`;
  const request = { api: 'zap', method: 'GET', path, relations } as const;
  const json = passes
    ? await sendValid(session, request)
    : successJson(await session.client.send({ ...request, purpose: NONE_PASSES }));
  const list = filteredPoolsIn(new URLSearchParams(query), json);
  if (list !== null) session.world.poolLists.push(list);
  session.world.isListed ||= json !== undefined;
  return listOf(member(member(json, 'data'), 'pools')).slice(0, MAX_LEARNED.poolsOfList);
}

async function drivePools(session: Session): Promise<void> {
  await listPools(session, { limit: '1' });
  await listPools(session, { limit: '200' });
  await listPools(session, {});
  for (const limit of ['7', '199']) await listPools(session, { limit });
  for (const chainId of session.random.sample(session.world.chainIds, session.depth.chainsAsked)) {
    const query = { chainId: String(chainId), limit: '200' };
    const pools = await listPools(session, query, poolRelation(chainId, 'list'));
    session.world.noteAssets(pools, chainId);
    for (const pool of pools) {
      const [address, protocol] = [member(pool, 'address'), protocolId(member(pool, 'protocol'))];
      if (!isName(address) || protocol === undefined) continue;
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
  // A larger list before and after shows what there was in between.
  await listPools(session, { limit: '200' });
  const [most, ...others] = protocolsByPools(world);
  const filters = new DistinguishingFilters(random, world.routablePools);
  const common = filters.commonToken();
  // The default limit shows in lists of many.
  if (most !== undefined) await listAround(session, { protocol: most });
  if (common !== undefined) await listAround(session, { tokens: common });
  for (const protocol of random.sample(others, 1)) await listPools(session, { protocol });
  const asked = new Set<string>();
  for (const { query, passes } of [
    ...filters.twoTokens(),
    ...filters.threeTokens(),
    ...filters.protocolAndToken(),
    ...filters.conflicts(),
  ]) {
    const key = JSON.stringify(query);
    if (asked.has(key)) continue;
    asked.add(key);
    await listPools(session, { ...query, limit: '200' }, [], passes);
  }
}

/** Asks by the default limit, and by the largest before and after. */
async function listAround(session: Session, query: Record<string, string>): Promise<void> {
  for (const more of [{ limit: '200' }, {}, { limit: '200' }]) {
    await listPools(session, { ...query, ...more });
  }
}

/** The protocols of the pools, those with the most first. */
function protocolsByPools({ pools }: LearnedWorld): string[] {
  const counts = new Map<string, number>();
  for (const { protocol } of pools) counts.set(protocol, (counts.get(protocol) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([protocol]) => protocol);
}

async function drivePoolDetails(session: Session): Promise<void> {
  const { random, world, depth } = session;
  // As many as chains.
  const most = depth.chainsAsked * (world.routablePools.length > 0 ? 1 : 2);
  const pools = varied(random.sample(world.pools, world.pools.length), most);
  for (const pool of pools) {
    const { chainId, address } = pool;
    const json = { chainId, poolAddress: address };
    const details = await sendValid(session, {
      api: 'zap',
      method: 'POST',
      path: '/v1/pool/details',
      json,
      relations: poolRelation(chainId, 'detail'),
    });
    if (!isEvmAddress(address)) continue;
    if (details !== undefined) world.detailed.push({ chainId, address });
    world.noteAssets(details, chainId);
    if (!isRoutable(pool)) world.noteTokens(pool, tokensInDetails(member(details, 'data'), pool));
  }
}

/** Some of the pools, each on another chain and of another protocol than before where one is. */
function varied(pools: readonly LearnedPool[], count: number): LearnedPool[] {
  const rest = [...pools];
  const taken: LearnedPool[] = [];
  const seen = new Set<number | string>();
  const isNew = ({ chainId, protocol }: LearnedPool): number =>
    Number(!seen.has(chainId)) + Number(!seen.has(protocol));
  while (taken.length < count && rest.length > 0) {
    const newest = Math.max(...rest.map(isNew));
    const [pool] = rest.splice(
      rest.findIndex((one) => isNew(one) === newest),
      1,
    );
    if (pool === undefined) break;
    seen.add(pool.chainId).add(pool.protocol);
    taken.push(pool);
  }
  return taken;
}

/** The tokens of a pool, whose place in its details is not shown: members that are called so. */
function tokensInDetails(data: unknown, { address }: LearnedPool): string[] {
  const named = Object.entries(isObject(data) ? data : {}).filter(([name]) =>
    /token|asset|coin|currency/i.test(name),
  );
  const found = named.flatMap(([, value]) =>
    typeof value === 'string' ? [value] : tokenAddresses(value),
  );
  const own = found.filter((one) => isEvmAddress(one) && addressKey(one) !== addressKey(address));
  return [...new Set(own)].slice(0, MAX_LEARNED.tokensOfPool);
}
