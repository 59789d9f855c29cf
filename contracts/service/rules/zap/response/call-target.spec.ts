import { expect, test } from 'vitest';
import { foundBy, verdictOf } from '../../../../judging/verdicts.testkit.ts';
import { HOLDS, NONE } from '../../shared/route-table.testkit.ts';
import { answerOf, requestOf } from '../../readings/zap-route.testkit.ts';

const ZERO = `0x${'0'.repeat(40)}`;
const ROUTER = `0x${'a'.repeat(40)}`;

const calling = (...targets: readonly unknown[]): object =>
  answerOf('50', ['swap one: 1000 DLR -> 50 EUR'], {
    steps: targets.map((callTo) => ({ action: 'execute', data: { callTo } })),
  });

test.each<[string, object, readonly string[]]>([
  ['a contract', calling(ROUTER), HOLDS],
  ['the zero address', calling(ZERO), ['fail', '/data/steps/0/data/callTo']],
  [
    'the zero address in a later step',
    calling(ROUTER, ZERO),
    ['fail', '/data/steps/1/data/callTo'],
  ],
  ['an address of a chain that has others', calling('So1'), NONE],
  ['nobody', calling(undefined), NONE],
  ['no step', calling(), NONE],
])('what a step calls: %s', (_, answered, verdict) => {
  const sent = requestOf('1000 DLR to EUR');
  const request = { method: 'POST', path: '/v1/buildTx' } as const;
  expect(foundBy('zap.steps.call-a-contract', request, { sent, answered })).toEqual(verdict);
});

test.each([
  ['a contract', ROUTER, 'pass'],
  ['the zero address', ZERO, 'fail /transaction/to'],
  ['nobody', undefined, 'not-reached'],
])('whom a transaction is to: %s', (_, to, verdict) => {
  const data = [{ srcToken: ROUTER, amount: '1000', destToken: ROUTER, toChain: 1 }];
  const transaction = { data: '0xab', to, from: ROUTER, value: '0', gasLimit: '90000' };
  expect(
    verdictOf('trade.transaction.calls-a-contract', {
      ...{ api: 'trade', method: 'POST', path: '/v1/buildTx' },
      sent: { fromChain: 1, gasless: false, sender: ROUTER, refundee: ROUTER, data },
      answered: { status: 'success', gasless: false, chainId: 1, txId: '0x1', transaction },
    }),
  ).toBe(verdict);
});
