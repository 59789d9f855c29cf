import { isEvmAddress } from '../../../wire/addresses.ts';
import type { AcceptedInput, PlainInput, Row } from './accepted-input.ts';

/** The largest page of pools (section 4.1). */
const LARGEST_PAGE = '200';

const FILTERS = ['chainId', 'protocol', 'tokens'] as const;

/** Whether a query has one filter, or none, and no other: each of them is optional. */
function isAlone(query: URLSearchParams, filter?: string): boolean {
  return FILTERS.every((name) => query.has(name) === (name === filter));
}

const PLACE = {
  api: 'zap',
  operations: ['zap.pools'],
  source: 'implied by §4.1 (no service)',
} as const;

function ofPools<Form extends string>(
  row: Row & Pick<AcceptedInput<Form>, 'forms'>,
  formOf: (query: URLSearchParams) => Form | null,
): AcceptedInput<Form> {
  return { ...row, ...PLACE, formOf: ({ query }) => formOf(query) };
}

/** Filters that are asked for together. */
type Together =
  | 'chainId and protocol'
  | 'chainId and tokens'
  | 'protocol and tokens'
  | 'chainId and protocol and tokens';

const TOGETHER: Readonly<Record<Together, string>> = {
  'chainId and protocol': 'filters by chainId and protocol',
  'chainId and tokens': 'filters by chainId and tokens',
  'protocol and tokens': 'filters by protocol and tokens',
  'chainId and protocol and tokens': 'filters by chainId and protocol and tokens',
};

/** Inputs of pool lists: section 4.1 has all parameters optional. */
export const ACCEPTED_POOL_INPUTS: {
  readonly chainId: PlainInput;
  readonly protocol: PlainInput;
  readonly tokens: AcceptedInput<'one' | 'several'>;
  readonly together: AcceptedInput<Together>;
  readonly limit: AcceptedInput<'maximum' | 'below'>;
} = {
  chainId: ofPools(
    {
      id: 'zap.pools.chain-id-accepted',
      protects: 'Pools can be asked for by chain.',
      rulesOut: 'A service that refuses chainId, or wants another filter beside it.',
      forms: { given: 'a filter by chainId' },
    },
    (query) => (isAlone(query, 'chainId') ? 'given' : null),
  ),
  protocol: ofPools(
    {
      id: 'zap.pools.protocol-accepted',
      protects: 'Pools can be asked for by protocol.',
      rulesOut: 'A service that refuses protocol, or takes it only together with a chain.',
      forms: { given: 'a filter by protocol' },
    },
    (query) => (isAlone(query, 'protocol') ? 'given' : null),
  ),
  tokens: ofPools(
    {
      id: 'zap.pools.tokens-accepted',
      protects: 'Pools can be asked for by a token, and by several.',
      rulesOut: 'A service that refuses tokens, or any list of them with a comma.',
      forms: { one: 'a filter by one token', several: 'a filter by several tokens' },
    },
    (query) => {
      const tokens = query.get('tokens')?.split(',') ?? [];
      if (!isAlone(query, 'tokens') || !tokens.every(isEvmAddress)) return null;
      return tokens.length === 1 ? 'one' : 'several';
    },
  ),
  together: ofPools(
    {
      id: 'zap.pools.filters-accepted-together',
      protects: 'Filters of pools that are taken alone are taken together.',
      rulesOut: 'A service that takes one filter at a time.',
      forms: TOGETHER,
    },
    (query) => {
      const names = FILTERS.filter((name) => query.has(name)).join(' and ');
      return names in TOGETHER ? (names as Together) : null;
    },
  ),
  limit: ofPools(
    {
      id: 'zap.pools.limit-accepted',
      protects: 'Pages of pools can be as long as the maximum, and shorter.',
      rulesOut: 'A service that refuses the maximum of 200, or any limit at all.',
      forms: {
        maximum: `a limit of ${LARGEST_PAGE}`,
        below: `a limit below ${LARGEST_PAGE}`,
      },
    },
    (query) => {
      const limit = query.get('limit') ?? '';
      if (limit === LARGEST_PAGE) return 'maximum';
      const isShort = /^(?:[1-9]\d?|1\d\d)$/.test(limit) && isAlone(query);
      return isShort ? 'below' : null;
    },
  ),
};
