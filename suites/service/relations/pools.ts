import { POOL_RELATIONS } from '../../../contracts/service/rules/pools/pool-limits.ts';
import { respelled } from '../../../fixtures/service/generators/addresses.ts';
import type { MetamorphicRelation } from '../../drive/relation.ts';
import { relation } from '../../drive/relation.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';

/** Filters of a list of pools, by the names of query parameters. */
export type PoolQuery = Readonly<Record<string, string>>;

/** A list of pools, which the service is to give. */
export function poolsRequest(query: PoolQuery): TriedRequest {
  const path = `/v1/pools?${new URLSearchParams(query).toString()}`;
  return { api: 'zap', method: 'GET', path, purpose: { kind: 'valid' } };
}

/** A list, and the same with a smaller limit. */
export const poolLimit: MetamorphicRelation<{
  readonly filter: PoolQuery;
  readonly limit: string;
}> = relation({
  rules: POOL_RELATIONS.limit,
  change: ({ filter, limit }) => poolsRequest({ ...filter, limit }),
});

/** A list by tokens as the lists spell them, and in the letter case that all readers take (EIP-55). */
export const poolLetterCase: MetamorphicRelation<PoolQuery & { readonly tokens: string }> =
  relation({
    rules: POOL_RELATIONS.letterCase,
    change: ({ tokens, ...others }) => {
      const respelt = tokens
        .split(',')
        .map((token) => respelled(token, 0).text)
        .join();
      return respelt === tokens ? undefined : poolsRequest({ tokens: respelt, ...others });
    },
  });

/** All relations between lists of pools. */
export const poolRelations: readonly MetamorphicRelation[] = [poolLetterCase, poolLimit];
