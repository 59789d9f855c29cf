/** Long because it is a table of routes for each rule on them. */

import { describe, expect, test } from 'vitest';
import type { ExchangeSketch } from '../../../../judging/exchange.testkit.ts';
import { foundBy } from '../../../../judging/verdicts.testkit.ts';
import {
  DEPOSIT,
  HOLDS,
  NONE,
  ONE_HOP,
  QUOTE,
  SWAP,
  table,
} from '../../shared/route-table.testkit.ts';
import { answerOf, assetOf, entryOf, requestOf, stepOf } from '../../readings/zap-route.testkit.ts';

const guaranteed = (text: string): object => answerOf('1', [`swap one: 100 DLR -> ${text} EUR`]);

table('zap.path.min-return-honours-slippage', [
  ['rounded down', { ...SWAP, slippage: 0.3 }, guaranteed('1001>997'), HOLDS],
  ['one unit of rounding', { ...SWAP, slippage: 0.3 }, guaranteed('1000>996'), HOLDS],
  [
    'two units',
    { ...SWAP, slippage: 0.3 },
    guaranteed('1000>995'),
    ['fail', '/data/path/0/output/0/minReturn'],
  ],
  [
    'exact above 2^53',
    SWAP,
    guaranteed('100000000000000000000>98999999999999999998'),
    ['fail', '/data/path/0/output/0/minReturn'],
  ],
  [
    'a slippage with an exponent',
    { ...SWAP, slippage: 1e-7 },
    guaranteed('10000000000>9999999990'),
    HOLDS,
  ],
  ['tighter', SWAP, guaranteed('1000>1000'), HOLDS],
  ['no guarantee', SWAP, guaranteed('1000'), NONE],
  ['a slippage of 0', { ...SWAP, slippage: 0 }, guaranteed('1000>1'), NONE],
  ['a slippage that is none', { ...SWAP, slippage: -1 }, guaranteed('1000>1'), NONE],
]);

table('zap.path.no-slippage-no-loss', [
  ['all of it', { ...SWAP, slippage: 0 }, guaranteed('1000>1000'), HOLDS],
  [
    'a default',
    { ...SWAP, slippage: 0 },
    guaranteed('1000>995'),
    ['fail', '/data/path/0/output/0/minReturn'],
  ],
  ['some slippage', SWAP, guaranteed('1000>995'), NONE],
]);

const priced = (amount: string, amountUSD: unknown, asset: object): object =>
  answerOf('1', [
    stepOf('swap one:  -> ', {
      input: [entryOf(`${amount} DLR`, { amountUSD, asset: assetOf('DLR', asset) })],
    }),
  ]);
const AT_USD = '/data/path/0/input/0/amountUSD';

table('zap.path.amount-usd-follows-price', [
  ['exact', SWAP, priced('1000000', '2', {}), HOLDS],
  ['within two sources of a price', SWAP, priced('1000000', '2.09', {}), HOLDS],
  ['half', SWAP, priced('1000000', '1', {}), ['warn', AT_USD]],
  ['0 for something of worth', SWAP, priced('1000000', '0', {}), ['warn', AT_USD]],
  ['0 for less than a cent', SWAP, priced('4000', '0', {}), NONE],
  [
    'cents for a price of many digits',
    SWAP,
    priced('1000000', '0.00', { price: '0.0000123' }),
    NONE,
  ],
  ['a price that is rounded away', SWAP, priced('1000000000', '2.40', { price: '0.00' }), NONE],
  ['a price of one digit', SWAP, priced('1000000000', '14.40', { price: '0.01' }), HOLDS],
  [
    'without decimals, as if it had some',
    SWAP,
    priced('10', '0.00002', { decimals: 0 }),
    ['warn', AT_USD],
  ],
  ['a position', SWAP, priced('10', '0', { type: 'ERC721' }), NONE],
  ['a value that is no text', SWAP, priced('1000000', 2, {}), NONE],
]);

const approved = (approvalData: unknown): object => answerOf('50', [ONE_HOP], { approvalData });
const APPROVAL = { callTo: SWAP.srcToken, approveTo: `0x3${'0'.repeat(39)}`, amount: '100' };

table('zap.approval.names-source', [
  ['the source', SWAP, approved(APPROVAL), HOLDS],
  [
    'another token',
    SWAP,
    approved({ ...APPROVAL, callTo: SWAP.destToken }),
    ['fail', '/data/approvalData/callTo'],
  ],
  ['native', requestOf('100 ETH to EUR'), approved({ ...APPROVAL, callTo: SWAP.destToken }), NONE],
  ['no address', SWAP, approved({ ...APPROVAL, callTo: '' }), NONE],
]);

