import { describe, expect, test } from 'vitest';
import { differencesOf, type RuleVerdict, type ServiceVerdicts } from './compare-verdicts.ts';

const PASS: RuleVerdict = { verdict: 'pass', level: 'must', evidence: 3, findings: [] };

function taken(
  rule: Partial<RuleVerdict> = {},
  more: Partial<ServiceVerdicts> = {},
): ServiceVerdicts {
  const rules = { 'zap.a': { ...PASS, ...rule } };
  return { service: 'clean', seed: 1, exchanges: 10, rules, ...more };
}

describe('two takes of verdicts', () => {
  test('that are equal have no differences', () => {
    expect(differencesOf([taken()], [taken()], 'full')).toEqual([]);
  });

  test.each<[string, Partial<RuleVerdict>]>([
    ['verdict', { verdict: 'fail' }],
    ['level', { level: 'should' }],
  ])('differ by a %s', (_what, rule) => {
    expect(differencesOf([taken()], [taken(rule)], 'verdicts')).toHaveLength(1);
  });

  test.each<[string, ServiceVerdicts]>([
    ['evidence', taken({ evidence: 4 })],
    ['findings', taken({ findings: ['f1'] })],
    ['the number of exchanges', taken({}, { exchanges: 11 })],
  ])('differ by %s only if all of it is compared', (_what, after) => {
    expect(differencesOf([taken()], [after], 'verdicts')).toEqual([]);
    expect(differencesOf([taken()], [after], 'full')).toHaveLength(1);
  });

  test('differ by a service or a rule that one of them lacks', () => {
    expect(differencesOf([taken()], [], 'verdicts')).not.toEqual([]);
    expect(differencesOf([taken()], [taken({}, { rules: {} })], 'verdicts')).toEqual([
      'clean, seed 1 · zap.a: pass (must) → not there',
    ]);
  });

  test('say that a fault is no longer caught by its rule', () => {
    const fault = { service: 'fault x', breaks: 'zap.a' };
    const lines = differencesOf(
      [taken({ verdict: 'fail' }, fault)],
      [taken({}, fault)],
      'verdicts',
    );
    expect(lines).toContain('fault x, seed 1 · caught by its rule: zap.a → no');
  });
});
