import { DEPOSIT, HOLDS, NONE, ONE_HOP, SWAP, table } from '../shared/route-table.testkit.ts';
import { answerOf, assetOf, entryOf, requestOf, stepOf } from './zap-route.testkit.ts';

table('zap.path.starts-at-source', [
  ['the source', SWAP, answerOf('50', [ONE_HOP]), HOLDS],
  [
    'its wrapper',
    requestOf('100 ETH to EUR'),
    answerOf('50', ['swap one: 100 WETH -> 50 EUR']),
    ['fail', '/data/path/0/input'],
  ],
  [
    'the source on another chain',
    SWAP,
    answerOf('50', ['swap one: 100 DLR@10 -> 50 EUR']),
    ['fail', '/data/path/0/input'],
  ],
  ['after a step that takes nothing in', SWAP, answerOf('50', ['permit two: ', ONE_HOP]), HOLDS],
  [
    'of a request about a position',
    { ...SWAP, positionDetails: {} },
    answerOf('50', ['swap one: 1 LP -> 50 EUR']),
    NONE,
  ],
]);

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
  ['without a stated amount', { ...SWAP, amount: undefined }, answerOf('50', [ONE_HOP]), NONE],
]);

const COINS = { price: '2000', decimals: 18 };
const wrapped = (taken: string): object =>
  answerOf('5', [
    stepOf('swap one: 100 DLR -> ', {
      output: [entryOf('50 ETH', { asset: assetOf('ETH', COINS) })],
    }),
    stepOf('swap one:  -> 5 EUR', { input: [entryOf(taken, { asset: assetOf('WETH', COINS) })] }),
  ]);

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
    'the destination, side by side',
    SWAP,
    answerOf('50', ['swap one: 40 DLR -> 20>19 EUR', 'swap two: 60 DLR -> 30>29 EUR']),
    NONE,
  ],
]);

const POSITION = { asset: assetOf('ZERO', { type: 'ERC721' }) };
const ended = (output: unknown[], action = 'deposit'): object =>
  answerOf('5', [stepOf(`${action} pool: 100 DLR -> `, { output })]);

table('zap.path.ends-at-destination', [
  ['the destination', SWAP, answerOf('50', [ONE_HOP]), HOLDS],
  [
    'another token',
    SWAP,
    answerOf('50', ['swap one: 100 DLR -> 50 WETH']),
    ['fail', '/data/path/0/output'],
  ],
  [
    'the destination on another chain',
    SWAP,
    answerOf('50', ['swap one: 100 DLR -> 50 EUR@10']),
    ['fail', '/data/path/0/output'],
  ],
  ['a position told by its manager', DEPOSIT, ended([entryOf('1 LP', POSITION)]), NONE],
  [
    'a position on another chain',
    DEPOSIT,
    ended([entryOf('1 LP', { asset: assetOf('LP@10', { type: 'ERC721' }) })]),
    ['fail', '/data/path/0/output'],
  ],
  ['a share of another address', DEPOSIT, ended([entryOf('5 WETH')]), NONE],
]);

table('zap.amount-out.is-path-output', [
  ['the last output', SWAP, answerOf('50', [ONE_HOP]), HOLDS],
  ['one unit off', SWAP, answerOf('51', [ONE_HOP]), ['fail', '/data/amountOut']],
  [
    'the sum of two steps side by side',
    SWAP,
    answerOf('50', ['swap one: 40 DLR -> 20 EUR', 'swap two: 60 DLR -> 30 EUR']),
    HOLDS,
  ],
  ['less a fee', SWAP, answerOf('48', [stepOf(ONE_HOP, { fee: [entryOf('2 EUR')] })]), HOLDS],
  [
    'more than a fee',
    SWAP,
    answerOf('47', [stepOf(ONE_HOP, { fee: [entryOf('2 EUR')] })]),
    ['fail', '/data/amountOut'],
  ],
  [
    'a position',
    DEPOSIT,
    ended([entryOf('1 LP', { asset: assetOf('LP', { type: 'ERC721' }) })]),
    NONE,
  ],
]);
