import { expect, test } from 'vitest';
import { exchangeOf } from '../../../../judging/exchange.testkit.ts';
import { View } from '../../../../judging/view.ts';
import { NATIVE_TOKEN } from '../../../../wire/addresses.ts';
import { MAX_UINT256 } from '../../../../wire/amounts.ts';
import { loadContract } from '../../../load-contract.ts';
import { requestOf, stepOf } from '../../readings/zap-route.testkit.ts';
import { simulatedZap } from './simulated.ts';

const contract = await loadContract();
const ROUTER = `0x${'c'.repeat(40)}`;

/** What a build of 100 DLR to EUR on one chain is to do. */
function readBuild({
  asked = {},
  approved = '100',
  fee = [] as object[],
  lasting = [1] as unknown[],
}: {
  readonly asked?: object;
  readonly approved?: string;
  readonly fee?: readonly object[];
  readonly lasting?: readonly unknown[];
}): ReturnType<typeof simulatedZap> {
  const execute = {
    ...{ txnId: '0x1', callTo: ROUTER, callData: '0x1234', value: '0', estimatedGas: '50000' },
  };
  const exchange = exchangeOf({
    ...{ api: 'zap', method: 'POST', path: '/v1/buildTx' },
    sent: requestOf('100 DLR to EUR', asked),
    answered: {
      status: 'success',
      data: {
        amountOut: '50',
        approvalData: { callTo: ROUTER, approveTo: ROUTER, amount: approved },
        path: lasting.map((estimatedDuration) =>
          stepOf('swap one: 100 DLR -> 50>49 EUR', { fee, estimatedDuration }),
        ),
        steps: [{ action: 'execute', data: execute }],
      },
    },
  });
  return simulatedZap(new View(exchange, contract));
}

test.each([
  [true, 50_000n],
  // A rough figure is no promise.
  [false, undefined],
  [undefined, undefined],
])('the gas of an answer is one to execute with if the request has estimateGas %j', (asks, gas) => {
  const build = readBuild({ asked: asks === undefined ? {} : { estimateGas: asks } });
  expect(build?.call.to).toBe(ROUTER);
  expect(build?.call.gas).toBe(gas);
});

const [source] = stepOf('swap one: 100 DLR -> 50>49 EUR').input as { asset: object }[];
const feeOf = (amount: unknown, asset: object = {}): object => ({
  amount,
  asset: { ...source?.asset, ...asset },
});
const COINS = { address: NATIVE_TOKEN, type: 'NATIVE' };

test.each<[string, Parameters<typeof readBuild>[0], bigint, bigint]>([
  ['no fee', {}, 100n, 100n],
  ['a fee that is not to be approved', { fee: [feeOf('3')] }, 100n, 100n],
  ['a fee that is to be approved', { fee: [feeOf('3')], approved: '103' }, 103n, 103n],
  ['a fee that is to be approved in part', { fee: [feeOf('3')], approved: '102' }, 102n, 102n],
  ['no fee, though more is to be approved', { approved: '103' }, 100n, 103n],
  ['less than the amount approved', { approved: '99' }, 100n, 100n],
  ['no number approved', { approved: `1${'0'.repeat(90)}` }, 100n, MAX_UINT256],
])('what may leave the account, of an answer that states %s', (_, answer, most, approved) => {
  expect(readBuild(answer)?.spendings).toMatchObject([{ amount: 100n, most, approved }]);
});

test.each<[string, object[], bigint, boolean]>([
  ['no fee', [], 0n, false],
  ['fees of native coins', [feeOf('7', COINS), feeOf('2', COINS)], 9n, false],
  ['a fee of a token', [feeOf('7')], 0n, false],
  ['a fee of nothing', [feeOf('0', COINS)], 0n, false],
  ['a fee of native coins that nobody can read', [feeOf('some', COINS)], 0n, true],
])('native coins beside the amount, of an answer that states %s', (_, fee, coins, isOpen) => {
  const build = readBuild({ fee });
  expect([build?.statedCoins, build?.mayPayFees]).toStrictEqual([coins, isOpen]);
});

test.each<[readonly unknown[], unknown]>([
  [[0], false],
  [[12], 'if ordered'],
  [[30, 29], 'if ordered'],
  [[30, 30], true],
  [[300], true],
  [[undefined], 'if nobody got it'],
  [[1, 'soon'], 'if nobody got it'],
  [[-1], 'if nobody got it'],
])('steps that last %j s: what is to arrive may come later: %s', (lasting, may) => {
  expect(readBuild({ lasting })?.deliveries).toMatchObject([{ mayComeLater: may }]);
});
