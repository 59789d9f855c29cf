import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../compare/fingerprint.ts';
import { loadContract } from '../../service/load-contract.ts';
import { MAX_PLACES } from './broken-places.ts';
import { exchangeOf, type ExchangeSketch } from '../exchange.testkit.ts';
import { Judge, type RuleResult, type Waiver } from '../judge.ts';
import { type Broken, exchangeRule, type Rule, runRule } from '../rule.ts';

const contract = await loadContract();
const CHAINS: ExchangeSketch = { path: '/v1/config/chains' };
const PROVIDERS: ExchangeSketch = { path: '/v1/config/providers' };
const [OF_CHAINS = '', OF_PROVIDERS = ''] = [CHAINS, PROVIDERS].map(
  ({ path = '' }) => contract.find('zap', 'GET', path)?.id,
);

const ROW = {
  ...({ id: 'zap.test', level: 'must', source: 'card', protects: 'Nothing.' } as const),
  ...({ api: 'zap', operations: '*', answer: 'any', leastEvidence: 1 } as const),
};
const at = (pointer: string): Broken => ({ pointer, expected: 'a', actual: 'b' });
const BROKEN = exchangeRule({ ...ROW, judge: () => [at('/x')] });

function resultOf(
  rule: Rule,
  sketches: readonly ExchangeSketch[],
  waivers: readonly Waiver[] = [],
): RuleResult {
  const judge = new Judge([rule], contract);
  for (const [number, sketch] of sketches.entries()) {
    judge.add(exchangeOf({ method: 'GET', ...sketch, id: `x${number + 1}` }));
  }
  const [result] = judge.results(waivers, '2026-05-10');
  if (result === undefined) throw new Error('no result');
  return result;
}

describe('findings', () => {
  test('at two operations are two, each as it is in a run that shows it alone', () => {
    const { findings } = resultOf(BROKEN, [CHAINS, PROVIDERS, CHAINS]);
    expect(findings).toMatchObject([
      { operation: OF_CHAINS, pointer: '/x', count: 2, exchanges: ['x1', 'x3'] },
      { operation: OF_PROVIDERS, pointer: '/x', count: 1, exchanges: ['x2'] },
    ]);
    const alone = resultOf(BROKEN, [PROVIDERS]).findings;
    const fingerprints = [findings[1], alone[0]].map(
      (one) => one && fingerprintOf('zap.test', one),
    );
    expect(new Set(fingerprints).size).toBe(1);
  });

  test('over several exchanges have the operation of the first', () => {
    const pairs = runRule<number>({
      ...ROW,
      collect: () => 1,
      conclude: (facts) => [
        { witnesses: facts.map(({ witness }) => witness), judgement: [at('/y')] },
      ],
    });
    expect(resultOf(pairs, [PROVIDERS, CHAINS]).findings).toMatchObject([
      { operation: OF_PROVIDERS, exchanges: ['x1', 'x2'] },
    ]);
  });

  test('are bounded for each operation', () => {
    const many = exchangeRule({
      ...ROW,
      judge: () => Array.from({ length: MAX_PLACES + 3 }, (_, key) => at(`/key${key}`)),
    });
    const { findings } = resultOf(many, [CHAINS, PROVIDERS]);
    expect(findings).toHaveLength(2 * MAX_PLACES);
    const actual = 'b (and 3 more at further places, which are not listed)';
    for (const last of [findings[MAX_PLACES - 1], findings.at(-1)])
      expect(last).toMatchObject({ actual, further: 3 });
  });
});

describe('a waiver of one operation', () => {
  const waiver = {
    ...{ rule: 'zap.test', operation: OF_CHAINS, reason: 'known', owner: 'me' },
    expires: '2026-05-10',
  };
  const words = 'known (me, until 2026-05-10)';

  test('accepts the rule if it is broken there alone', () => {
    const result = resultOf(BROKEN, [CHAINS], [waiver]);
    expect(result).toMatchObject({ verdict: 'waived', reason: words });
    expect(result.findings[0]).not.toHaveProperty('waived');
  });

  test('leaves what is broken elsewhere a failure, and marks what it accepts', () => {
    const { verdict, findings } = resultOf(BROKEN, [CHAINS, PROVIDERS], [waiver]);
    expect(verdict).toBe('fail');
    expect(findings.map(({ waived }) => waived)).toEqual([words, undefined]);
  });

  test('accepts all with another one for the rest, and none after its last day', () => {
    const other = { ...waiver, operation: OF_PROVIDERS, owner: 'you' };
    const both = [CHAINS, PROVIDERS];
    const yours = 'known (you, until 2026-05-10)';
    expect(resultOf(BROKEN, both, [waiver, other])).toMatchObject({
      ...{ verdict: 'waived', reason: `${words}; ${yours}` },
      findings: [{ waived: words }, { waived: yours }],
    });
    const late = { ...other, expires: '2026-05-09' };
    const { verdict, reason } = resultOf(BROKEN, both, [waiver, late]);
    expect([verdict, reason]).toEqual(['fail', 'the waiver of you expired on 2026-05-09: known']);
  });
});
