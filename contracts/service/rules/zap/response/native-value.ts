import { listOf, member } from '../../../../wire/json.ts';
import type { Judgement, Rule } from '../../../../judging/rule.ts';
import { exchangeRule } from '../../../../judging/rule.ts';
import type { View } from '../../../../judging/view.ts';
import { isEvmAddress } from '../../../../wire/addresses.ts';
import { baseUnitsOf } from '../../../../wire/amounts.ts';
import { mayBeNative } from '../../shared/native-alias.ts';
import { spendsOther } from './path-flow.ts';
import { routeOf } from '../../readings/zap-route.ts';

/** What steps send of the native token; undefined if there is none, or it cannot be read. */
function sentBy(steps: readonly unknown[]): bigint | undefined {
  if (steps.length === 0) return undefined;
  let sent = 0n;
  for (const step of steps) {
    const value = baseUnitsOf(member(member(step, 'data'), 'value'));
    if (value === undefined) return undefined;
    sent += value;
  }
  return sent;
}

// Section 1, convention 3: what stands under the native token's address is sent as the value, in one
// step or over several. More may be sent, to pay a bridge.
function carriesNative(view: View): Judgement {
  const route = routeOf(view);
  if (route?.asked?.isPlain !== true) return null;
  const { fromNative, amount } = route.asked;
  const sent = sentBy(listOf(route.data.steps));
  if (!fromNative || amount === undefined || sent === undefined) return null;
  // With a slippage of 0, what it leaves of the amount is as much.
  if (sent >= amount) return route.asked.slippage === 0 ? null : [];
  if (spendsOther(route, route.asked)) return null;
  const expected = `at least ${amount}, the native amount of the request, over all steps`;
  return [{ pointer: '/data/steps', expected, actual: String(sent) }];
}

/** Fewer base units could be what a bridge is paid, by chance. */
const SMALLEST_JUDGED = 1_000n;

// Section 2.2: the value is the native token that is sent. A bridge may be paid in it, but hardly as many
// base units as were asked for of another token.
function carriesNoToken(view: View): Judgement {
  const route = routeOf(view);
  if (route?.asked?.isPlain !== true) return null;
  const { amount, body } = route.asked;
  const sent = sentBy(listOf(route.data.steps));
  const { srcToken } = body;
  if (!isEvmAddress(srcToken) || mayBeNative(srcToken) || sent === undefined) return null;
  if (amount === undefined || amount < SMALLEST_JUDGED) return null;
  if (sent !== amount) return [];
  const expected = `the native token that is spent, not the ${amount} of ${srcToken}`;
  return [{ pointer: '/data/steps', expected, actual: String(sent) }];
}

const base = {
  level: 'must',
  api: 'zap',
  operations: ['zap.build-tx'],
  answer: 'success',
  leastEvidence: 1,
} as const;

const carryNative: Rule = exchangeRule({
  ...base,
  id: 'zap.steps.carry-native',
  source: 'implied by §1, §2.1, §2.2 (transaction fails)',
  protects: 'Steps that spend the native token carry the amount as their value.',
  rulesOut:
    'A service whose transaction carries no value, or what slippage leaves of it: the request spends the native token, with a slippage.',
  judge: carriesNative,
});

const carryNoToken: Rule = exchangeRule({
  ...base,
  id: 'zap.steps.carry-no-token-as-native',
  source: 'implied by §1, §2.1, §2.2 (loses money)',
  protects: 'Steps that spend a token do not send as much of the native token with it.',
  rulesOut: 'A service that writes the amount as the value, whatever is spent: a token is.',
  judge: carriesNoToken,
});

/** Rules on the native token that the steps of a build send. */
export const nativeValueRules: readonly Rule[] = [carryNative, carryNoToken];
