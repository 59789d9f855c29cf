import { DEPOSIT, HOLDS, NONE, ONE_HOP, SWAP, table } from '../../shared/route-table.testkit.ts';
import { answerOf, assetOf, entryOf, requestOf, stepOf } from '../../readings/zap-route.testkit.ts';

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
  [
    'another token, by a bridge',
    requestOf('100 DLR to EUR@10'),
    answerOf('50', ['bridge b: 100 DLR -> 50 WETH@10']),
    ['fail', '/data/path/0/output'],
  ],
  [
    'another token, before a step that yields nothing',
    SWAP,
    answerOf('50', ['swap one: 100 DLR -> 50 WETH', 'permit two: ']),
    ['fail', '/data/path/0/output'],
  ],
  ['a position named by its manager', DEPOSIT, ended([entryOf('1 LP', POSITION)]), NONE],
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
  [
    'what is left after a step that takes some of it',
    SWAP,
    answerOf('50', [
      'swap one: 100 DLR -> 60 EUR',
      'swap two: 20 EUR -> 5 WETH',
      'swap two: 5 WETH -> 10 EUR',
    ]),
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