table('zap.approval.covers-amount', [
  ['the amount', SWAP, approved(APPROVAL), HOLDS],
  ['without end', SWAP, approved({ ...APPROVAL, amount: String(2n ** 256n - 1n) }), HOLDS],
  [
    'a unit less',
    SWAP,
    approved({ ...APPROVAL, amount: '99' }),
    ['fail', '/data/approvalData/amount'],
  ],
  ['with a permit', { ...SWAP, permit: '0x' }, approved({ ...APPROVAL, amount: '0' }), NONE],
  [
    'native, on a chain that is named as text',
    requestOf('100 ETH to EUR', { srcChainId: '1' }),
    approved({ ...APPROVAL, amount: '0' }),
    NONE,
  ],
  [
    'another token on such a chain',
    { ...SWAP, srcChainId: '1' },
    approved({ ...APPROVAL, amount: '99' }),
    ['fail', '/data/approvalData/amount'],
  ],
  [
    'a token of no EVM chain',
    { ...SWAP, srcToken: 'So1aNaTokenPLaceho1der1111111111111111111111' },
    approved({ ...APPROVAL, amount: '0' }),
    NONE,
  ],
]);

table('zap.approval.names-spender', [
  ['a contract', SWAP, approved(APPROVAL), HOLDS],
  [
    'nobody',
    SWAP,
    approved({ ...APPROVAL, approveTo: `0x${'0'.repeat(40)}` }),
    ['fail', '/data/approvalData/approveTo'],
  ],
  [
    'the token',
    SWAP,
    approved({ ...APPROVAL, approveTo: SWAP.srcToken }),
    ['fail', '/data/approvalData/approveTo'],
  ],
]);

const spelled = (address: string): object =>
  answerOf('1', [
    stepOf('swap one:  -> ', { input: [entryOf('1 DLR', { asset: assetOf('DLR', { address }) })] }),
  ]);
// The first example of EIP-55.
const CHECKED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

table('zap.addresses.keep-checksum', [
  ['kept', SWAP, spelled(CHECKED), HOLDS],
  ['lower case', SWAP, spelled(CHECKED.toLowerCase()), NONE],
  [
    'one letter off',
    SWAP,
    spelled(CHECKED.replace('aAeb', 'aaeb')),
    ['warn', '/data/path/0/input/0/asset/address'],
  ],
  ['of another chain', SWAP, spelled('So1aNaTokenPLaceho1der1111111111111111111111'), NONE],
]);

table('zap.assets.native-by-constant', [
  ['the constant', SWAP, answerOf('1', ['swap one: 1 ETH -> 1 EUR']), HOLDS],
  [
    'the zero address',
    SWAP,
    answerOf('1', ['swap one: 1 ZERO -> 1 EUR']),
    ['fail', '/data/path/0/input/0/asset/address'],
  ],
  [
    'the constant of a chain',
    SWAP,
    answerOf('1', [
      stepOf('swap one: 1 DLR -> ', {
        output: [
          entryOf('1 ETH', {
            asset: assetOf('ETH', { address: `0x${'0'.repeat(36)}1010` }),
          }),
        ],
      }),
    ]),
    ['fail', '/data/path/0/output/0/asset/address'],
  ],
  ['no native token', SWAP, answerOf('1', [ONE_HOP]), NONE],
  ['no route', SWAP, answerOf('1', []), NONE],
]);

table('zap.path.dust-mark', [
  [
    'false on an output',
    SWAP,
    answerOf('1', [stepOf('swap one: ', { output: [entryOf('1 EUR', { dust: false })] })]),
    NONE,
  ],
  [
    'true on a fee',
    SWAP,
    answerOf('1', [stepOf('swap one: ', { fee: [entryOf('1 EUR', { dust: true })] })]),
    ['fail', '/data/path/0/fee/0/dust'],
  ],
  [
    'absent on dust',
    SWAP,
    answerOf('1', [stepOf('swap one: ', { dust: [entryOf('1 EUR')] })]),
    ['fail', '/data/path/0/dust/0/dust'],
  ],
]);

table('zap.path.min-return-place', [
  [
    'null on an input',
    SWAP,
    answerOf('1', [stepOf('swap one: ', { input: [entryOf('1 EUR', { minReturn: null })] })]),
    HOLDS,
  ],
  [
    'on a fee',
    SWAP,
    answerOf('1', [stepOf('swap one: ', { fee: [entryOf('1>1 EUR')] })]),
    ['fail', '/data/path/0/fee/0/minReturn'],
  ],
]);

