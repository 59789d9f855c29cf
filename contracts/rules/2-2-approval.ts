import { isObject } from '../json.ts';
import type { Broken, Judgement, Rule } from '../rule.ts';
import type { JsonObject } from '../json.ts';
import { addressKey, isEvmAddress } from '../wire/addresses.ts';
import { baseUnitsOf } from '../wire/amounts.ts';
import { onRoute } from './2-2-path-ends.ts';
import type { Asked } from './zap-route.ts';

/** A rule on the approval that an ERC20 source needs; of a native one, or on no EVM chain, none. */
function onApproval(
  id: string,
  protects: string,
  judge: (approval: JsonObject, asked: Asked) => Judgement,
): Rule {
  return onRoute(id, protects, ({ data: { approvalData }, steps }, asked) => {
    // Where nothing is done, nothing needs approval.
    if (steps.length === 0 || !isObject(approvalData)) return null;
    if (asked.fromNative || !isEvmAddress(asked.body.srcToken)) return null;
    return judge(approvalData, asked);
  });
}

function namesSource({ callTo }: JsonObject, { body: { srcToken } }: Asked): Judgement {
  if (!isEvmAddress(srcToken) || !isEvmAddress(callTo)) return null;
  if (addressKey(callTo) === addressKey(srcToken)) return [];
  const expected = `the token that is spent, ${srcToken}`;
  return [{ pointer: '/data/approvalData/callTo', expected, actual: callTo }];
}

// With permit data an approval may be needless.
function coversAmount({ amount }: JsonObject, asked: Asked): Judgement {
  const approved = baseUnitsOf(amount);
  if (approved === undefined || asked.amount === undefined) return null;
  if (asked.body.permit !== undefined) return null;
  if (approved >= asked.amount) return [];
  const expected = `at least the requested amount, ${asked.amount}`;
  return [{ pointer: '/data/approvalData/amount', expected, actual: String(approved) }];
}

// Nothing is gained by approving the token or nobody as its own spender.
function namesSpender({ approveTo }: JsonObject, { body: { srcToken } }: Asked): Judgement {
  if (!isEvmAddress(approveTo) || !isEvmAddress(srcToken)) return null;
  const broken = (what: string): Broken[] => [
    {
      pointer: '/data/approvalData/approveTo',
      expected: `a spender, which ${what} is not`,
      actual: approveTo,
    },
  ];
  if (/^0x0{40}$/.test(approveTo)) return broken('the zero address');
  return addressKey(approveTo) === addressKey(srcToken) ? broken('the token itself') : [];
}

export const approvalRules: readonly Rule[] = [
  onApproval(
    'zap.approval.names-source',
    'The approval is called on the token that is spent.',
    namesSource,
  ),
  onApproval(
    'zap.approval.names-spender',
    'The approval is for a contract that can spend it.',
    namesSpender,
  ),
  onApproval(
    'zap.approval.covers-amount',
    'The approval is for no less than what is spent.',
    coversAmount,
  ),
];
