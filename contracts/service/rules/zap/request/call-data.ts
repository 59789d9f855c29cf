import { listOf, member } from '../../../../wire/json.ts';
import type { Rule } from '../../../../judging/rule.ts';
import type { View } from '../../../../judging/view.ts';
import { isEvmAddress } from '../../../../wire/addresses.ts';
import { baseUnitsOf } from '../../../../wire/amounts.ts';
import { callsOf } from '../../shared/call-data.ts';
import type { Built } from '../../shared/call-data-rules.ts';
import { callDataRules } from '../../shared/call-data-rules.ts';
import { routeOf } from '../../readings/zap-route.ts';

function builtZap(view: View): Built | null {
  const route = routeOf(view);
  if (route?.asked?.isPlain !== true || route.asked.amount === undefined) return null;
  const { amount, body } = route.asked;
  const { recipient, account } = body;
  if (![recipient, account].every(isEvmAddress)) return null;
  const calls = callsOf(
    listOf(route.data.steps).map((step) => {
      const data = member(step, 'data');
      const value = baseUnitsOf(member(data, 'value'));
      return { to: member(data, 'callTo'), data: member(data, 'callData'), value };
    }),
  );
  if (calls === null) return null;
  const outputs = route.steps.flatMap(({ output }) => output);
  return {
    calls,
    crosses: body.srcChainId !== body.destChainId,
    recipient: String(recipient),
    account: String(account),
    amount,
    yields: outputs.flatMap((entry) => [entry.amount ?? 0n, entry.minReturn ?? 0n]),
  };
}

// Section 2.1: the recipient receives the resulting tokens, and the amount is what is swapped. Section
// 2.2: the steps are executable, so what is not in them does not happen. That a step depends on the
// account, who sends it, is not said: the chain knows the sender of a transaction.
export const zapCallDataRules: readonly Rule[] = callDataRules({
  api: 'zap',
  operations: ['zap.build-tx'],
  subject: 'zap.steps',
  section: '§2.1, §2.2',
  what: 'A zap that is built',
  pointer: '/data/steps/0/data/callData',
  asker: 'account',
  read: builtZap,
});