describe('rules that hold routes against the rest of a run', () => {
  const listing = (path: string, data: object): ExchangeSketch => ({
    method: 'GET',
    path,
    answered: { data },
  });
  const PROVIDERS = listing('/v1/config/providers', {
    1: [
      { id: 'one', type: 'dex' },
      { id: 'both', type: 'dex' },
    ],
    10: [
      { id: 'far', type: 'dex' },
      { id: 'both', type: 'bridge' },
      { id: 'b', type: 'bridge' },
    ],
  });
  const CHAINS = listing('/v1/config/chains', { 1: {}, 10: {} });
  const route = (sent: object, ...steps: (string | object)[]): ExchangeSketch => ({
    sent,
    answered: answerOf('1', steps),
  });
  const AT = '/data/path/0/protocol/id';

  test.each([
    ['zap.path.known-protocols', route(SWAP, ONE_HOP), HOLDS],
    ['zap.path.known-protocols', route(SWAP, 'swap far: 100 DLR -> 50 EUR'), ['warn', AT]],
    ['zap.path.known-protocols', route(SWAP, 'swap far: 100 DLR -> 50 EUR@10'), HOLDS],
    [
      'zap.path.known-protocols',
      route(SWAP, 'swap far: 100 DLR -> 50 EUR', 'swap b: 50 EUR -> 50 EUR@10'),
      ['warn', AT],
    ],
    ['zap.path.known-protocols', route(SWAP, 'swap none: 100 ETH -> 100 WETH'), NONE],
    [
      'zap.path.known-protocols',
      route({ ...SWAP, integrator: {} }, 'swap none: 1000 ETH -> 999 WETH'),
      NONE,
    ],
    ['zap.path.known-protocols', route(DEPOSIT, 'deposit vault: 100 DLR -> 5 LP'), NONE],
    [
      'zap.path.within-allowed-dexes',
      route({ ...SWAP, allowedDexes: ['far'] }, ONE_HOP),
      ['fail', AT],
    ],
    ['zap.path.within-allowed-dexes', route({ ...SWAP, allowedDexes: [] }, ONE_HOP), NONE],
    // A service that ignores the restriction would have answered the same.
    ['zap.path.within-allowed-dexes', route({ ...SWAP, allowedDexes: ['one'] }, ONE_HOP), NONE],
    [
      'zap.path.within-allowed-dexes',
      route({ ...SWAP, allowedDexes: ['one'] }, 'swap both: 1 DLR -> 1 EUR'),
      NONE,
    ],
    [
      'zap.path.within-allowed-bridges',
      route({ ...SWAP, allowedBridges: ['x'] }, 'cross b: 1 DLR -> 1 EUR@10'),
      ['fail', AT],
    ],
    [
      'zap.path.within-allowed-bridges',
      route({ ...SWAP, allowedBridges: ['b'] }, 'cross b: 1 DLR -> 1 EUR@10'),
      NONE,
    ],
    ['zap.path.known-chains', route(SWAP, 'swap one: 100 DLR@7 -> 50 EUR'), ['warn', '/data/path']],
    ['zap.path.known-chains', route(SWAP, ONE_HOP), HOLDS],
  ] as const)('%s %#', (rule, sketch, verdict) => {
    expect(foundBy(rule, QUOTE, sketch, PROVIDERS, CHAINS)).toEqual(verdict);
  });

  test('a restriction is kept if what was taken before is left out', () => {
    const id = 'zap.path.within-allowed-dexes';
    const free = route(SWAP, ONE_HOP);
    const kept = route({ ...SWAP, allowedDexes: ['far'] }, 'swap far: 1 DLR -> 1 EUR');
    expect(foundBy(id, QUOTE, free, kept, PROVIDERS)).toEqual(HOLDS);
    expect(foundBy(id, QUOTE, kept, PROVIDERS)).toEqual(NONE);
  });

  test('nothing is known without the listings', () => {
    expect(foundBy('zap.path.known-protocols', QUOTE, route(SWAP, ONE_HOP))).toEqual(NONE);
    expect(foundBy('zap.path.known-chains', QUOTE, route(SWAP, ONE_HOP))).toEqual(NONE);
  });

  test('one asset is reported in one way, positions apart', () => {
    const reported = (change: object): ExchangeSketch => ({
      sent: SWAP,
      answered: spelledWith(change),
    });
    const spelledWith = (change: object): object =>
      answerOf('1', [
        stepOf('swap one: ', { input: [entryOf('1 DLR', { asset: assetOf('DLR', change) })] }),
      ]);
    const at = '/data/path/0/input/0/asset';
    const back: ExchangeSketch = {
      sent: SWAP,
      answered: answerOf('1', [stepOf('swap one: 1 EUR -> 1 DLR')]),
    };
    expect(foundBy('zap.assets.one-decimals', QUOTE, reported({}), back)).toEqual(HOLDS);
    expect(foundBy('zap.assets.one-decimals', QUOTE, reported({}))).toEqual(NONE);
    // A service that goes by the place states the same in the same place.
    expect(foundBy('zap.assets.one-decimals', QUOTE, reported({}), reported({}))).toEqual(NONE);
    expect(
      foundBy('zap.assets.one-decimals', QUOTE, reported({}), reported({ decimals: 18 })),
    ).toEqual(['fail', `${at}/decimals`]);
    expect(
      foundBy('zap.assets.one-symbol', QUOTE, reported({}), reported({ symbol: 'X' })),
    ).toEqual(['warn', `${at}/symbol`]);
    const position = { type: 'ERC721' };
    expect(
      foundBy(
        'zap.assets.one-symbol',
        QUOTE,
        reported(position),
        reported({ ...position, symbol: 'X' }),
      ),
    ).toEqual(NONE);
  });
});
