import { isObject, listOf, member } from '../../../../wire/json.ts';
import type { Rule } from '../../../../judging/rule.ts';
import { exchangeRule } from '../../../../judging/rule.ts';
import { approvalRules } from './approval.ts';
import { assetRules } from './assets.ts';
import { callTargetRule } from './call-target.ts';
import { emptyPathRule } from './empty-path.ts';
import { knownNameRules } from './known-names.ts';
import { minReturnRules } from './min-return.ts';
import { nativeValueRules } from './native-value.ts';
import { pathEndRules } from './path-ends.ts';
import { pathFlowRules } from './path-flow.ts';
import { pathOrderRule } from './path-order.ts';
import { simulatedZapRules } from './simulated.ts';
import { stepGasRules } from './step-gas.ts';
import { usdRule } from './usd.ts';
import { zapValueRules } from './values.ts';
import {
  hasPools,
  hasRoute,
  hasSteps,
  documentedShape,
  wellFormedValues,
} from '../../shared/documented-shape.ts';
import { zapSomethingRule } from '../../shared/something-for-something.ts';
import { ROUTED } from '../../readings/zap-route.ts';

/** The rule on a member of amount entries that stands where it belongs, and nowhere else. */
function inPlace(
  id: string,
  facet: Pick<Rule, 'protects' | 'rulesOut'> & { readonly name: string },
  holds: (json: unknown) => boolean,
): Rule {
  return { ...wellFormedValues('zap', { ...facet, source: '§2.2' }, ROUTED, holds), id };
}

/** Whether a zap quote or build lists leftovers of some step. */
function hasDust(json: unknown): boolean {
  const path = listOf(member(member(json, 'data'), 'path'));
  return path.some((step) => listOf(member(step, 'dust')).length > 0);
}

export const zapResponseRules: readonly Rule[] = [
  documentedShape('zap.quote', '§2.2, §4.1'),
  documentedShape('zap.build-tx', '§2.2, §4.1'),
  wellFormedValues(
    'zap',
    {
      name: 'base-units',
      source: '§1, §2.2',
      protects: 'Amounts are strings of base units, exact at any size.',
    },
    ROUTED,
    hasRoute,
  ),
  wellFormedValues(
    'zap',
    { name: 'decimal', source: '§2.2', protects: 'USD values and prices are decimal strings.' },
    ROUTED,
    hasRoute,
  ),
  wellFormedValues(
    'zap',
    { name: 'url', source: '§2.2', protects: 'Icons and logos are URLs that a client can load.' },
    ROUTED,
    hasRoute,
  ),
  wellFormedValues(
    'zap',
    {
      name: 'address',
      source: '§2.2, §2.5',
      protects: 'Addresses of assets and pools, to approve and to call, are well-formed.',
    },
    [...ROUTED, 'zap.pools'],
    (json) => hasRoute(json) || hasPools(json),
  ),
  wellFormedValues(
    'zap',
    { name: 'hex', source: '§2.2', protects: 'Transaction ids and call data are hex strings.' },
    ['zap.build-tx'],
    hasSteps,
  ),
  // §2.2: each dust entry carries `dust: true`; `additionally` says that no other entry does.
  inPlace(
    'zap.path.dust-mark',
    {
      name: 'dust-mark',
      protects: 'Leftovers are marked as dust, and nothing else is.',
      rulesOut: 'A service that states leftovers without the mark: some step has leftovers.',
    },
    hasDust,
  ),
  inPlace(
    'zap.path.min-return-place',
    {
      name: 'min-return-place',
      protects: 'Only outputs and dust carry a guaranteed minimum.',
      rulesOut: 'A service that gives every entry a minReturn: the steps have inputs.',
    },
    hasRoute,
  ),
  ...minReturnRules,
  emptyPathRule,
  pathOrderRule,
  ...pathEndRules,
  zapSomethingRule,
  ...pathFlowRules,
  usdRule,
  ...assetRules,
  ...knownNameRules,
  ...approvalRules,
  ...nativeValueRules,
  callTargetRule,
  ...stepGasRules,
  ...zapValueRules,
  // §2.2: steps are present only in the buildTx response; §4.1 rule 1: a quote has none. A null
  // carries no step, so it is taken as absent.
  exchangeRule({
    id: 'zap.quote.no-steps',
    level: 'must',
    source: '§4.1',
    protects: 'A quote carries no executable steps.',
    rulesOut: 'A service that answers quotes as it answers builds, steps included.',
    api: 'zap',
    operations: ['zap.quote'],
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      const data = member(view.json, 'data');
      if (!isObject(data)) return null;
      if (data.steps === undefined || data.steps === null) return [];
      return [{ pointer: '/data/steps', expected: 'absent', actual: view.raw('/data/steps') }];
    },
  }),
  exchangeRule({
    id: 'zap.build-tx.steps-present',
    level: 'must',
    source: '§2.2',
    protects: 'A build carries the steps to execute.',
    rulesOut: 'A service that answers builds as it answers quotes, or with an empty list.',
    api: 'zap',
    operations: ['zap.build-tx'],
    answer: 'success',
    leastEvidence: 1,
    judge: (view) => {
      const data = member(view.json, 'data');
      if (!isObject(data)) return null;
      if (Array.isArray(data.steps) && data.steps.length > 0) return [];
      const expected = 'an array of executable steps, at least one';
      return [{ pointer: '/data/steps', expected, actual: view.raw('/data/steps') }];
    },
  }),
  ...simulatedZapRules,
];
