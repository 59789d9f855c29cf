import { isObject, member } from '../json.ts';
import type { Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';
import { approvalRules } from './2-2-approval.ts';
import { assetRules } from './2-2-assets.ts';
import { emptyPathRule } from './2-2-empty-path.ts';
import { knownNameRules } from './2-2-known-names.ts';
import { minReturnRules } from './2-2-min-return.ts';
import { nativeValueRule } from './2-2-native-value.ts';
import { pathEndRules } from './2-2-path-ends.ts';
import { usdRule } from './2-2-usd.ts';
import { hasPools, hasRoute, hasSteps, responseShape, wellFormedValues } from './response-shape.ts';
import { ROUTED } from './zap-route.ts';

/** The rule on a member of amount entries that stands where it belongs, and nowhere else. */
function inPlace(id: string, facet: string, protects: string): Rule {
  const rule = wellFormedValues('zap', { name: facet, source: '§2.2', protects }, ROUTED, hasRoute);
  return { ...rule, id };
}

export const zapResponseRules: readonly Rule[] = [
  responseShape('zap.quote', '§2.2, §4.1'),
  responseShape('zap.build-tx', '§2.2, §4.1'),
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
  inPlace('zap.path.dust-mark', 'dust-mark', 'Leftovers are marked as dust, and nothing else is.'),
  inPlace(
    'zap.path.min-return-place',
    'min-return-place',
    'Only outputs and dust carry a guaranteed minimum.',
  ),
  ...minReturnRules,
  emptyPathRule,
  ...pathEndRules,
  usdRule,
  ...assetRules,
  ...knownNameRules,
  ...approvalRules,
  nativeValueRule,
  // §2.2: steps are present only in the buildTx response; §4.1 rule 1: a quote has none. A null
  // carries no step, so it is taken as absent.
  exchangeRule({
    id: 'zap.quote.no-steps',
    level: 'must',
    source: '§4.1',
    protects: 'A quote carries no executable steps.',
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
];
