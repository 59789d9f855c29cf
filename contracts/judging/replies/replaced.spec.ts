import { describe, expect, test } from 'vitest';
import { exchangeOf, type ExchangeSketch } from '../exchange.testkit.ts';
import { Judge, type RuleResult } from '../judge.ts';
import { loadContract } from '../../service/load-contract.ts';
import { variableOf } from './replaced.ts';
import { exchangeRule, type Rule, runRule } from '../rule.ts';

const contract = await loadContract();

const ROW = {
  ...({ id: 'zap.made.up', level: 'must', source: 'card', protects: 'Nothing.' } as const),
  ...({ api: 'zap', operations: '*', answer: 'answered', leastEvidence: 1 } as const),
};

function brokenAt(pointer: string, actual = 'that'): Rule {
  return exchangeRule({ ...ROW, judge: () => [{ pointer, expected: 'this', actual }] });
}

function resultOf(rule: Rule, ...sketches: readonly ExchangeSketch[]): RuleResult {
  const judging = new Judge([rule], contract);
  for (const [at, sketch] of sketches.entries())
    judging.add(exchangeOf({ id: `x${at}`, ...sketch }));
  const [result] = judging.results();
  if (result === undefined) throw new Error('no result');
  return result;
}

const NAMED = '0x$ASSAY_SECRET_BOOKS';

describe('what is broken if a secret was replaced by its name', () => {
  test.each<[string, string, ExchangeSketch, string?]>([
    ['a text', '/a', { answered: { a: NAMED } }],
    ['what holds it, of a success', '', { answered: { a: [{ b: NAMED }] } }],
    ['a key, of a success', '/a', { answered: { a: { [NAMED]: 1 } } }],
    ['a text that a finding quotes', '', { answered: {} }, `"${NAMED}"`],
    ['a text of an error', '/a', { status: 400, answered: { a: NAMED } }],
    [
      'what was asked for',
      '/a',
      { path: '/v1/pools?protocol=%24ASSAY_SECRET_BOOKS', answered: {} },
    ],
    ['what was sent', '/a', { method: 'POST', sent: { protocol: NAMED }, answered: {} }],
  ])('is no verdict: %s', (_, pointer, sketch, actual) => {
    const { verdict, findings, reason, replaced } = resultOf(brokenAt(pointer, actual), sketch);
    expect([verdict, findings, replaced]).toEqual(['inconclusive', [], 'ASSAY_SECRET_BOOKS']);
    expect(reason).toContain('in 1 place Assay had replaced a secret');
  });

  test.each<[string, string, ExchangeSketch]>([
    ['another place', '/b', { answered: { a: NAMED, b: 1 } }],
    ['a member that is missing', '/b', { answered: { a: NAMED } }],
    ['an error whose message quotes the key', '', { status: 400, answered: { a: NAMED } }],
    ['a name of no variable', '/a', { answered: { a: '$ASSAY_SECRETS $ASSAY_TRADE_KEY_3 $1' } }],
  ])('is a fault: %s', (_, pointer, sketch) => {
    expect(resultOf(brokenAt(pointer), sketch).verdict).toBe('fail');
  });

  test('is a fault if the target itself wrote the name of a variable that the run has not', () => {
    const judging = new Judge([brokenAt('/a')], contract, { credentials: ['ASSAY_TRADE_KEY'] });
    judging.add(exchangeOf({ answered: { a: NAMED } }));
    expect(judging.results()[0]?.verdict).toBe('fail');
    const own = new Judge([brokenAt('/a')], contract, { credentials: ['ASSAY_SECRET_BOOKS'] });
    own.add(exchangeOf({ answered: { a: NAMED } }));
    expect(own.results()[0]?.verdict).toBe('inconclusive');
  });

  test('leaves a fault elsewhere as it is, and says so beside it', () => {
    const { verdict, findings, reason } = resultOf(
      brokenAt('/a'),
      { answered: { a: NAMED } },
      { answered: { a: 'x' } },
    );
    expect([verdict, findings.map(({ exchanges }) => exchanges)]).toEqual(['fail', [['x1']]]);
    expect(reason).toContain('replaced a secret');
  });

  test('is a fault by a rule that looks for secrets', () => {
    const looking: Rule = { ...brokenAt('/a'), looksForSecrets: true };
    expect(resultOf(looking, { answered: { a: NAMED } }).verdict).toBe('fail');
  });

  test('is no verdict if one of several answers holds it', () => {
    const rule = runRule<number>({
      ...ROW,
      collect: () => 1,
      conclude: (facts) => [
        {
          witnesses: facts.map(({ witness }) => witness),
          judgement: [{ pointer: '/a', expected: 'this', actual: 'that' }],
        },
      ],
    });
    expect(resultOf(rule, { answered: {} }, { answered: { b: NAMED } }).verdict).toBe(
      'inconclusive',
    );
    expect(resultOf(rule, { answered: {} }, { answered: {} }).verdict).toBe('fail');
  });
});

test('what follows a name is no part of it', () => {
  const variables = ['ASSAY_SECRET_A', 'ASSAY_SECRET_AB', 'ASSAY_TRADE_KEY'];
  expect(variableOf('ASSAY_SECRET_AB00', variables)).toBe('ASSAY_SECRET_AB');
  expect(variableOf('ASSAY_SECRET_C', variables)).toBe('ASSAY_SECRET_C');
});
