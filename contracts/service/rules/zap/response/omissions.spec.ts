import { describe, expect, test } from 'vitest';
import type { ExchangeSketch } from '../../../../judging/exchange.testkit.ts';
import {
  DEPOSIT,
  HOLDS,
  NONE,
  ONE_HOP,
  QUOTE,
  SWAP,
  table,
} from '../../shared/route-table.testkit.ts';
import { foundBy, verdictOf } from '../../../../judging/verdicts.testkit.ts';
import { answerOf, assetOf, entryOf, requestOf, stepOf } from '../../readings/zap-route.testkit.ts';

table('zap.path.not-empty', [
  ['a step', SWAP, answerOf('50', [ONE_HOP]), HOLDS],
  ['no step', SWAP, answerOf('50', []), ['fail', '/data/path']],
  ['no step, and nothing out', SWAP, answerOf('0', []), NONE],
  ['the same token', requestOf('100 DLR to DLR'), answerOf('100', []), NONE],
  ['as much of another token', SWAP, answerOf('100', []), ['fail', '/data/path']],
  ['the native token wrapped', requestOf('100 ETH to WETH'), answerOf('100', []), NONE],
  [
    'the native token, of which nobody said how much',
    { ...requestOf('100 ETH to WETH'), amount: undefined },
    answerOf('100', []),
    NONE,
  ],
  [
    'the native token exchanged',
    requestOf('100 ETH to EUR'),
    answerOf('99', []),
    ['fail', '/data/path'],
  ],
  [
    'the native token of another chain',
    requestOf('100 ETH to WETH@10'),
    answerOf('100', []),
    ['fail', '/data/path'],
  ],
  [
    'the native token wrapped, less what an integrator is paid',
    requestOf('1000 ETH to WETH', { integrator: {} }),
    answerOf('999', []),
    NONE,
  ],
  [
    'the native token wrapped, for nobody',
    requestOf('1000 ETH to WETH'),
    answerOf('999', []),
    ['fail', '/data/path'],
  ],
  [
    'more of what wraps the native token',
    requestOf('1000 ETH to WETH', { integrator: {} }),
    answerOf('1001', []),
    ['fail', '/data/path'],
  ],
  ['a position', { ...SWAP, positionDetails: {} }, answerOf('50', []), NONE],
]);

test('a build with an empty path is not the route that was quoted', () => {
  const asked = (role: string, steps: readonly string[]) => ({
    ...QUOTE,
    sent: SWAP,
    answered: answerOf('50', steps),
    relations: [{ kind: 'quote-build', group: 'g', role }],
  });
  const often = <T>(one: T): T[] => Array.from({ length: 7 }, () => one);
  const id = 'zap.quote-build.same-route';
  const quoted = often(asked('A', [ONE_HOP]));
  expect(verdictOf(id, ...quoted, ...often(asked('B', [])))).toBe('fail /data/path');
  expect(verdictOf(id, ...quoted, ...often(asked('B', [ONE_HOP])))).toBe('pass');
});

const POSITION = { asset: assetOf('LP', { type: 'ERC721' }) };

table('zap.path.last-output-guaranteed', [
  ['guaranteed', SWAP, answerOf('50', [ONE_HOP]), HOLDS],
  [
    'on the way only',
    SWAP,
    answerOf('5', ['swap one: 100 DLR -> 50>49 WETH', 'swap one: 50 WETH -> 5 EUR']),
    ['fail', '/data/path/1/output/0/minReturn'],
  ],
  ['in the end only', SWAP, answerOf('5', ['swap one: 100 DLR -> 9 WETH', ONE_HOP]), HOLDS],
  [
    'what is left over beside it is not',
    SWAP,
    answerOf('50', ['swap one: 100 DLR -> 7 WETH, 50>49 EUR']),
    HOLDS,
  ],
  [
    'one for one',
    requestOf('100 DLR to ETH'),
    answerOf('9', ['swap one: 100 DLR -> 9>8 WETH', 'unwrap w: 9 WETH -> 9 ETH']),
    NONE,
  ],
  [
    'wrapped for a fee',
    requestOf('1000 ETH to WETH'),
    answerOf('999', [stepOf('swap w: 1000 ETH -> 999 WETH', { fee: [entryOf('1 ETH')] })]),
    NONE,
  ],
  [
    'a position',
    DEPOSIT,
    answerOf('1', [stepOf('deposit pool: 100 DLR -> ', { output: [entryOf('1 LP', POSITION)] })]),
    NONE,
  ],
]);

