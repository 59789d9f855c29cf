import type { Broken, Judgement, Rule } from '../../../../judging/rule.ts';
import { exchangeRule } from '../../../../judging/rule.ts';
import type { View } from '../../../../judging/view.ts';
import { isEvmAddress } from '../../../../wire/addresses.ts';
import { listOf, member } from '../../../../wire/json.ts';
import { BrokenList } from '../../../../rules/broken-list.ts';
import { intrinsicGas, isInDecimal, isQuantityOtherwise } from '../../shared/gas.ts';

/** Judges the gas of each step; null if a step says nothing. */
function eachGas(
  view: View,
  judge: (gas: string, data: unknown) => Omit<Broken, 'pointer'> | null | undefined,
): Judgement {
  let judged = false;
  const broken = new BrokenList();
  for (const [index, step] of listOf(member(member(view.json, 'data'), 'steps')).entries()) {
    const data = member(step, 'data');
    const gas = member(data, 'estimatedGas');
    if (typeof gas !== 'string' || !isEvmAddress(member(data, 'callTo'))) continue;
    const found = judge(gas, data);
    if (found === undefined) continue;
    judged = true;
    if (found === null) continue;
    broken.add(() => ({ pointer: `/data/steps/${index}/data/estimatedGas`, ...found }));
  }
  return judged ? broken.all() : null;
}

const base = {
  api: 'zap',
  operations: ['zap.build-tx'],
  answer: 'success',
  leastEvidence: 1,
} as const;

export const stepGasRules: readonly Rule[] = [
  // Section 2.2 says of estimatedGas that it is a string, as amounts are, which section 1, convention 2,
  // has in decimal. Of gas there is no part.
  exchangeRule({
    ...base,
    id: 'zap.steps.gas-in-decimal',
    level: 'should',
    source: 'implied by §1, §2.2',
    protects: 'The gas of a step is written as all other numbers in strings are.',
    rulesOut:
      'A service that hands on the hex of its node, or multiplies it by a float: a step has gas.',
    judge: (view) =>
      eachGas(view, (gas) => {
        if (isInDecimal(gas)) return null;
        if (!isQuantityOtherwise(gas)) return undefined;
        return { expected: 'a decimal integer as a string', actual: gas };
      }),
  }),
  // A chain refuses a transaction with less gas than its bytes alone take. With 0 for none nothing is said.
  exchangeRule({
    ...base,
    id: 'zap.steps.gas-suffices',
    level: 'must',
    source: 'implied by §2.2 (transaction fails)',
    protects: 'The gas of a step is not below what it takes before it does anything.',
    rulesOut: 'A service that states the gas of a plain transfer for a call with data.',
    judge: (view) =>
      eachGas(view, (gas, data) => {
        const least = intrinsicGas(member(data, 'callData'));
        if (!isInDecimal(gas) || least === undefined || BigInt(gas) === 0n) return undefined;
        if (BigInt(gas) >= least) return null;
        return { expected: `at least ${least}, the intrinsic gas of its data`, actual: gas };
      }),
  }),
];
