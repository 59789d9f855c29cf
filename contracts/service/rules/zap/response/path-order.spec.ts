import { DEPOSIT, HOLDS, NONE, ONE_HOP, SWAP, table } from '../../shared/route-table.testkit.ts';
import { answerOf, assetOf, entryOf, requestOf, stepOf } from '../../readings/zap-route.testkit.ts';

const CROSS = requestOf('100 DLR to EUR@10');
const BRIDGE = 'bridge b: 100 DLR -> 99>98 DLR@10';
const ARRIVAL = 'swap one: 99 DLR@10 -> 50>49 EUR@10';
const HALF = 'swap one: 100 DLR -> 40 EUR, 50 DLR';
const JOIN = 'deposit pool: 50 DLR, 40 EUR -> 9>8 LP';
const COINS = { price: '2000', decimals: 18 };
const coins = (text: string, symbol: string): unknown =>
  entryOf(text, { asset: assetOf(symbol, COINS) });
const UNWRAPPED = [
  stepOf('swap one: 100 DLR -> ', { output: [coins('50 ETH', 'ETH')] }),
  stepOf('swap one:  -> 5 EUR', { input: [coins('50 WETH', 'WETH')] }),
];

table('zap.path.in-order', [
  ['over a bridge', CROSS, answerOf('50', [BRIDGE, ARRIVAL]), HOLDS],
  ['the bridge last', CROSS, answerOf('50', [ARRIVAL, BRIDGE]), ['fail', '/data/path/0/input/0']],
  ['a swap, then a deposit', DEPOSIT, answerOf('9', [HALF, JOIN]), HOLDS],
  [
    'the deposit before the swap that feeds it',
    DEPOSIT,
    answerOf('9', [JOIN, HALF]),
    ['fail', '/data/path/0/input/1'],
  ],
  [
    'a deposit of native tokens before they are bought',
    DEPOSIT,
    answerOf('9', [
      stepOf('deposit pool:  -> 9>8 LP', { input: [entryOf('50 DLR'), coins('7 ETH', 'ETH')] }),
      stepOf('swap one: 50 DLR -> ', { output: [coins('7 ETH', 'ETH')] }),
    ]),
    ['fail', '/data/path/0/input/1'],
  ],
  [
    'a deposit between the two swaps that feed it',
    DEPOSIT,
    answerOf('9', [
      'swap one: 40 DLR -> 20 EUR',
      'deposit pool: 50 EUR -> 9>8 LP',
      'swap two: 60 DLR -> 30 EUR',
    ]),
    ['fail', '/data/path/1/input/0'],
  ],
  ['one step', SWAP, answerOf('50', [ONE_HOP]), NONE],
  [
    'side by side',
    SWAP,
    answerOf('50', ['swap one: 40 DLR -> 20 EUR', 'swap two: 60 DLR -> 30 EUR']),
    NONE,
  ],
  [
    'a fee for a message in the native token, which is bought in the end',
    requestOf('100 DLR to ETH'),
    answerOf('7', ['swap one: 100 DLR, 1 ETH -> 50>49 WETH', 'swap one: 50 WETH -> 7>6 ETH']),
    HOLDS,
  ],
  ['unwrapped in passing', SWAP, answerOf('5', UNWRAPPED), NONE],
  [
    'wrapped in passing, and out of order',
    SWAP,
    answerOf(
      '5',
      [...UNWRAPPED].reverse().map((step, at) => ({ ...step, at })),
    ),
    NONE,
  ],
  [
    'what no step yields',
    SWAP,
    answerOf('5', ['swap one: 100 DLR -> 50 WETH', 'swap one: 60 LP -> 9 WETH', ONE_HOP]),
    NONE,
  ],
  [
    'what each of two steps takes from the other',
    SWAP,
    answerOf('5', ['swap one: 50 WETH -> 9 LP', 'swap two: 9 LP -> 50 WETH', ONE_HOP]),
    HOLDS,
  ],
  [
    'more than any order gives',
    CROSS,
    answerOf('50', [BRIDGE, 'swap one: 120 DLR@10 -> 50>49 EUR@10']),
    HOLDS,
  ],
]);

// What is out of order has one cause, and these are not it.
for (const rule of [
  'zap.path.starts-at-source',
  'zap.path.inputs-covered',
  'zap.path.ends-at-destination',
  'zap.path.last-output-guaranteed',
  'zap.amount-out.is-path-output',
]) {
  table(rule, [['steps out of order', CROSS, answerOf('50', [ARRIVAL, BRIDGE]), NONE]]);
}
