import { expect, test } from 'vitest';
import { exchangeRule, type ExchangeRule, type Rule } from '../../contracts/judging/rule.ts';
import type { Stage } from '../driven-service.ts';
import { partsNeededBy } from './needed-stages.ts';

function rule(differing: Partial<ExchangeRule>): Rule {
  return exchangeRule({
    ...{ id: 'zap.test', level: 'must', source: 'card', protects: 'Nothing.', api: 'zap' },
    ...{ operations: '*', answer: 'success', leastEvidence: 1, judge: () => [], ...differing },
  });
}

const run = (): Promise<void> => Promise.resolve();
const STAGES: readonly Stage[] = [
  { name: 'lists', api: 'zap', run, asks: ['zap.pools'], relates: false },
  { name: 'quotes', api: 'zap', run, asks: ['zap.quote'], after: ['lists'] },
  { name: 'trades', api: 'trade', run, asks: ['trade.quotes'], relates: false, after: ['lists'] },
  { name: 'inputs', api: 'zap', run, rules: new Set(['zap.inputs']) },
  { name: 'unknown', api: 'docs', run },
];

test.each<[string, Partial<ExchangeRule>, string[]]>([
  ['on one operation', { operations: ['zap.pools'] }, ['lists']],
  ['on what is made from another stage', { operations: ['zap.quote'] }, ['lists', 'quotes']],
  ['on all operations of an API', {}, ['lists', 'quotes']],
  ['on related requests', { relation: 'r', operations: ['zap.pools'] }, []],
  ['of another API', { api: 'trade', operations: ['trade.quotes'] }, ['lists', 'trades']],
  ['on two APIs', { besides: ['docs'], operations: ['zap.pools'] }, ['lists', 'unknown']],
  ['that a stage is for alone', { id: 'zap.inputs', operations: ['zap.none'] }, ['inputs']],
])('a rule %s needs the stages that can show it', (_what, differing, names) => {
  const { stages } = partsNeededBy([rule(differing)]);
  expect(stages(STAGES).map(({ name }) => name)).toEqual(names);
});

test('requests to other operations, and bursts, are not needed', () => {
  const needed = partsNeededBy([rule({ operations: ['zap.pools'] })]);
  expect(needed.isAsked('zap', 'zap.pools')).toBe(true);
  expect(needed.isAsked('zap', 'zap.quote')).toBe(false);
  expect(needed.isThrottled('zap')).toBe(false);
  expect(partsNeededBy([rule({ answer: 'throttled' })]).isThrottled('zap')).toBe(true);
});