describe('zap.path.min-return-told', () => {
  const id = 'zap.path.min-return-told';
  const reported: ExchangeSketch = { sent: SWAP, answered: answerOf('50', [ONE_HOP]) };
  const unreported: ExchangeSketch = {
    sent: SWAP,
    answered: answerOf('50', ['swap one: 100 DLR -> 50 EUR']),
  };
  test('one output of all is enough', () => {
    expect(foundBy(id, QUOTE, reported, unreported, unreported, unreported, unreported)).toEqual(
      HOLDS,
    );
  });
  test('none of many is too few, none of a few shows nothing', () => {
    const many = Array.from({ length: 5 }, () => unreported);
    expect(foundBy(id, QUOTE, ...many)).toEqual(['fail', '/data/path/0/output/0/minReturn']);
    expect(foundBy(id, QUOTE, ...many.slice(1))).toEqual(['not-reached']);
  });
});

describe('zap.slippage.in-percent', () => {
  const id = 'zap.slippage.in-percent';
  const AMOUNT = 1_000_000_000_000;
  const given = (slippage: number, lost: number): ExchangeSketch => ({
    sent: { ...SWAP, slippage },
    answered: answerOf('1', [`swap one: 100 DLR -> ${AMOUNT}>${AMOUNT - lost} EUR`]),
  });
  const at = '/data/path/0/output/0/minReturn';
  const SLIPPAGES = [0.5, 1, 3];
  const inParts = (parts: number): ExchangeSketch[] =>
    SLIPPAGES.map((slippage) => given(slippage, Math.round((AMOUNT * slippage) / 100 / parts)));
  test.each([
    ['in percent', inParts(1), HOLDS],
    ['in tenths', inParts(10), ['fail', at]],
    ['in basis points', inParts(100), ['fail', at]],
    // What does not go by the slippage that is asked for says nothing of its unit.
    ['half of it, by a policy of its own', inParts(2), NONE],
    ['a fixed price', SLIPPAGES.map((slippage) => given(slippage, 0)), NONE],
    ['a fixed part', SLIPPAGES.map((slippage) => given(slippage, AMOUNT / 1_000)), NONE],
    ['two slippages', inParts(10).slice(1), NONE],
  ] as const)('%s', (_, sketches, verdict) => {
    expect(foundBy(id, QUOTE, ...sketches)).toEqual(verdict);
  });
});

describe('zap.steps.carry-native', () => {
  const id = 'zap.steps.carry-native';
  const BUILD = { method: 'POST', path: '/v1/buildTx' } as const;
  const NATIVE = requestOf('100 ETH to EUR');
  const carrying = (sent: object, ...values: unknown[]): ExchangeSketch => ({
    sent,
    answered: answerOf('50', ['swap one: 100 ETH -> 50 EUR'], {
      steps: values.map((value) => ({ action: 'execute', data: { value } })),
    }),
  });
  test.each([
    ['the amount', carrying(NATIVE, '100'), HOLDS],
    ['more, for a bridge', carrying(NATIVE, '107'), HOLDS],
    ['over two steps', carrying(NATIVE, '40', '60'), HOLDS],
    ['a unit less', carrying(NATIVE, '99'), ['fail', '/data/steps']],
    ['nothing', carrying(NATIVE, '0'), ['fail', '/data/steps']],
    ['what cannot be read', carrying(NATIVE, 100), NONE],
    ['no steps', carrying(NATIVE), NONE],
    ['another source', carrying(SWAP, '0'), NONE],
    ['no amount', carrying({ ...NATIVE, amount: undefined }, '0'), NONE],
  ] as const)('%s', (_, sketch, verdict) => {
    expect(foundBy(id, BUILD, sketch)).toEqual(verdict);
  });
});
