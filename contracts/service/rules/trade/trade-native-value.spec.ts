import { expect, test } from 'vitest';
import { NATIVE_TOKEN } from '../../../wire/addresses.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const [A, B, WALLET] = ['a', 'b', '1'].map((digit) => `0x${digit.repeat(40)}`);
const OF_THE_CHAIN = `0x${'1010'.padStart(40, '0')}`;
const BROKEN = 'fail /transaction/value';

function verdict(value: string, ...spent: readonly (readonly [unknown, string])[]): string {
  const data = spent.map(([srcToken, amount]) => ({ srcToken, amount, destToken: B, toChain: 1 }));
  const transaction = { data: '0xab', to: A, from: WALLET, value, gasLimit: '90000' };
  return verdictOf('trade.transaction.carries-no-token-as-native', {
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx' },
    sent: { fromChain: 1, gasless: false, sender: WALLET, refundee: WALLET, data },
    answered: { status: 'success', gasless: false, chainId: 1, txId: '0x1', transaction },
  });
}

test.each<[string, string, (readonly [unknown, string])[], string]>([
  ['nothing', '0', [[A, '1000']], 'pass'],
  ['what a bridge is paid', '2500', [[A, '1000']], 'pass'],
  ['as much as of the token', '1000', [[A, '1000']], BROKEN],
  ['as much in hex', '0x3e8', [[A, '1000']], BROKEN],
  [
    'as much as of all',
    '1500',
    [
      [A, '1000'],
      [A, '500'],
    ],
    BROKEN,
  ],
  ['as much of so little that it may be chance', '999', [[A, '999']], 'not-reached'],
  ['the native token', '1000', [[NATIVE_TOKEN, '1000']], 'not-reached'],
  [
    'the native token beside',
    '1000',
    [
      [NATIVE_TOKEN, '600'],
      [A, '400'],
    ],
    'not-reached',
  ],
  ["the chain's own contract for it", '1000', [[OF_THE_CHAIN, '1000']], 'not-reached'],
  ['what is on no EVM chain', '1000', [['So1', '1000']], 'not-reached'],
])('the value beside tokens: %s', (_, value, spent, expected) => {
  expect(verdict(value, ...spent)).toBe(expected);
});
