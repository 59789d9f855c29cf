import { isObject, listOf, member } from '../json.ts';
import type { ApiName } from '../wire/exchange.ts';
import { addressKey, isEvmAddress } from '../wire/addresses.ts';
import { BUILD } from './trade-build.ts';
import { ROUTED } from './zap-route.ts';

/** A request as far as it tells which inputs it has. */
export interface AskedInputs {
  readonly query: URLSearchParams;
  /** The parsed body; undefined when it is none. */
  readonly requestJson: unknown;
}

/** An input that the document shows as optional, or one form of the values of a field. */
export interface AcceptedInput {
  /** Of the rule that it is taken. */
  readonly id: string;
  readonly source: string;
  readonly protects: string;
  readonly api: ApiName;
  readonly operations: readonly string[];
  /** What of it the request has, in words; null for nothing. */
  readonly inputOf: (asked: AskedInputs) => string | null;
}

/** Up to here every whole number is exact as a double; services with such amounts stop at it. */
export const LARGEST_EXACT: bigint = 2n ** 53n - 1n;

/** The largest page of pools (section 4.1). */
const LARGEST_PAGE = '200';

const FILTERS = ['chainId', 'protocol', 'tokens'] as const;

/** Whether a query has one filter, or none, and no other: each of them is optional. */
function isAlone(query: URLSearchParams, filter?: string): boolean {
  return FILTERS.every((name) => query.has(name) === (name === filter));
}

/** Optional fields of a zap request but for `amount`, which all routes need (section 2.1). */
const ZAP_OPTIONS = [
  'permit',
  'positionDetails',
  'poolDetails',
  'allowedBridges',
  'allowedDexes',
  'integrator',
  'estimateGas',
] as const;

type ZapOption = (typeof ZAP_OPTIONS)[number];

function hasDecimals(slippage: unknown): boolean {
  return typeof slippage === 'number' && !Number.isInteger(slippage);
}

function isLarge(amount: unknown): boolean {
  // 2^53 itself is exact as well, so a service may take it and nothing above.
  if (typeof amount !== 'string' || !/^\d{16,}$/.test(amount)) return false;
  return BigInt(amount) > LARGEST_EXACT + 1n;
}

function differ(one: unknown, other: unknown): boolean {
  return isEvmAddress(one) && isEvmAddress(other) && addressKey(one) !== addressKey(other);
}

function when(has: boolean, input: string): string | null {
  return has ? input : null;
}

type Row = Omit<AcceptedInput, 'api' | 'operations' | 'source' | 'inputOf'>;

function ofPools(row: Row, inputOf: (query: URLSearchParams) => string | null): AcceptedInput {
  const place = { api: 'zap', operations: ['zap.pools'], source: 'implied by §4.1' } as const;
  return { ...row, ...place, inputOf: ({ query }) => inputOf(query) };
}

/** @param row its `option` is the only one that a request with the input may have */
function ofZaps(
  {
    option,
    ...row
  }: Row & { readonly operations?: readonly string[]; readonly option?: ZapOption },
  inputOf: (body: Readonly<Record<string, unknown>>) => string | null,
): AcceptedInput {
  const place = { api: 'zap', operations: ROUTED, source: 'implied by §2.1' } as const;
  const others = ZAP_OPTIONS.filter((name) => name !== option);
  return {
    ...place,
    ...row,
    inputOf: ({ requestJson }) => {
      if (!isObject(requestJson)) return null;
      const isPlain = others.every((name) => requestJson[name] === undefined);
      return isPlain ? inputOf(requestJson) : null;
    },
  };
}

function ofBuilds(
  row: Row,
  inputOf: (body: Readonly<Record<string, unknown>>, entries: readonly unknown[]) => string | null,
): AcceptedInput {
  const place = { api: 'trade', operations: BUILD, source: 'implied by §2.3' } as const;
  return {
    ...row,
    ...place,
    inputOf: ({ requestJson }) => {
      if (!isObject(requestJson)) return null;
      const { gasless, disablePricing, data } = requestJson;
      // Where a simulation fails, `disableEstimation` is in every build.
      const isPlain = gasless !== true && disablePricing === undefined;
      return isPlain ? inputOf(requestJson, listOf(data)) : null;
    },
  };
}

