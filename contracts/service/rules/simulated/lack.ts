/** What a build lacks that fails as its answer says, and succeeds with more. */

import type { Judgement } from '../../../judging/rule.ts';
import type { Outcome, Run } from './attempt.ts';
import { spentIn } from './attempt.ts';
import type { SimulatedBuild } from './build.ts';
import { spendersOf } from './plan.ts';
import { excessOf } from './whose-doing.ts';

/** What a lenient run shows that the strict one lacked. */
export type Lack = 'spender' | 'amount' | 'value' | 'gas' | 'not known';

/** What it is, by a lenient run that succeeded. */
export function lackOf(build: SimulatedBuild, run: Run, outcome: Outcome): Lack {
  const { account, spendings, spender, call } = build;
  const used = (token: string, by: string): boolean =>
    run.grew({ token, holder: account, spender: by }) < 0n;
  const tokens = spendings.filter(({ isNative }) => !isNative);
  const [named = '', ...others] = spendersOf(build, 'lenient');
  if (tokens.some(({ token }) => !used(token, named) && others.some((by) => used(token, by))))
    return spender === undefined ? 'not known' : 'spender';
  if (tokens.some((one) => excessOf(run, outcome, build, one) === 'service')) return 'amount';
  const coins = spendings.find(({ isNative }) => isNative);
  if (coins !== undefined && spentIn(run, build, coins) > call.value) return 'value';
  return outcome.lacks === 'gas' ? 'gas' : 'not known';
}

/** What makes a build succeed that fails as its answer says. */
const WITH_MORE: Readonly<Record<Lack, string>> = {
  spender: 'another spender approved',
  amount: 'more than the amount approved',
  value: 'more value',
  gas: 'more gas',
  'not known': 'more approved than the document and the answer say',
};

/** Whether the tokens may be why a build succeeds with more alone, or whoever was guessed to be its spender. */
function isOfOthers(build: SimulatedBuild, run: Run, outcome: Outcome, lack: Lack): boolean {
  if (lack !== 'not known') return false;
  const tokens = build.spendings.filter(({ isNative }) => !isNative);
  const [named = ''] = spendersOf(build, 'strict');
  return tokens.some(
    (one) =>
      excessOf(run, outcome, build, one) !== undefined ||
      (build.spender === undefined &&
        run.grew({ token: one.token, holder: build.account, spender: named }) >= 0n),
  );
}

/** That a build fails as its answer says; undefined if that is not so, or may be the doing of others. */
export function failedAsIs(
  build: SimulatedBuild,
  outcome: Outcome,
  lack: Lack | undefined,
): Judgement | undefined {
  const { ran, lacks, why = '' } = outcome;
  if (ran === undefined || lack === undefined || lacks === undefined) return undefined;
  if (isOfOthers(build, ran, outcome, lack)) return undefined;
  return [
    {
      pointer: build.call.at.call,
      expected: 'a call that succeeds as the document and the answer say',
      actual: `one that fails: ${why}; with ${WITH_MORE[lack]} it succeeds`,
    },
  ];
}
