/**
 * What sections 2, 4 and 7 say of the types of requests and responses, for comparison with a published
 * contract. What they leave open is left out, or an object without members.
 */
export type Shape =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  /** A list of such. */
  | readonly [Shape]
  /** An object; `*` is any member of a map. */
  | { readonly [field: string]: Shape };

/** Of one endpoint: what a client sends and what it gets. */
export interface DocumentedOperation {
  readonly api: 'zap' | 'trade';
  readonly method: string;
  readonly path: string;
  readonly request?: Shape;
  /** Fields without which a request is refused, where that is stated. */
  readonly required?: readonly string[];
  /** Fields that are stated to be optional. */
  readonly optional?: readonly string[];
  readonly response?: Shape;
}

const TEXT = 'string';

/** Section 2.1. */
const ZAP_REQUIRED = {
  srcToken: TEXT,
  srcChainId: 'integer',
  destToken: TEXT,
  destChainId: 'integer',
  recipient: TEXT,
  slippage: 'number',
  account: TEXT,
} as const;
const ZAP_OPTIONAL = {
  amount: TEXT,
  permit: TEXT,
  positionDetails: {},
  poolDetails: {},
  allowedBridges: [TEXT],
  allowedDexes: [TEXT],
  integrator: {},
} as const;

/** Section 2.2. */
const AMOUNTS = [
  {
    amount: TEXT,
    minReturn: TEXT,
    amountUSD: TEXT,
    asset: {
      address: TEXT,
      logo: TEXT,
      price: TEXT,
      symbol: TEXT,
      name: TEXT,
      type: TEXT,
      chainId: 'integer',
      decimals: 'integer',
    },
  },
] as const;
const QUOTE = {
  amountOut: TEXT,
  approvalData: { callTo: TEXT, approveTo: TEXT, amount: TEXT },
  path: [
    {
      action: TEXT,
      protocol: { id: TEXT, name: TEXT, icon: TEXT },
      input: AMOUNTS,
      output: AMOUNTS,
      fee: AMOUNTS,
      dust: AMOUNTS,
      estimatedDuration: 'number',
    },
  ],
} as const;
const STEPS = [
  {
    action: TEXT,
    data: { txnId: TEXT, callTo: TEXT, callData: TEXT, value: TEXT, estimatedGas: TEXT },
  },
] as const;

/** Sections 2.3 and 2.4. */
const TRADE_REQUIRED = {
  fromChain: 'integer',
  sender: TEXT,
  refundee: TEXT,
  gasless: 'boolean',
  hasPermit2ApprovalForAllTokens: 'boolean',
  data: [
    {
      amount: TEXT,
      srcToken: TEXT,
      destToken: TEXT,
      slippage: 'number',
      toChain: 'integer',
      protocol: TEXT,
      recipient: TEXT,
      additionalInfo: {},
      permitData: TEXT,
    },
  ],
} as const;
const TRADE_OPTIONAL = { disablePricing: 'boolean', disableEstimation: 'boolean' } as const;
const BUILD = {
  status: TEXT,
  txId: TEXT,
  chainId: 'integer',
  gasless: 'boolean',
  transaction: { data: TEXT, to: TEXT, from: TEXT, value: TEXT, gasLimit: TEXT },
  quotes: { '*': { provider: TEXT, destAmount: TEXT, minDestAmount: TEXT } },
} as const;

const zapRequired = Object.keys(ZAP_REQUIRED);
const zapOptional = Object.keys(ZAP_OPTIONAL);

/** The endpoints of section 4. */
export const DOCUMENTED: readonly DocumentedOperation[] = [
  {
    ...{ api: 'zap', method: 'post', path: '/v1/quote' },
    request: { ...ZAP_REQUIRED, ...ZAP_OPTIONAL },
    required: zapRequired,
    optional: zapOptional,
    response: { status: TEXT, data: QUOTE },
  },
  {
    ...{ api: 'zap', method: 'post', path: '/v1/buildTx' },
    request: { ...ZAP_REQUIRED, ...ZAP_OPTIONAL, estimateGas: 'boolean' },
    required: zapRequired,
    optional: [...zapOptional, 'estimateGas'],
    response: { status: TEXT, data: { ...QUOTE, steps: STEPS } },
  },
  {
    ...{ api: 'zap', method: 'get', path: '/v1/pools' },
    response: { data: { pools: [{}] } },
  },
  {
    ...{ api: 'zap', method: 'post', path: '/v1/pool/details' },
    request: { chainId: 'integer', poolAddress: TEXT },
    required: ['chainId', 'poolAddress'],
    response: { data: {} },
  },
  {
    ...{ api: 'zap', method: 'get', path: '/v1/config/chains' },
    response: { data: { '*': {} } },
  },
  {
    ...{ api: 'zap', method: 'get', path: '/v1/config/providers' },
    response: { data: { '*': [{ id: TEXT, name: TEXT, type: TEXT, logo: TEXT }] } },
  },
  {
    ...{ api: 'trade', method: 'post', path: '/v1/buildTx' },
    request: { ...TRADE_REQUIRED, ...TRADE_OPTIONAL },
    required: Object.keys(TRADE_REQUIRED),
    optional: Object.keys(TRADE_OPTIONAL),
    response: BUILD,
  },
  {
    ...{ api: 'trade', method: 'post', path: '/v1/quotes' },
    request: { data: [{}] },
  },
];

/** Section 7; of what type the status is, is open. */
export const DOCUMENTED_ERROR: Shape = {
  code: TEXT,
  message: TEXT,
  requestId: TEXT,
  retryAfter: 'number',
};

/** The query parameters of GET /v1/pools (section 4.1), all of them optional. */
export const POOL_PARAMETERS: Readonly<Record<string, Shape>> = {
  chainId: 'integer',
  protocol: TEXT,
  tokens: TEXT,
  limit: 'integer',
};