// What the document shows as an input is taken: section 4.1 has all parameters of pool lists
// optional, 2.1 and 2.3 the types of fields. That every value is taken is not stated, so these are
// no musts. What may be refused for a reason of its own is left out: a gasless build, a batch (its
// largest size is not shown), a bridge that a chain does not have, a deposit, a permit, a simulation.
// Each is taken by itself: what a service takes only in company of another option is not an option,
// so that an input counts only where no other is beside it.
export const ACCEPTED_INPUTS: readonly AcceptedInput[] = [
  ofPools(
    { id: 'zap.pools.chain-id-accepted', protects: 'Pools can be asked for by chain.' },
    (query) => when(isAlone(query, 'chainId'), 'a filter by chainId'),
  ),
  ofPools(
    { id: 'zap.pools.protocol-accepted', protects: 'Pools can be asked for by protocol.' },
    (query) => when(isAlone(query, 'protocol'), 'a filter by protocol'),
  ),
  ofPools(
    {
      id: 'zap.pools.tokens-accepted',
      protects: 'Pools can be asked for by a token, and by several.',
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
    },
    (query) => {
      const limit = query.get('limit') ?? '';
      if (limit === LARGEST_PAGE) return `a limit of ${LARGEST_PAGE}`;
      const isShort = /^(?:[1-9]\d?|1\d\d)$/.test(limit) && isAlone(query);
      return when(isShort, `a limit below ${LARGEST_PAGE}`);
    },
  ),
  ofZaps(
    {
      id: 'zap.requests.decimal-slippage-accepted',
      protects: 'Slippage may have decimals, as a float has.',
    },
    ({ slippage }) => when(hasDecimals(slippage), 'a slippage with decimals'),
  ),
  ofZaps(
    {
      id: 'zap.requests.large-amount-accepted',
      protects: 'An amount may be larger than a double can hold exactly.',
    },
    ({ amount }) => when(isLarge(amount), 'an amount above 2^53'),
  ),
  ofZaps(
    {
      id: 'zap.requests.other-recipient-accepted',
      protects: 'The recipient may be another than the account.',
    },
    ({ recipient, account }) => when(differ(recipient, account), 'a recipient of its own'),
  ),
  ofZaps(
    {
      id: 'zap.quote.allowed-dexes-accepted',
      protects: 'A quote may say which of the listed DEXs are allowed.',
      operations: ['zap.quote'],
      option: 'allowedDexes',
    },
    ({ allowedDexes }) => when(listOf(allowedDexes).length > 0, 'allowedDexes'),
  ),
  ofZaps(
    {
      id: 'zap.quote.allowed-bridges-accepted',
      protects: 'A quote may say which of the listed bridges are allowed.',
      operations: ['zap.quote'],
      option: 'allowedBridges',
    },
    ({ allowedBridges }) => when(listOf(allowedBridges).length > 0, 'allowedBridges'),
  ),
  ofZaps(
    {
      id: 'zap.build-tx.estimate-gas-accepted',
      protects: 'A build may say that no gas is to be estimated.',
      operations: ['zap.build-tx'],
      option: 'estimateGas',
    },
    ({ estimateGas }) => when(estimateGas === false, 'estimateGas false'),
  ),
  ofBuilds(
    {
      id: 'trade.build-tx.decimal-slippage-accepted',
      protects: 'Slippage may have decimals.',
    },
    (_, entries) =>
      when(
        entries.some((entry) => hasDecimals(member(entry, 'slippage'))),
        'a slippage with decimals',
      ),
  ),
  ofBuilds(
    {
      id: 'trade.build-tx.large-amount-accepted',
      protects: 'An amount may be larger than a double can hold exactly.',
    },
    (_, entries) =>
      when(
        entries.some((entry) => isLarge(member(entry, 'amount'))),
        'an amount above 2^53',
      ),
  ),
  ofBuilds(
    {
      id: 'trade.build-tx.other-refundee-accepted',
      protects: 'Who gets refunds may be another than the sender.',
    },
    ({ sender, refundee }) => when(differ(sender, refundee), 'a refundee of its own'),
  ),
];
