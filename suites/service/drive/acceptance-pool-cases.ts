import { isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { AcceptanceCase, AcceptanceCases } from './acceptance-case.ts';
import type { Session } from './session.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import type { LearnedPool, LearnedWorld } from './world.ts';

/** So many chains and pools are enough. */
const SEVERAL = 6;

type Query = Readonly<Record<string, string>>;

function poolsGet(query: Query): TriedRequest {
  const text = new URLSearchParams(query).toString();
  const path = text === '' ? '/v1/pools' : `/v1/pools?${text}`;
  return { api: 'zap', method: 'GET', path, purpose: { kind: 'valid' } };
}

/** Requests for pools with an input, as section 4.1 shows it, and without. */
export function poolCases({ random, world }: Session, rule: string): AcceptanceCases {
  const chains = (): string[] => random.sample(world.chainIds, SEVERAL).map(String);
  const pools = (): LearnedPool[] => random.sample(world.routablePools, SEVERAL);
  const adding = (base: Query, more: Query): AcceptanceCase => ({
    without: poolsGet(base),
    withInput: poolsGet({ ...base, ...more }),
  });
  const bases = (): Query[] => [{}, ...chains().map((chainId) => ({ chainId }))];
  switch (rule) {
    case 'zap.pools.chain-id-accepted':
      return { 'a filter by chainId': chains().map((chainId) => adding({}, { chainId })) };
    case 'zap.pools.protocol-accepted': {
      // The same one is asked for with limits too, where there are few.
      const known = pools().filter((pool) => isIdentifier(world, pool));
      const protocols = [...new Set(known.map(({ protocol }) => protocol))];
      return {
        'a filter by protocol': [
          ...protocols.map((protocol) => adding({}, { protocol })),
          ...['50', '100', '20'].flatMap((limit) =>
            protocols.slice(0, 1).map((protocol) => adding({ limit }, { protocol })),
          ),
        ],
      };
    }
    case 'zap.pools.tokens-accepted': {
      const pairs = pools().map(({ tokens }) => tokens.filter(isEvmAddress));
      return {
        'a filter by one token': pairs.map(([first = '']) => adding({}, { tokens: first })),
        'a filter by several tokens': pairs.map(([first = '', second = '']) =>
          adding({ tokens: first }, { tokens: `${first},${second}` }),
        ),
      };
    }
    case 'zap.pools.filters-accepted-together': {
      const known = pools().filter((pool) => isIdentifier(world, pool));
      const filters = known.map(({ chainId, protocol, tokens }) => {
        return { chainId: String(chainId), protocol, tokens: tokens.find(isEvmAddress) ?? '' };
      });
      const both = (one: Query, other: Query): AcceptanceCase => ({
        without: poolsGet(one),
        withInput: poolsGet({ ...one, ...other }),
        after: poolsGet(other),
      });
      return {
        'filters by chainId and protocol': filters.map(({ chainId, protocol }) =>
          both({ chainId }, { protocol }),
        ),
        'filters by chainId and tokens': filters.map(({ chainId, tokens }) =>
          both({ chainId }, { tokens }),
        ),
        'filters by protocol and tokens': filters.map(({ protocol, tokens }) =>
          both({ protocol }, { tokens }),
        ),
      };
    }
    case 'zap.pools.limit-accepted':
      return {
        'a limit of 200': bases().map((base) => adding(base, { limit: '200' })),
        'a limit below 200': ['1', '20', '100'].map((limit) => adding({}, { limit })),
      };
    default:
      return {};
  }
}

/** Whether the `protocol` of a pool is what the API itself lists as an identifier. */
function isIdentifier(world: LearnedWorld, { chainId, protocol }: LearnedPool): boolean {
  return world.providerIds(chainId).includes(protocol);
}
