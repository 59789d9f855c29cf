import { expect, test } from 'vitest';
import { exchangeOf } from '../../../../judging/exchange.testkit.ts';
import { View } from '../../../../judging/view.ts';
import { loadContract } from '../../../load-contract.ts';
import { requestOf, stepOf } from '../../readings/zap-route.testkit.ts';
import { simulatedZap } from './simulated.ts';

const contract = await loadContract();
const ROUTER = `0x${'c'.repeat(40)}`;

test.each([
  [true, 50_000n],
  // A rough figure is no promise.
  [false, undefined],
  [undefined, undefined],
])('the gas of an answer is one to execute with if the request has estimateGas %j', (asks, gas) => {
  const execute = {
    ...{ txnId: '0x1', callTo: ROUTER, callData: '0x1234', value: '0', estimatedGas: '50000' },
  };
  const exchange = exchangeOf({
    ...{ api: 'zap', method: 'POST', path: '/v1/buildTx' },
    sent: requestOf('100 DLR to EUR', asks === undefined ? {} : { estimateGas: asks }),
    answered: {
      status: 'success',
      data: {
        amountOut: '50',
        approvalData: { callTo: ROUTER, approveTo: ROUTER, amount: '100' },
        path: [stepOf('swap one: 100 DLR -> 50>49 EUR')],
        steps: [{ action: 'execute', data: execute }],
      },
    },
  });
  const build = simulatedZap(new View(exchange, contract));
  expect(build?.call.to).toBe(ROUTER);
  expect(build?.call.gas).toBe(gas);
});
