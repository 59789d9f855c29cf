import { listOf, member } from '../../../wire/json.ts';
import type { Judgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { baseUnitsOf } from '../../../wire/amounts.ts';
import { spendsOther } from './2-2-path-flow.ts';
import { routeOf } from '../readings/zap-route.ts';

// Section 1, convention 3: what stands under the native token's address is sent as the value, in one
// step or over several. More may be sent, to pay a bridge.
function carriesNative(view: View): Judgement {
  const route = routeOf(view);
  if (route?.asked?.isPlain !== true) return null;
  const { fromNative, amount } = route.asked;
  const steps = listOf(route.data.steps);
  if (!fromNative || amount === undefined || steps.length === 0) return null;
  let sent = 0n;
  for (const step of steps) {
    const value = baseUnitsOf(member(member(step, 'data'), 'value'));
    if (value === undefined) return null;
    sent += value;
  }
  // With a slippage of 0, what it leaves of the amount is as much.
  if (sent >= amount) return route.asked.slippage === 0 ? null : [];
  if (spendsOther(route, route.asked)) return null;
  const expected = `at least ${amount}, the native amount of the request, over all steps`;
  return [{ pointer: '/data/steps', expected, actual: String(sent) }];
}

export const nativeValueRule: Rule = exchangeRule({
  id: 'zap.steps.carry-native',
  level: 'must',
  source: 'implied by §1, §2.1, §2.2 (transaction fails)',
  protects: 'Steps that spend the native token carry the amount as their value.',
  rulesOut:
    'A service whose transaction carries no value, or what slippage leaves of it: the request spends the native token, with a slippage.',
  api: 'zap',
  operations: ['zap.build-tx'],
  answer: 'success',
  leastEvidence: 1,
  judge: carriesNative,
});
