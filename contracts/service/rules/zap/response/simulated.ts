import type { Rule } from '../../../../judging/rule.ts';
import type { View } from '../../../../judging/view.ts';
import { addressKey, isEvmAddress, NATIVE_TOKEN } from '../../../../wire/addresses.ts';
import { baseUnitsOf, MAX_UINT256 } from '../../../../wire/amounts.ts';
import { listOf, member } from '../../../../wire/json.ts';
import { isHexData } from '../../../../document/hex.ts';
import type { Entry } from '../../readings/zap-entry.ts';
import {
  assetKey,
  isNativeAddress,
  isPosition,
  pointerTo,
  sumOf,
} from '../../readings/zap-entry.ts';
import type { Asked, Route } from '../../readings/zap-route.ts';
import { routeOf } from '../../readings/zap-route.ts';
import type {
  BuiltCall,
  Delivery,
  Leftover,
  SimulatedBuild,
  Spending,
} from '../../simulated/build.ts';
import { PERMIT2 } from '../../simulated/plan.ts';
import { simulatedRules } from '../../simulated/simulated-rules.ts';

const STEP = '/data/steps/0/data';

/** The one transaction of a build; of several it is not said which depends on which. */
function callIn(steps: unknown, isEstimated: boolean): BuiltCall | undefined {
  const [step, ...others] = listOf(steps);
  const data = member(step, 'data');
  const [to, callData] = [member(data, 'callTo'), member(data, 'callData')];
  const value = baseUnitsOf(member(data, 'value'));
  if (others.length > 0 || !isEvmAddress(to) || value === undefined) return undefined;
  if (typeof callData !== 'string' || !isHexData(callData)) return undefined;
  const gas = baseUnitsOf(member(data, 'estimatedGas'));
  return {
    ...{ to: addressKey(to), data: callData.toLowerCase(), value },
    // 0 is said where nothing was estimated; any other figure may be a rough one.
    gas: gas === 0n || !isEstimated ? undefined : gas,
    at: {
      call: `${STEP}/callData`,
      value: `${STEP}/value`,
      gas: `${STEP}/estimatedGas`,
      spender: '/data/approvalData/approveTo',
    },
  };
}

/** What a build of a zap is to do; null where it cannot be simulated. */
export function simulatedZap(view: View): SimulatedBuild | null {
  const route = routeOf(view);
  const asked = route?.asked;
  if (route === null || asked?.amount === undefined || !asked.isPlain) return null;
  const { srcToken, srcChainId, destChainId, account, recipient, permit } = asked.body;
  const call = callIn(route.data.steps, asked.body.estimateGas === true);
  const spender = member(route.data.approvalData, 'approveTo');
  if (![srcToken, account, spender].every(isEvmAddress) || call === undefined) return null;
  if (addressKey(spender as string) === PERMIT2) return null;
  if (typeof srcChainId !== 'number' || permit !== undefined) return null;
  const deliveries =
    srcChainId === destChainId && isEvmAddress(recipient) ? deliveriesIn(view, recipient) : [];
  const fees = route.steps.flatMap(({ fee }) => fee);
  const ofCoins = sumOf(fees, assetKey(srcChainId, NATIVE_TOKEN) ?? '');
  return {
    chainId: srcChainId,
    account: addressKey(account as string),
    spendings: [spendingOf(route, asked, fees)],
    statedCoins: ofCoins ?? 0n,
    spender: addressKey(spender as string),
    call,
    deliveries,
    leftovers: deliveries.length === 0 ? [] : leftoversIn(route, asked),
    mayPayFees: srcChainId !== destChainId || ofCoins === undefined,
  };
}

/**
 * Whether fees come out of the amount or on top of it is open: they may be on top as far as they are stated, and,
 * of tokens, as far as the answer says to approve more.
 */
