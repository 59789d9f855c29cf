import { expect, test } from 'vitest';
import { loadContract } from '../service/load-contract.ts';
import type { Rule } from '../judging/rule.ts';
import { exchangeRule } from '../judging/rule.ts';
import type { LimitMeasurement } from '../run/load/limit-measurement.ts';
import { RuleRegistry } from './registry.ts';

const contract = await loadContract();

function rule(id: string, changes: Partial<Omit<Rule, 'scope' | 'judge'>> = {}): Rule {
  return exchangeRule({
    ...{ id, level: 'must', source: '§1', protects: 'Something.', api: 'zap', operations: '*' },
    ...{ answer: 'success', leastEvidence: 1, judge: () => [] },
    ...changes,
  });
}

const PLAIN = rule('zap.plain', { operations: contract.operations.map(({ id }) => id) });
const ALONE = rule('zap.alone', { underLoad: 'not judged' });
const THROTTLED = ['zap', 'docs'].map((api) =>
  rule(`${api}.throttled`, { api, answer: 'throttled' }),
);
/** It judges answers of any run, and what was measured. */
const WAITS = rule('zap.waits', { answer: 'throttled' });
const [MEASURED, HERD] = [rule('zap.measured', { answer: 'throttled' }), rule('zap.herd')];
let asked: readonly LimitMeasurement[] = [];
const registry = new RuleRegistry({
  sections: [
    { name: '1', judges: 'any', rules: [PLAIN, ALONE] },
    { name: '8-load', judges: 'load', rules: [HERD] },
    { name: '8-limits', judges: 'limits', rules: [MEASURED] },
    { name: '9', judges: 'any', rules: [...THROTTLED, WAITS] },
  ],
  measured: (measurements) => {
    asked = measurements;
    return [MEASURED, WAITS];
  },
});
const idsOf = (rules: readonly Rule[]): string[] => rules.map(({ id }) => id);

test('all rules are listed in the order of their sections', () => {
  expect(idsOf(registry.all)).toEqual([
    ...['zap.plain', 'zap.alone', 'zap.herd', 'zap.measured', 'zap.throttled', 'docs.throttled'],
    'zap.waits',
  ]);
});

test('each run is judged by the rules of any run, and by its own', () => {
  const ofContract = idsOf(registry.ofContract(contract));
  const ofAny = ['zap.plain', 'zap.alone', 'zap.throttled', 'docs.throttled', 'zap.waits'];
  expect(idsOf(registry.ofRun(contract))).toEqual([...ofAny, ...ofContract]);
  const underLoad = ofAny.filter((id) => id !== 'zap.alone');
  expect(idsOf(registry.ofLoad(contract))).toEqual([...underLoad, ...ofContract, 'zap.herd']);
});

test('a probe of limits is judged by what it measured, and by throttled answers of those APIs', () => {
  const measurements = [{ api: 'zap' }] as unknown as readonly LimitMeasurement[];
  expect(idsOf(registry.ofLimits(contract, measurements))).toEqual([
    'zap.throttled',
    'zap.measured',
    'zap.waits',
  ]);
  expect(asked).toBe(measurements);
});

test('lists for each judge every rule that some run is judged by', () => {
  const reported = new Map(registry.known(contract).map((one) => [one.rule.id, one.judges]));
  expect(reported.get('zap.plain')).toBe('any');
  expect(reported.get('zap.measured')).toBe('limits');
  expect(reported.get('zap.herd')).toBe('load');
});

test('a contract brings the shapes of successes, and all rules on operations that none speaks of', () => {
  const shapes = contract.operations.filter((one) => one.statesBody(200)).map(({ id }) => id);
  expect(idsOf(registry.ofContract(contract))).toEqual(shapes.map((id) => `${id}.response-shape`));
  const silent = new RuleRegistry({ sections: [], measured: () => [] });
  expect(silent.operationsBeyond(contract)).toHaveLength(contract.operations.length);
  expect(idsOf(silent.ofContract(contract))).toContain('zap.quote.no-server-error');
});
