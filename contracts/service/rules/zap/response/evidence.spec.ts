import { HOLDS, NONE, ONE_HOP, SWAP, table } from '../../shared/route-table.testkit.ts';
import { answerOf, assetOf, entryOf, requestOf, stepOf } from '../../readings/zap-route.testkit.ts';

// What a plausible wrong service would have answered just the same is no evidence.

const STILL = { ...SWAP, slippage: 0 };
const yielding = (text: string): object => answerOf('1', [`swap one: 100 DLR -> ${text} EUR`]);

table('zap.path.spends-amount', [
  [
    'an amount that rounding hides',
    requestOf('9 DLR to EUR'),
    answerOf('5', ['swap one: 9 DLR -> 5>4 EUR']),
    NONE,
  ],
]);

table('zap.path.inputs-covered', [
  [
    'two steps side by side',
    SWAP,
    answerOf('50', ['swap one: 40 DLR -> 20 EUR', 'swap two: 60 DLR -> 30 EUR']),
    NONE,
  ],
  [
    'a route that begins elsewhere, which another rule reports',
    SWAP,
    answerOf('5', ['swap one: 100 LP -> 50 WETH', 'swap one: 60 WETH -> 5 EUR']),
    NONE,
  ],
]);

table('zap.path.outputs-used', [
  [
    'a guarantee that rounding hides',
    SWAP,
    answerOf('1', ['swap one: 100 DLR -> 2>2 WETH', 'swap one: 2 WETH -> 1 EUR']),
    NONE,
  ],
  [
    'a step that takes what is not there, which another rule reports',
    SWAP,
    answerOf('1', ['swap one: 100 DLR -> 50>49 WETH', 'swap one: 9 LP -> 1 EUR']),
    NONE,
  ],
]);

table('zap.amount-out.is-path-output', [
  [
    'one for one, and all of it guaranteed',
    requestOf('100 ETH to WETH'),
    answerOf('100', ['wrap w: 100 ETH -> 100>100 WETH']),
    NONE,
  ],
  [
    'one for one, and not all of it guaranteed',
    requestOf('100 ETH to WETH'),
    answerOf('100', ['wrap w: 100 ETH -> 100>99 WETH']),
    HOLDS,
  ],
]);

table('zap.path.min-return-honours-slippage', [
  ['an amount of which rounding hides twice the slippage', SWAP, yielding('90>89'), NONE],
  ['an amount of which it does not', SWAP, yielding('200>198'), HOLDS],
]);

table('zap.path.no-slippage-no-loss', [
  ['an amount of which rounding hides half a percent', STILL, yielding('200>200'), NONE],
  ['an amount of which it does not', STILL, yielding('500>500'), HOLDS],
]);

table('zap.path.min-return-within-amount', [
  ['without slippage, which added is the same', STILL, yielding('500>500'), NONE],
  [
    'above the amount all the same',
    STILL,
    yielding('5>6'),
    ['fail', '/data/path/0/output/0/minReturn'],
  ],
]);

table('zap.approval.covers-amount', [
  ['without slippage, which leaves all of it', STILL, answerOf('50', [ONE_HOP]), NONE],
  [
    'of a route for another amount, which another rule reports',
    requestOf('200 DLR to EUR'),
    answerOf('50', [ONE_HOP]),
    NONE,
  ],
]);

table('zap.path.dust-mark', [
  ['no dust', SWAP, answerOf('50', [ONE_HOP]), NONE],
  [
    'dust',
    SWAP,
    answerOf('50', [stepOf(ONE_HOP, { dust: [entryOf('1 DLR', { dust: true })] })]),
    HOLDS,
  ],
]);

// The cause is reported by one rule: the native token under another constant is that, and no other start.
const zero = entryOf('100 ETH', { asset: assetOf('ETH', { address: `0x${'0'.repeat(40)}` }) });

table('zap.path.starts-at-source', [
  [
    'the native token under the zero address',
    requestOf('100 ETH to EUR'),
    answerOf('50', [stepOf('swap one:  -> 50>49 EUR', { input: [zero] })]),
    NONE,
  ],
]);

table('zap.path.ends-at-destination', [
  [
    'the native token under the zero address',
    requestOf('100 DLR to ETH'),
    answerOf('100', [stepOf('swap one: 100 DLR -> ', { output: [zero] })]),
    NONE,
  ],
]);