function spendingOf(
  route: Route,
  { body, sourceKey, amount = 0n }: Asked,
  fees: Entry[],
): Spending {
  const token = addressKey(body.srcToken as string);
  const withFees = amount + (sumOf(fees, sourceKey ?? '') ?? 0n);
  if (isNativeAddress(token))
    return { token, isNative: true, amount, most: withFees, approved: 0n };
  const stated = baseUnitsOf(member(route.data.approvalData, 'amount')) ?? amount;
  const approved = least(stated > amount ? stated : amount, MAX_UINT256);
  const most = withFees < TOO_MUCH ? least(approved, withFees) : amount;
  return { token, isNative: false, amount, most, approved };
}

/** Nobody holds as many units. */
const TOO_MUCH = 1n << 200n;
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Longer routes leave room for orders and locks; the unit is not documented, and seconds are usual. */
const SOON_SECONDS = 60;

/** Whether steps leave room for something to arrive by a later transaction, by the durations that they state. */
function comesLater(steps: readonly unknown[]): Delivery['mayComeLater'] {
  let seconds = 0;
  for (const step of steps) {
    const duration = member(step, 'estimatedDuration');
    if (typeof duration !== 'number' || !(duration >= 0)) return 'if nobody got it';
    seconds += duration;
  }
  if (seconds >= SOON_SECONDS) return true;
  return seconds === 0 ? false : 'if ordered';
}

/** None where the answer does not say what arrives. */
function deliveriesIn(view: View, recipient: string): Delivery[] {
  const route = routeOf(view);
  const last = route?.steps.at(-1)?.output ?? [];
  const outputs = last.filter(({ key }) => key === route?.asked?.destKey);
  const [first] = outputs;
  const quoted = baseUnitsOf(route?.data.amountOut);
  const token = first?.asset?.address;
  if (first === undefined || quoted === undefined || !isEvmAddress(token)) return [];
  let guaranteed = 0n;
  for (const { minReturn } of outputs) {
    if (minReturn === undefined) return [];
    guaranteed += minReturn;
  }
  const ofPositions = outputs.some(isPosition);
  const amounts = ofPositions ? { quoted: 1n, least: 1n } : { quoted, least: guaranteed };
  return [
    {
      recipient: addressKey(recipient),
      token: addressKey(token),
      isNative: isNativeAddress(token),
      isPosition: ofPositions,
      mayComeLater: comesLater(listOf(route?.data.path)),
      ...amounts,
      quotedAt: '/data/amountOut',
      leastAt: pointerTo(first, 'minReturn'),
    },
  ];
}

/** So small a part of what steps take of a token is not worth to be sent. */
const WORTH_SENDING = 10_000n;

/** Dust that is guaranteed, each token once; none that a later step takes, or that is on another chain. */
function leftoversIn({ steps, entries }: Route, { body, sourceKey, amount }: Asked): Leftover[] {
  const all = steps.flatMap(({ dust }) => dust);
  return [...new Set(all.map(({ key }) => key))].flatMap((key): Leftover[] => {
    const [first, ...others] = all.filter((one) => one.key === key);
    const token = first?.asset?.address;
    if (key === undefined || first === undefined || !isEvmAddress(token)) return [];
    const isTaken = steps.some(
      ({ index, input }) => index > first.step && input.some((one) => one.key === key),
    );
    if (first.asset?.chainId !== body.srcChainId || isTaken || isPosition(first)) return [];
    const guaranteed = [first, ...others].reduce((sum, one) => sum + (one.minReturn ?? 0n), 0n);
    const inputs = entries.filter(({ list }) => list === 'input');
    const whole = key === sourceKey ? amount : sumOf(inputs, key);
    if (guaranteed >= TOO_MUCH || guaranteed * WORTH_SENDING <= (whole ?? 0n)) return [];
    return [
      {
        ...{ token: addressKey(token), isNative: isNativeAddress(token), least: guaranteed },
        leastAt: pointerTo(first, 'minReturn'),
      },
    ];
  });
}

// Section 2.2: the steps of a build are there to be executed, the spender is to be approved, and an output
// is at least its minReturn, and so is dust; section 2.1 says who spends how much, and who gets what comes of it.
export const simulatedZapRules: readonly Rule[] = simulatedRules({
  api: 'zap',
  operations: ['zap.build-tx'],
  section: '§2.1, §2.2',
  what: 'A zap',
  read: simulatedZap,
});
