import { isObject, listOf, member } from '../json.ts';
import type { Broken, Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';
import { baseUnitsOf } from '../wire/amounts.ts';
import { hasPools, hasRoute, hasSteps, responseShape, wellFormedValues } from './response-shape.ts';

const ROUTED: readonly string[] = ['zap.quote', 'zap.build-tx'];

// Card: on output and dust entries minReturn is at most amount. What is not a string of base units
// is the business of the rule on such values.
function minReturnAboveAmount(path: unknown): Broken[] {
  const broken: Broken[] = [];
  for (const [index, step] of listOf(path).entries()) {
    for (const list of ['output', 'dust']) {
      for (const [position, entry] of listOf(member(step, list)).entries()) {
        const minReturn = baseUnitsOf(member(entry, 'minReturn'));
        const amount = baseUnitsOf(member(entry, 'amount'));
        if (minReturn === undefined || amount === undefined || minReturn <= amount) continue;
        broken.push({
          pointer: `/data/path/${index}/${list}/${position}/minReturn`,
          expected: `at most the amount beside it, ${amount}`,
          actual: String(minReturn),
        });
      }
    }
  }
  return broken;
}

function hasMinReturn(path: unknown): boolean {
  return listOf(path).some((step) =>
    ['output', 'dust'].some((list) =>
      listOf(member(step, list)).some((entry) => member(entry, 'minReturn') !== undefined),
    ),
  );
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
  exchangeRule({
    id: 'zap.path.min-return-within-amount',
    level: 'must',
    source: 'card',
    protects: 'The guaranteed minimum of an output or dust entry is not above its amount.',
    api: 'zap',
    operations: ROUTED,
    answer: 'success',
    leastEvidence: 1,
    judge: ({ json }) => {
      const path = member(member(json, 'data'), 'path');
      return hasMinReturn(path) ? minReturnAboveAmount(path) : null;
    },
  }),
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
