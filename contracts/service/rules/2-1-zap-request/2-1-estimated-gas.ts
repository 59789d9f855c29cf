import { listOf, member } from '../../../wire/json.ts';
import type { Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';

const ZERO = /^(?:0x)?0+$/i;

/**
 * Section 2.1: with `estimateGas` true, gas is estimated. No transaction takes none; of several steps
 * one may wait for another, and so have no estimate yet.
 */
export const gasEstimatedRule: Rule = exchangeRule({
  id: 'zap.estimate-gas.estimates',
  level: 'must',
  source: '§2.1',
  protects: 'A build with estimateGas true tells how much gas its transaction takes.',
  rulesOut: 'A service that ignores estimateGas where it tells 0 for a gas that is not estimated.',
  api: 'zap',
  operations: ['zap.build-tx'],
  answer: 'success',
  leastEvidence: 1,
  judge: (view) => {
    if (member(view.requestJson, 'estimateGas') !== true) return null;
    const steps = listOf(member(member(view.json, 'data'), 'steps'));
    const gas = steps.map((step) => member(member(step, 'data'), 'estimatedGas'));
    if (gas.length === 0 || !gas.every((one) => typeof one === 'string')) return null;
    if (!gas.every((one) => ZERO.test(one))) return [];
    const expected = 'an estimate above 0, as estimateGas true asks for';
    return [{ pointer: '/data/steps/0/data/estimatedGas', expected, actual: String(gas[0]) }];
  },
});
