import { expect, test } from 'vitest';
import { foundBy } from '../../../../judging/verdicts.testkit.ts';
import { HOLDS, NONE } from '../../shared/route-table.testkit.ts';
import { answerOf, requestOf } from '../../readings/zap-route.testkit.ts';

const BUILD = { method: 'POST', path: '/v1/buildTx' } as const;
const NATIVE = requestOf('100 ETH to EUR');
const ROUTE = ['swap one: 100 ETH -> 50 EUR'];

const TOKENS = requestOf('1000 DLR to EUR');
const OF_TOKENS = ['swap one: 1000 DLR -> 50 EUR'];

const carrying = (...values: readonly unknown[]): object =>
  answerOf('50', ROUTE, { steps: values.map((value) => ({ action: 'execute', data: { value } })) });

test.each<[string, object, object, readonly string[]]>([
  ['all of it', NATIVE, carrying('100'), HOLDS],
  ['all of it over two steps', NATIVE, carrying('60', '40'), HOLDS],
  ['more, for a bridge', NATIVE, carrying('100', '7'), HOLDS],
  ['a unit less', NATIVE, carrying('99'), ['fail', '/data/steps']],
  ['nothing', NATIVE, carrying('0'), ['fail', '/data/steps']],
  [
    'what slippage would leave, if there is none',
    { ...NATIVE, slippage: 0 },
    carrying('100'),
    NONE,
  ],
  [
    'less, if there is no slippage',
    { ...NATIVE, slippage: 0 },
    carrying('99'),
    ['fail', '/data/steps'],
  ],
  ['what cannot be read', NATIVE, carrying('0x64'), NONE],
  ['no step', NATIVE, carrying(), NONE],
  ['of a token', requestOf('100 DLR to EUR'), carrying('0'), NONE],
  ['of a position', { ...NATIVE, positionDetails: {} }, carrying('0'), NONE],
  [
    'less, of a route for another amount, which another rule reports',
    requestOf('200 ETH to EUR'),
    carrying('100'),
    NONE,
  ],
])('the value of steps: %s', (_, sent, answered, verdict) => {
  expect(foundBy('zap.steps.carry-native', BUILD, { sent, answered })).toEqual(verdict);
});

const beside = (...values: readonly unknown[]): object =>
  answerOf('50', OF_TOKENS, {
    steps: values.map((value) => ({ action: 'execute', data: { value } })),
  });

test.each<[string, object, object, readonly string[]]>([
  ['nothing', TOKENS, beside('0'), HOLDS],
  ['what a bridge is paid', TOKENS, beside('2500'), HOLDS],
  ['as much as of the token', TOKENS, beside('1000'), ['fail', '/data/steps']],
  ['as much over two steps', TOKENS, beside('600', '400'), ['fail', '/data/steps']],
  ['as much of so little that it may be chance', requestOf('100 DLR to EUR'), beside('100'), NONE],
  ['what cannot be read', TOKENS, beside('0x3e8'), NONE],
  ['no step', TOKENS, beside(), NONE],
  ['of the native token', NATIVE, carrying('100'), NONE],
])('the value beside a token: %s', (_, sent, answered, verdict) => {
  expect(foundBy('zap.steps.carry-no-token-as-native', BUILD, { sent, answered })).toEqual(verdict);
});
