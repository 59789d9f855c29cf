import { HOLDS, NONE, ONE_HOP, SWAP, table } from '../../shared/route-table.testkit.ts';
import { answerOf, assetOf, entryOf, requestOf, stepOf } from '../../readings/zap-route.testkit.ts';

table('zap.path.spends-amount', [
  ['all at once', SWAP, answerOf('50', [ONE_HOP]), HOLDS],
  [
    'in two steps side by side',
    SWAP,
    answerOf('50', ['swap one: 40 DLR -> 20 EUR', 'swap two: 60 DLR -> 30 EUR']),
    HOLDS,
  ],
  [
    'less a fee',
    SWAP,
    answerOf('50', [stepOf('swap one: 90 DLR -> 50 EUR', { fee: [entryOf('10 DLR')] })]),
    HOLDS,
  ],
  [
    'more than asked',
    SWAP,
    answerOf('50', ['swap one: 103 DLR -> 50 EUR']),
    ['fail', '/data/path'],
  ],
  ['less than asked', SWAP, answerOf('50', ['swap one: 97 DLR -> 50 EUR']), ['fail', '/data/path']],
  [
    'less than asked, for an integrator',
    { ...SWAP, integrator: {} },
    answerOf('50', ['swap one: 90 DLR -> 50 EUR']),
    HOLDS,
  ],
  [
    'less than asked, the rest being dust',
    SWAP,
    answerOf('50', [stepOf('swap one: 90 DLR -> 50 EUR', { dust: [entryOf('10 DLR')] })]),
    HOLDS,
  ],
  [
    'once more, of what came back',
    requestOf('105 DLR to EUR'),
    answerOf('50', [
      stepOf('swap one: 100 DLR -> 45 EUR', { dust: [entryOf('10 DLR')] }),
      'swap two: 15 DLR -> 5 EUR',
    ]),
    HOLDS,
  ],
  ['without a stated amount', { ...SWAP, amount: undefined }, answerOf('50', [ONE_HOP]), NONE],
]);

const COINS = { price: '2000', decimals: 18 };
const wrapped = (taken: string, coins: object = COINS): object =>
  answerOf('5', [
    stepOf('swap one: 100 DLR -> ', {
      output: [entryOf('50 ETH', { asset: assetOf('ETH', COINS) })],
    }),
    stepOf('swap one:  -> 5 EUR', { input: [entryOf(taken, { asset: assetOf('WETH', coins) })] }),
  ]);
const coin = (text: string): object => entryOf(text, { asset: assetOf('ETH', COINS) });

table('zap.path.inputs-covered', [
  ['one step has nothing before it', SWAP, answerOf('50', [ONE_HOP]), NONE],
  [
    'all that came',
    SWAP,
    answerOf('5', ['swap one: 100 DLR -> 50 WETH', 'swap one: 50 WETH -> 5 EUR']),
    HOLDS,
  ],
  [
    'more than came',
    SWAP,
    answerOf('5', ['swap one: 100 DLR -> 50 WETH', 'swap one: 60 WETH -> 5 EUR']),
    ['fail', '/data/path/1/input/0/amount'],
  ],
  [
    'of another chain',
    SWAP,
    answerOf('5', ['swap one: 100 DLR -> 50 WETH@10', 'swap one: 50 WETH -> 5 EUR']),
    ['fail', '/data/path/1/input/0/amount'],
  ],
  ['unwrapped in passing', SWAP, wrapped('50 WETH'), HOLDS],
  [
    'unwrapped in passing, but more',
    SWAP,
    wrapped('60 WETH'),
    ['fail', '/data/path/1/input/0/amount'],
  ],
  [
    'unwrapped in passing, of a token with other decimals',
    SWAP,
    wrapped('50 WETH', { ...COINS, decimals: 6 }),
    ['fail', '/data/path/1/input/0/amount'],
  ],
  [
    'all that came, twice',
    SWAP,
    answerOf('10', [
      'swap one: 100 DLR -> 50 WETH',
      'swap one: 50 WETH -> 5 EUR',
      'swap two: 50 WETH -> 5 EUR',
    ]),
    ['fail', '/data/path/2/input/0/amount'],
  ],
  [
    'a fee for a message beside',
    SWAP,
    answerOf('5', ['swap one: 100 DLR -> 50 WETH', 'bridge b: 50 WETH, 7 ETH -> 5 EUR']),
    HOLDS,
  ],
  [
    'an amount that cannot be read',
    SWAP,
    answerOf('5', [
      stepOf('swap one: 100 DLR -> ', { output: [entryOf('1 WETH', { amount: 50 })] }),
      'swap one: 50 WETH -> 5 EUR',
    ]),
    NONE,
  ],
]);

table('zap.path.outputs-used', [
  [
    'the guaranteed part',
    SWAP,
    answerOf('5', ['swap one: 100 DLR -> 50>49 WETH', 'swap one: 49 WETH -> 5 EUR']),
    HOLDS,
  ],
  [
    'less than guaranteed',
    SWAP,
    answerOf('5', ['swap one: 100 DLR -> 50>49 WETH', 'swap one: 40 WETH -> 5 EUR']),
    ['fail', '/data/path/0/output/0'],
  ],
  [
    'less, the rest being dust',
    SWAP,
    answerOf('5', [
      'swap one: 100 DLR -> 50>49 WETH',
      stepOf('swap one: 40 WETH -> 5 EUR', { dust: [entryOf('10 WETH')] }),
    ]),
    HOLDS,
  ],
  [
    'less, the rest being a fee of the step itself',
    SWAP,
    answerOf('5', [
      stepOf('swap one: 100 DLR -> 50>49 WETH', { fee: [entryOf('10 WETH')] }),
      'swap one: 40 WETH -> 5 EUR',
    ]),
    HOLDS,
  ],
  [
    'less than such a fee leaves',
    SWAP,
    answerOf('5', [
      stepOf('swap one: 100 DLR -> 50>49 WETH', { fee: [entryOf('3 WETH')] }),
      'swap one: 40 WETH -> 5 EUR',
    ]),
    ['fail', '/data/path/0/output/0'],
  ],
  [
    'less, the rest being handed out in the end',
    SWAP,
    answerOf('5', ['swap one: 100 DLR -> 50>49 WETH', 'swap one: 20 WETH -> 5 EUR, 30 WETH']),
    HOLDS,
  ],
  [
    'less, whatever the step itself took of it',
    SWAP,
    answerOf('5', [
      stepOf('swap one:  -> ', {
        input: [entryOf('100 DLR'), coin('40 ETH')],
        output: [coin('50>49 ETH')],
      }),
      stepOf('swap one:  -> 5 EUR', { input: [coin('10 ETH')] }),
    ]),
    ['fail', '/data/path/0/output/0'],
  ],
  [
    'in two parts, of which nobody knows which is taken',
    SWAP,
    answerOf('5', ['swap one: 100 DLR -> 25>24 WETH, 25>24 WETH', 'swap one: 40 WETH -> 5 EUR']),
    NONE,
  ],
  [
    'the destination, side by side',
    SWAP,
    answerOf('50', ['swap one: 40 DLR -> 20>19 EUR', 'swap two: 60 DLR -> 30>29 EUR']),
    NONE,
  ],
]);
