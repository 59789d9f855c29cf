import { isObject } from '../../../../wire/json.ts';
import type { Broken, Judgement, Rule } from '../../../../judging/rule.ts';
import type { JsonObject } from '../../../../wire/json.ts';
import { addressKey, isEvmAddress, isZeroAddress } from '../../../../wire/addresses.ts';
import { baseUnitsOf } from '../../../../wire/amounts.ts';
import { spendsOther } from './path-flow.ts';
import type { Asked, Route } from '../../readings/zap-route.ts';
import type { RouteRule } from './zap-rule.ts';
import { onRoute } from './zap-rule.ts';

/** A rule on the approval that an ERC20 source needs; of a native one, or on no EVM chain, none. */
function onApproval(
  rule: Pick<RouteRule, 'id' | 'protects' | 'rulesOut'> & {
    readonly judge: (approval: JsonObject, asked: Asked, route: Route) => Judgement;
  },
): Rule {
  const { id, protects, rulesOut } = rule;
  const judge = (route: Route, asked: Asked): Judgement => {
    const { approvalData } = route.data;
    // If nothing is done, nothing needs approval.
    if (route.steps.length === 0 || !isObject(approvalData)) return null;
    if (asked.fromNative || !isEvmAddress(asked.body.srcToken)) return null;
    return rule.judge(approvalData, asked, route);
  };
  return onRoute({ id, protects, rulesOut, harm: 'transaction fails', inAnyOrder: true, judge });
}

function namesSource({ callTo }: JsonObject, { body: { srcToken } }: Asked): Judgement {
  if (!isEvmAddress(srcToken) || !isEvmAddress(callTo)) return null;
  if (addressKey(callTo) === addressKey(srcToken)) return [];
  const expected = `the token that is spent, ${srcToken}`;
  return [{ pointer: '/data/approvalData/callTo', expected, actual: callTo }];
}

// With permit data an approval may be needless.
function coversAmount({ amount }: JsonObject, asked: Asked, route: Route): Judgement {
  const approved = baseUnitsOf(amount);
  if (approved === undefined || asked.amount === undefined) return null;
  if (asked.body.permit !== undefined) return null;
  // With a slippage of 0, what a route guarantees is as much.
  if (approved >= asked.amount) return asked.slippage === 0 ? null : [];
  if (spendsOther(route, asked)) return null;
  const expected = `at least the requested amount, ${asked.amount}`;
  return [{ pointer: '/data/approvalData/amount', expected, actual: String(approved) }];
}

// Nothing is gained by approving the token, nobody, or whoever holds it.
function namesSpender({ approveTo }: JsonObject, { body }: Asked): Judgement {
  const { srcToken, account } = body;
  if (!isEvmAddress(approveTo) || !isEvmAddress(srcToken)) return null;
  const broken = (what: string): Broken[] => [
    {
      pointer: '/data/approvalData/approveTo',
      expected: `a spender, which ${what} is not`,
      actual: approveTo,
    },
  ];
  if (isZeroAddress(approveTo)) return broken('the zero address');
  if (addressKey(approveTo) === addressKey(srcToken)) return broken('the token itself');
  const isOwn = isEvmAddress(account) && addressKey(approveTo) === addressKey(account);
  return isOwn ? broken('the account that spends') : [];
}

export const approvalRules: readonly Rule[] = [
  onApproval({
    id: 'zap.approval.names-source',
    protects: 'The approval is called on the token that is spent.',
    rulesOut:
      'A service that has the destination, or the token that is bridged, approved: the request names the token that is spent.',
    judge: namesSource,
  }),
  onApproval({
    id: 'zap.approval.names-spender',
    protects: 'The approval is for a contract that can spend it.',
    rulesOut:
      'A service that leaves the spender at zero, or names the token itself or the account.',
    judge: namesSpender,
  }),
  onApproval({
    id: 'zap.approval.covers-amount',
    protects: 'The approval is for no less than what is spent.',
    rulesOut:
      'A service that approves what slippage leaves of the amount, or what a later step takes: the request has a slippage, and an amount to hold the approval to.',
    judge: coversAmount,
  }),
];
