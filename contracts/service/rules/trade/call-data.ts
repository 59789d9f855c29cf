import { listOf, member } from '../../../wire/json.ts';
import type { Rule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { isEvmAddress } from '../../../wire/addresses.ts';
import { baseUnitsOf } from '../../../wire/amounts.ts';
import {
  answeredIn,
  BUILD,
  buildOf,
  evmTransactionOf,
  quantityOf,
} from '../readings/trade-build.ts';
import { callsOf } from '../shared/call-data.ts';
import type { Built } from '../shared/call-data-rules.ts';
import { callDataRules } from '../shared/call-data-rules.ts';

function builtTrade(view: View): Built | null {
  const build = buildOf(view);
  const transaction = evmTransactionOf(view.json);
  if (build === null || transaction === undefined) return null;
  // Of a batch the last entry is what is asked otherwise; what all spend together says nothing of one.
  const entries = listOf(build.request.data);
  const entry = entries.at(-1);
  const { sender, fromChain } = build.request;
  const recipient = member(entry, 'recipient');
  const amount = baseUnitsOf(member(entry, 'amount'));
  if (amount === undefined) return null;
  if (!isEvmAddress(recipient) || !isEvmAddress(sender)) return null;
  const { to, data, value } = transaction;
  const calls = callsOf([{ to, data, value: quantityOf(value) }]);
  if (calls === null) return null;
  return {
    calls,
    crosses: member(entry, 'toChain') !== fromChain,
    recipient,
    account: sender,
    amount,
    yields: answeredIn(build).flatMap(({ summary }) => [
      baseUnitsOf(summary.destAmount) ?? 0n,
      baseUnitsOf(summary.minDestAmount) ?? 0n,
    ]),
  };
}

// Section 2.3: an entry has the amount and the recipient; section 2.4: the transaction is what is sent to
// the chain. That it is from the sender has a rule of its own.
export const tradeCallDataRules: readonly Rule[] = callDataRules({
  api: 'trade',
  operations: BUILD,
  subject: 'trade.transaction',
  section: '§2.3, §2.4',
  what: 'A transaction',
  pointer: '/transaction/data',
  asker: 'sender',
  read: builtTrade,
});
