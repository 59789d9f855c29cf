import { isEvmAddress } from '../../../wire/addresses.ts';
import type { AcceptedInput, Row } from './accepted-input.ts';
import { when } from './accepted-input.ts';

/** The largest page of pools (section 4.1). */
const LARGEST_PAGE = '200';

const FILTERS = ['chainId', 'protocol', 'tokens'] as const;

/** Whether a query has one filter, or none, and no other: each of them is optional. */
function isAlone(query: URLSearchParams, filter?: string): boolean {
  return FILTERS.every((name) => query.has(name) === (name === filter));
}

function ofPools(row: Row, inputOf: (query: URLSearchParams) => string | null): AcceptedInput {
  const source = 'implied by §4.1 (no service)';
  const place = { api: 'zap', operations: ['zap.pools'], source } as const;
  return { ...row, ...place, inputOf: ({ query }) => inputOf(query) };
}

/** Inputs of pool lists: section 4.1 has all parameters optional. */
export const ACCEPTED_POOL_INPUTS: readonly AcceptedInput[] = [
  ofPools(
    {
      id: 'zap.pools.chain-id-accepted',
      protects: 'Pools can be asked for by chain.',
      rulesOut: 'A service that refuses chainId, or wants another filter beside it.',
    },
    (query) => when(isAlone(query, 'chainId'), 'a filter by chainId'),
  ),
  ofPools(
    {
      id: 'zap.pools.protocol-accepted',
      protects: 'Pools can be asked for by protocol.',
      rulesOut: 'A service that refuses protocol, or takes it only together with a chain.',
    },
    (query) => when(isAlone(query, 'protocol'), 'a filter by protocol'),
  ),
  ofPools(
    {
      id: 'zap.pools.tokens-accepted',
      protects: 'Pools can be asked for by a token, and by several.',
      rulesOut: 'A service that refuses tokens, or any list of them with a comma.',
    },
    (query) => {
      const tokens = query.get('tokens')?.split(',') ?? [];
      if (!isAlone(query, 'tokens') || !tokens.every(isEvmAddress)) return null;
      return tokens.length === 1 ? 'a filter by one token' : 'a filter by several tokens';
    },
  ),
  ofPools(
    {
      id: 'zap.pools.filters-accepted-together',
      protects: 'Filters of pools that are taken alone are taken together.',
      rulesOut: 'A service that takes one filter at a time.',
    },
    (query) => {
      const names = FILTERS.filter((name) => query.has(name));
      return when(names.length > 1, `filters by ${names.join(' and ')}`);
    },
  ),
  ofPools(
    {
      id: 'zap.pools.limit-accepted',
      protects: 'Pages of pools can be as long as the maximum, and shorter.',
      rulesOut: 'A service that refuses the maximum of 200, or any limit at all.',
    },
    (query) => {
      const limit = query.get('limit') ?? '';
      if (limit === LARGEST_PAGE) return `a limit of ${LARGEST_PAGE}`;
      const isShort = /^(?:[1-9]\d?|1\d\d)$/.test(limit) && isAlone(query);
      return when(isShort, `a limit below ${LARGEST_PAGE}`);
    },
  ),
];
