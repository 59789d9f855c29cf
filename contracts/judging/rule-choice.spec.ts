import { describe, expect, test } from 'vitest';
import { RULES } from '../service/registry.ts';
import type { RuleChoice } from './rule-choice.ts';
import { choose, EVERY_RULE, isMeant, wordsWithoutRule } from './rule-choice.ts';

const ids = (choice: Partial<RuleChoice>): string[] =>
  choose(RULES, { ...EVERY_RULE, ...choice }).rules.map(({ id }) => id);
const meant = (word: string): string[] =>
  RULES.filter((rule) => isMeant(rule, word)).map(({ id }) => id);

describe('a word means', () => {
  test('a rule by its id', () => {
    expect(meant('zap.quote.served')).toEqual(['zap.quote.served']);
  });

  test('rules by a glob over all of their id', () => {
    const values = meant('*.values.*');
    expect(values).toContain('zap.values.hex');
    expect(values.every((id) => id.includes('.values.'))).toBe(true);
    expect(meant('*.served')).not.toContain('zap.idempotency-key.twins-are-served');
    expect(meant('zap.*quote*served')).toContain('zap.quote.served');
    expect(meant('zap.quote.served*zap.quote.served')).toEqual([]);
  });

  test('rules by a section and what is below it, never by one that begins alike', () => {
    expect(meant('5.3')).toContain('trade.auth.challenge');
    expect(meant('§5')).toContain('trade.auth.challenge');
    expect(meant('5.30')).toEqual([]);
    expect(meant('2')).not.toContain('trade.auth.challenge');
    const [rule] = RULES;
    if (rule === undefined) throw new Error('there are no rules');
    const far = { ...rule, source: '§10, §2.40' };
    expect(['1', '2.4', '10', '2', '2.40'].map((word) => isMeant(far, word))).toEqual([
      ...[false, false, true, true, true],
    ]);
  });

  test('rules by an operation and by an API', () => {
    expect(meant('zap.pools')).toContain('zap.pools.maximum-limit');
    expect(meant('zap.pools')).not.toContain('zap.quote.served');
    expect(meant('docs').every((id) => id.startsWith('docs.'))).toBe(true);
  });
});

describe('a choice', () => {
  test('of nothing leaves all rules as they are', () => {
    expect(choose(RULES, EVERY_RULE).rules).toEqual(RULES);
  });

  test('counts what it leaves out by level', () => {
    const { rules, leftOut } = choose(RULES, { ...EVERY_RULE, only: ['zap.pools.*'] });
    expect(leftOut.must + leftOut.should + leftOut.observe + rules.length).toBe(RULES.length);
    expect(leftOut.must).toBeGreaterThan(10);
  });

  test('leaves a rule on several operations in when one of them is left out', () => {
    const left = ids({ skip: ['zap.quote'] });
    expect(left).not.toContain('zap.quote.served');
    expect(left).toContain('zap.path.starts-at-source');
    expect(ids({ skip: ['zap.path.*'] })).not.toContain('zap.path.starts-at-source');
  });

  test('gives levels, the last one holding, and keeps the stated one', () => {
    const levels = [
      { rules: 'zap.*', level: 'observe' },
      { rules: 'zap.quote.served', level: 'should' },
    ] as const;
    const { rules } = choose(RULES, { ...EVERY_RULE, levels });
    const ruleById = (id: string): unknown => rules.find((rule) => rule.id === id);
    expect(ruleById('zap.quote.served')).toMatchObject({ level: 'should', statedLevel: 'must' });
    expect(ruleById('zap.build-tx.served')).toMatchObject({
      level: 'observe',
      statedLevel: 'must',
    });
    expect(ruleById('trade.build-tx.served')).not.toHaveProperty('statedLevel');
  });

  test('with words that mean nothing names them', () => {
    const choice = {
      ...EVERY_RULE,
      only: ['zap', 'nope'],
      skip: ['zap.nope*'],
      levels: [{ rules: '9.9', level: 'must' as const }],
    };
    expect(wordsWithoutRule(RULES, choice)).toEqual(['nope', 'zap.nope*', '9.9']);
  });
});
