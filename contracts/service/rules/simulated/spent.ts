/** What leaves the account, beside what was asked for and is stated as fees. */

import type { Judgement } from '../../../judging/rule.ts';
import type { Attempt, Outcome, Run } from './attempt.ts';
import { spentIn } from './attempt.ts';
import { leavingOf, type SimulatedBuild, type Spending } from './build.ts';
import { mostUnstated } from './likely-fees.ts';
import { excessOf } from './whose-doing.ts';

/** Whether no more leaves the account than was asked for and is stated. */
export function spentAtMost(
  spendings: readonly Spending[],
  build: SimulatedBuild,
  run: Run,
  outcome: Outcome,
): Judgement {
  const judged = spendings
    .map((one) => ({ one, by: excessOf(run, outcome, build, one) }))
    .filter(({ by }) => by === undefined || by === 'service');
  if (judged.length === 0) return null;
  return judged
    .filter(({ by }) => by === 'service')
    .map(({ one }) => ({
      pointer: build.call.at.call,
      expected: `a call that spends at most ${one.most} of ${one.token}`,
      actual: `one that spends ${spentIn(run, build, one)}`,
    }));
}

/** That more native coins leave the account than the amount, stated fees, and what others may come to. */
export function spentFarMore({ build, block }: Attempt, run: Run): Judgement {
  const coins = leavingOf(build).find(({ isNative }) => isNative);
  const unstated = mostUnstated(build, block?.baseFee);
  if (coins === undefined || unstated === undefined) return null;
  const spent = spentIn(run, build, coins);
  if (spent <= coins.most + unstated) return [];
  return [
    {
      pointer: build.call.at.value,
      expected: `at most ${coins.most} native coins, and fees that may come to ${unstated}`,
      actual: `${spent}, which are spent`,
    },
  ];
}

/** What two of one promise say together. */
export function both(one: Judgement, other: Judgement): Judgement {
  return one === null || other === null ? (one ?? other) : [...one, ...other];
}

/** What may leave the account; native coins only where nothing may be paid with them besides. */
export function judgedSpendings(build: SimulatedBuild): Spending[] {
  return leavingOf(build).filter(({ isNative }) => !isNative || !build.mayPayFees);
}
