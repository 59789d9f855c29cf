import { ACCEPTED_POOL_INPUTS } from '../../../contracts/service/rules/inputs/accepted-pool-inputs.ts';
import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { Session } from '../session/session.ts';
import type { LearnedPool, LearnedWorld } from '../session/world.ts';
import type { AcceptanceCase, AcceptedRelation } from './accepted.ts';
import { accepted } from './accepted.ts';
import type { PoolQuery } from './pools.ts';
import { poolsRequest } from './pools.ts';

/** This many chains and pools are enough. */
const SEVERAL = 6;

function adding(base: PoolQuery, more: PoolQuery): AcceptanceCase {
  return { without: listOf(base), withInput: listOf({ ...base, ...more }) };
}

function listOf(query: PoolQuery): TriedRequest {
  const all = { ...poolsRequest({}), path: '/v1/pools' };
  return Object.keys(query).length === 0 ? all : poolsRequest(query);
}

function chainsOf({ random, world }: Session): string[] {
  return random.sample(world.chainIds, SEVERAL).map(String);
}

function poolsOf({ random, world }: Session): LearnedPool[] {
  return random.sample(world.routablePools, SEVERAL);
}

/** Inputs of pool lists, each by itself and filters together. */
export const POOL_INPUTS: readonly AcceptedRelation[] = [
  accepted(ACCEPTED_POOL_INPUTS.chainId, (session) => ({
    given: chainsOf(session).map((chainId) => adding({}, { chainId })),
  })),
  accepted(ACCEPTED_POOL_INPUTS.protocol, (session) => {
    // The same one is asked for with limits too, if there are few.
    const known = poolsOf(session).filter((pool) => isIdentifier(session.world, pool));
    const protocols = [...new Set(known.map(({ protocol }) => protocol))];
    return {
      given: [
        ...protocols.map((protocol) => adding({}, { protocol })),
        ...['50', '100', '20'].flatMap((limit) =>
          protocols.slice(0, 1).map((protocol) => adding({ limit }, { protocol })),
        ),
      ],
    };
  }),
  accepted(ACCEPTED_POOL_INPUTS.tokens, (session) => {
    const pairs = poolsOf(session).map(({ tokens }) => tokens.filter(isEvmAddress));
    return {
      one: pairs.map(([first = '']) => adding({}, { tokens: first })),
      several: pairs.map(([first = '', second = '']) =>
        adding({ tokens: first }, { tokens: `${first},${second}` }),
      ),
    };
  }),
  accepted(ACCEPTED_POOL_INPUTS.together, (session) => {
    const known = poolsOf(session).filter((pool) => isIdentifier(session.world, pool));
    const filters = known.map(({ chainId, protocol, tokens }) => {
      return { chainId: String(chainId), protocol, tokens: tokens.find(isEvmAddress) ?? '' };
    });
    const both = (one: PoolQuery, other: PoolQuery): AcceptanceCase => ({
      without: listOf(one),
      withInput: listOf({ ...one, ...other }),
      after: listOf(other),
    });
    return {
      'chainId and protocol': filters.map(({ chainId, protocol }) =>
        both({ chainId }, { protocol }),
      ),
      'chainId and tokens': filters.map(({ chainId, tokens }) => both({ chainId }, { tokens })),
      'protocol and tokens': filters.map(({ protocol, tokens }) => both({ protocol }, { tokens })),
    };
  }),
  accepted(ACCEPTED_POOL_INPUTS.limit, (session) => {
    const bases: PoolQuery[] = [{}, ...chainsOf(session).map((chainId) => ({ chainId }))];
    return {
      maximum: bases.map((base) => adding(base, { limit: '200' })),
      below: ['1', '20', '100'].map((limit) => adding({}, { limit })),
    };
  }),
];

/** Whether the `protocol` of a pool is what the API itself lists as an identifier. */
function isIdentifier(world: LearnedWorld, { chainId, protocol }: LearnedPool): boolean {
  return world.providerIds(chainId).includes(protocol);
}
