import type { Rule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { addressKey, isEvmAddress } from '../../../wire/addresses.ts';
import { baseUnitsOf } from '../../../wire/amounts.ts';
import { isHexData } from '../../../document/hex.ts';
import type { JsonObject } from '../../../wire/json.ts';
import type { Answered } from '../readings/trade-build.ts';
import {
  answeredIn,
  BUILD,
  buildOf,
  evmTransactionOf,
  quantityOf,
} from '../readings/trade-build.ts';
import { isNativeAddress } from '../readings/zap-entry.ts';
import type { BuiltCall, Delivery, SimulatedBuild, Spending } from '../simulated/build.ts';
import { addedUp } from '../simulated/build.ts';
import { simulatedRules } from '../simulated/simulated-rules.ts';

function callOf(
  { to, data, value, gasLimit }: JsonObject,
  { isEstimated }: { readonly isEstimated: boolean },
): BuiltCall | undefined {
  const sent = quantityOf(value);
  if (!isEvmAddress(to) || sent === undefined) return undefined;
  if (typeof data !== 'string' || !isHexData(data)) return undefined;
  const gas = quantityOf(gasLimit);
  const at = '/transaction';
  return {
    ...{ to: addressKey(to), data: data.toLowerCase(), value: sent },
    gas: gas === 0n || !isEstimated ? undefined : gas,
    at: { call: `${at}/data`, value: `${at}/value`, gas: `${at}/gasLimit`, spender: `${at}/to` },
  };
}

function spendingOf({ entry }: Answered): Spending | undefined {
  const { srcToken } = entry;
  const amount = baseUnitsOf(entry.amount);
  if (!isEvmAddress(srcToken) || amount === undefined) return undefined;
  const isNative = isNativeAddress(srcToken);
  const approved = isNative ? 0n : amount;
  return { token: addressKey(srcToken), isNative, amount, most: amount, approved };
}

function deliveryOf({ entry, summary, pointer }: Answered): Delivery | undefined {
  const { recipient, destToken } = entry;
  const [quoted, least] = [baseUnitsOf(summary.destAmount), baseUnitsOf(summary.minDestAmount)];
  if (!isEvmAddress(recipient) || !isEvmAddress(destToken)) return undefined;
  if (quoted === undefined || least === undefined) return undefined;
  return {
    recipient: addressKey(recipient),
    token: addressKey(destToken),
    isNative: isNativeAddress(destToken),
    isPosition: false,
    // No field of a trade says how long it takes; solvers fill orders in transactions of their own.
    mayComeLater: 'if nobody got it',
    ...{ quoted, least, quotedAt: `${pointer}/destAmount`, leastAt: `${pointer}/minDestAmount` },
  };
}

const isKnown = <T>(value: T | undefined): value is T => value !== undefined;

const MOST_VALUES = 1_000;

/**
 * Whether an answer states native coins beside the amounts as fees. No field of a trade is there for it, so it may be
 * any member that is named as a fee, or what those come to together.
 */
function isStatedFee(answer: unknown, coins: bigint): boolean {
  if (coins <= 0n) return false;
  const fees: bigint[] = [];
  const open: { readonly value: unknown; readonly isFee: boolean }[] = [
    { value: answer, isFee: false },
  ];
  for (let at = 0; at < open.length && at < MOST_VALUES; at += 1) {
    const { value, isFee } = open[at] ?? { value: undefined, isFee: false };
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value))
        if (name !== 'transaction') open.push({ value: inner, isFee: isFee || /fee/i.test(name) });
    } else if (isFee) {
      const amount = quantityOf(typeof value === 'number' ? String(value) : value);
      if (amount !== undefined) fees.push(amount);
    }
  }
  return fees.includes(coins) || fees.reduce((sum, fee) => sum + fee, 0n) === coins;
}

/** What a build of trades is to do, its entries added up; null where it cannot be simulated. */
export function simulatedTrade(view: View): SimulatedBuild | null {
  const build = buildOf(view);
  const { fromChain, sender, data, disableEstimation } = build?.request ?? {};
  const transaction = evmTransactionOf(view.json);
  const call = transaction && callOf(transaction, { isEstimated: disableEstimation !== true });
  if (build === null || call === undefined || !isEvmAddress(sender)) return null;
  const answered = answeredIn(build);
  if (typeof fromChain !== 'number' || !Array.isArray(data) || answered.length !== data.length)
    return null;
  const here = answered.filter(({ entry }) => entry.toChain === fromChain);
  const spendings = answered.map(spendingOf);
  const deliveries = here.map(deliveryOf);
  if (!spendings.every(isKnown) || !deliveries.every(isKnown)) return null;
  const ofCoins = spendings.reduce(
    (sum, { isNative, amount }) => sum + (isNative ? amount : 0n),
    0n,
  );
  const beside = call.value - ofCoins;
  const statedCoins = isStatedFee(view.json, beside) ? beside : 0n;
  return {
    chainId: fromChain,
    statedCoins,
    account: addressKey(sender),
    spendings: addedUp(
      spendings,
      ({ token }) => token,
      (one, other) => ({
        ...one,
        amount: one.amount + other.amount,
        most: one.most + other.most,
        approved: one.approved + other.approved,
      }),
    ).map((one) => (one.isNative ? { ...one, most: one.amount + statedCoins } : one)),
    // No field of a trade names one.
    spender: undefined,
    call,
    deliveries: addedUp(
      deliveries,
      ({ recipient, token }) => `${recipient} ${token}`,
      (one, other) => ({
        ...one,
        quoted: one.quoted + other.quoted,
        least: one.least + other.least,
      }),
    ),
    // No field of a trade states any.
    leftovers: [],
    mayPayFees: here.length < answered.length,
  };
}

// Section 2.4: the transaction is to be executed by its sender, and a summary says how much arrives at
// least; section 2.3 says who spends how much, and who gets what comes of it.
export const simulatedTradeRules: readonly Rule[] = simulatedRules(
  {
    api: 'trade',
    operations: BUILD,
    section: '§2.3, §2.4',
    what: 'A trade',
    read: simulatedTrade,
  },
  ['spender-is-approved'],
);
