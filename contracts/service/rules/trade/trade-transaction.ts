import { listOf, member } from '../../../wire/json.ts';
import type { Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { addressKey, isEvmAddress, NATIVE_TOKEN } from '../../../wire/addresses.ts';
import { baseUnitsOf } from '../../../wire/amounts.ts';
import { wellFormedValues } from '../shared/documented-shape.ts';
import { simulatedTradeRules } from './simulated.ts';
import { judgeTarget } from '../shared/call-target.ts';
import { intrinsicGas } from '../shared/gas.ts';
import { mayBeNative } from '../shared/native-alias.ts';
import { BUILD, evmTransactionOf, quantityOf } from '../readings/trade-build.ts';

/** The native tokens that a request sends; undefined when it sends none or an amount is unreadable. */
function nativeSent(request: unknown): bigint | undefined {
  const native = addressKey(NATIVE_TOKEN);
  let sent: bigint | undefined;
  for (const entry of listOf(member(request, 'data'))) {
    const srcToken = member(entry, 'srcToken');
    if (typeof srcToken !== 'string' || addressKey(srcToken) !== native) continue;
    const amount = baseUnitsOf(member(entry, 'amount'));
    if (amount === undefined) return undefined;
    sent = (sent ?? 0n) + amount;
  }
  return sent;
}

/** Fewer base units could be what a bridge is paid, by chance. */
const SMALLEST_JUDGED = 1_000n;

/** What a request spends of tokens alone; undefined if it spends the native one, or too little to judge. */
function tokensSent(request: unknown): bigint | undefined {
  let sent = 0n;
  for (const entry of listOf(member(request, 'data'))) {
    const amount = baseUnitsOf(member(entry, 'amount'));
    const srcToken = member(entry, 'srcToken');
    if (amount === undefined || !isEvmAddress(srcToken) || mayBeNative(srcToken)) return undefined;
    sent += amount;
  }
  return sent < SMALLEST_JUDGED ? undefined : sent;
}

/** Whether the sender is the refundee too, or a recipient, for whom it could be mistaken. */
function isNamedTwice({ requestJson }: View, sender: string): boolean {
  const recipients = listOf(member(requestJson, 'data')).map((entry) => member(entry, 'recipient'));
  const others = [member(requestJson, 'refundee'), ...recipients];
  return others.some((other) => isEvmAddress(other) && addressKey(other) === addressKey(sender));
}

const base = {
  level: 'must',
  api: 'trade',
  operations: BUILD,
  answer: 'success',
  leastEvidence: 1,
} as const;

/** Rules on the EVM payload of builds that are not gasless; of the others nothing is shown. */
export const transactionRules: readonly Rule[] = [
  {
    ...wellFormedValues(
      'trade',
      {
        name: 'evm-payload',
        source: '§2.4, §4.2',
        protects: 'A transaction that is not gasless has all five fields that are sent to a chain.',
      },
      BUILD,
      (json) => evmTransactionOf(json) !== undefined,
    ),
    id: 'trade.transaction.evm-fields',
    rulesOut: 'A service that leaves value or gasLimit out if they are zero.',
  },
  // §2.3: the sender is the wallet that sends the transaction.
  exchangeRule({
    ...base,
    id: 'trade.transaction.from-sender',
    source: 'implied by §2.3, §2.4 (transaction fails)',
    rulesOut: 'A service that writes the refundee, the recipient or its own router as the sender.',
    protects: 'The transaction is from the wallet that the request names as its sender.',
    judge: (view) => {
      const from = evmTransactionOf(view.json)?.from;
      const sender = member(view.requestJson, 'sender');
      if (!isEvmAddress(from) || !isEvmAddress(sender)) return null;
      if (addressKey(from) === addressKey(sender)) return isNamedTwice(view, sender) ? null : [];
      const expected = `${sender}, the sender of the request`;
      return [{ pointer: '/transaction/from', expected, actual: from }];
    },
  }),
  // §2.4: an EVM payload. A chain refuses one with less gas than its bytes alone take. Without an
  // estimation, or with 0 for none, nothing is reported.
  exchangeRule({
    ...base,
    id: 'trade.transaction.gas-limit-suffices',
    source: 'implied by §2.4 (transaction fails)',
    rulesOut: 'A service that states the gas of a plain transfer for a call with data.',
    protects: 'The gas limit is not below what the transaction takes before it does anything.',
    judge: (view) => {
      const transaction = evmTransactionOf(view.json);
      if (transaction === undefined || member(view.requestJson, 'disableEstimation') === true) {
        return null;
      }
      const [gas, least] = [quantityOf(transaction.gasLimit), intrinsicGas(transaction.data)];
      if (gas === undefined || least === undefined || gas === 0n) return null;
      if (gas >= least) return [];
      const expected = `at least ${least}, the intrinsic gas of its data`;
      return [{ pointer: '/transaction/gasLimit', expected, actual: String(gas) }];
    },
  }),
  // §1, convention 3: what stands under the native token's address is sent as the value. More may be
  // sent, to pay a bridge.
  exchangeRule({
    ...base,
    id: 'trade.transaction.carries-native',
    source: 'implied by §1, §2.3, §2.4 (transaction fails)',
    rulesOut: 'A service that sends no value, or that of the first entry, with the native token.',
    protects: 'A transaction that spends the native token carries the amount as its value.',
    judge: (view) => {
      const value = quantityOf(evmTransactionOf(view.json)?.value);
      if (value === undefined) return null;
      const sent = nativeSent(view.requestJson);
      if (sent === undefined || sent === 0n) return null;
      if (value >= sent) return [];
      const expected = `at least ${sent}, the native amount of the request`;
      return [{ pointer: '/transaction/value', expected, actual: String(value) }];
    },
  }),
  // A bridge may be paid in the native token, but hardly as many base units as were asked for of another.
  exchangeRule({
    ...base,
    id: 'trade.transaction.carries-no-token-as-native',
    source: 'implied by §1, §2.3, §2.4 (loses money)',
    rulesOut: 'A service that writes the amount as the value, whatever is spent: tokens are.',
    protects:
      'A transaction that spends tokens does not send as much of the native token with them.',
    judge: (view) => {
      const value = quantityOf(evmTransactionOf(view.json)?.value);
      const sent = tokensSent(view.requestJson);
      if (value === undefined || sent === undefined) return null;
      if (value !== sent) return [];
      const expected = `the native token that is spent, not the ${sent} of other tokens`;
      return [{ pointer: '/transaction/value', expected, actual: String(value) }];
    },
  }),
  exchangeRule({
    ...base,
    id: 'trade.transaction.calls-a-contract',
    source: 'implied by §2.4 (loses money)',
    rulesOut: 'A service that leaves what is called at zero.',
    protects: 'No transaction is sent, with its value, to the zero address.',
    judge: (view) => judgeTarget(evmTransactionOf(view.json)?.to, '/transaction/to'),
  }),
  ...simulatedTradeRules,
];
