import { expect, test } from 'vitest';
import { readRoute } from '../../readings/zap-route.ts';
import { answerOf, entryOf, requestOf, stepOf } from '../../readings/zap-route.testkit.ts';
import { wraps } from './zap-wrap.ts';

test.each<[is: boolean, name: string, step: string, fee: readonly string[], integrator?: object]>([
  [true, 'one for one', '1000 ETH -> 1000 WETH', []],
  [true, 'and back', '1000 WETH -> 1000 ETH', []],
  [true, 'less a fee', '1000 ETH -> 997 WETH', ['3 ETH']],
  [true, 'less a fee of what arrives, rounded', '1000 ETH -> 997 WETH', ['2 WETH']],
  [true, 'less two fees', '1000 ETH -> 990 WETH', ['3 ETH', '7 WETH']],
  [true, 'a fee besides', '1000 ETH -> 1000 WETH', ['3 ETH']],
  [true, 'less what an integrator is paid', '1000 ETH -> 900 WETH', [], { id: 'one' }],
  [false, 'less, and nobody is paid', '1000 ETH -> 999 WETH', []],
  [false, 'less than the fees leave', '1000 ETH -> 990 WETH', ['3 ETH']],
  [false, 'more than the fees leave', '1000 ETH -> 999 WETH', ['9 ETH']],
  [false, 'less a fee of another token', '1000 ETH -> 997 WETH', ['3 DLR']],
  [false, 'more', '1000 ETH -> 1001 WETH', [], { id: 'one' }],
  [false, 'another chain', '1000 ETH -> 1000 ETH@10', []],
  [false, 'two tokens', '1000 DLR -> 1000 EUR', []],
  [false, 'nothing', '', []],
])('%s: %s', (is, _name, text, fees, integrator) => {
  const step = stepOf(`swap w: ${text}`, { fee: fees.map((fee) => entryOf(fee)) });
  const sent = requestOf('1000 ETH to WETH', integrator === undefined ? {} : { integrator });
  const route = readRoute(answerOf('1', [step]), sent);
  expect(route?.steps.map((one) => wraps(one, route.asked))).toEqual([is]);
});
