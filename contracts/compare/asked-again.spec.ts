import { describe, expect, test } from 'vitest';
import { exchangeOf, type ExchangeSketch } from '../judging/exchange.testkit.ts';
import { Judge } from '../judging/judge.ts';
import { exchangeRule, type Rule, runRule } from '../judging/rule.ts';
import { passed, runOf } from '../release/release.testkit.ts';
import type { RunFinding, RunRuleRow } from '../run/run.ts';
import { loadContract } from '../service/load-contract.ts';
import { AskedAgain } from './asked-again.ts';
import { fingerprintOf } from './fingerprint.ts';

const contract = await loadContract();
const ROW = {
  ...({ id: 'zap.a', level: 'must', source: 'card', protects: 'Nothing.' } as const),
  ...({ api: 'zap', operations: '*', answer: 'any', leastEvidence: 1 } as const),
};
const AT = { pointer: '/x', expected: 'a', actual: 'b' };
/** Judges successes, of which those that hold `bad` are broken. */
const OF_SUCCESSES = exchangeRule({
  ...ROW,
  judge: ({ status, text }) =>
    status === 0 || status >= 400 ? null : text.includes('bad') ? [AT] : [],
});
const ASKED: ExchangeSketch = { path: '/v1/config/chains' };
const good: ExchangeSketch = { ...ASKED, answered: 'good' };
const other: ExchangeSketch = { ...good, path: '/v1/config/chains?a=1' };

const operation = contract.find('zap', 'GET', '/v1/config/chains')?.id ?? '';
const finding: RunFinding = {
  ...{ ...AT, operation, exchanges: ['x00001'], curl: 'curl', count: 1 },
};

/** How often a finding's request was judged kept in a run of some exchanges. */
function keptIn(
  rule: Rule,
  now: readonly ExchangeSketch[],
  { areAtHand = true, status = 200 }: { areAtHand?: boolean; status?: number } = {},
): number {
  const broken = (findings: readonly RunFinding[]): RunRuleRow =>
    passed(rule.id, { verdict: 'fail', findings });
  const judgedAt = [{ operation, times: now.length }];
  const again = new AskedAgain(
    runOf('r1', { rules: [broken([finding])] }),
    runOf('r2', { rules: [passed(rule.id, { judgedAt })] }),
  );
  expect([...again.rules]).toEqual([rule.id]);
  again.addThen(exchangeOf({ ...ASKED, id: 'x00001', status, answered: 'bad' }));
  again.addThen(exchangeOf({ ...other, id: 'x00002' }));
  const rules = areAtHand ? [rule] : [];
  const judging = { rules, judge: new Judge(rules, contract), contract };
  for (const [at, sketch] of now.entries())
    again.addNow(exchangeOf({ ...sketch, id: `y${at}` }), judging);
  return again.keptOf(fingerprintOf(rule.id, finding));
}

describe('the requests of a finding were judged kept', () => {
  test('where the same was asked and the rule judged it', () => {
    expect(keptIn(OF_SUCCESSES, [good, other, good])).toBe(2);
  });

  test.each<[string, ExchangeSketch]>([
    ['by another request', other],
    ['by an error of the service', { ...good, status: 503 }],
    ['by a refusal', { ...good, status: 400 }],
    ['by no answer', { ...good, failure: 'timeout' }],
    ['for another purpose', { ...good, purpose: { kind: 'unknown' } }],
    ['where it breaks the rule elsewhere', { ...good, answered: 'bad' }],
  ])('not %s', (_what, sketch) => {
    expect(keptIn(OF_SUCCESSES, [sketch, other])).toBe(0);
  });

  const ofRun = runRule<string>({
    ...ROW,
    collect: ({ text }) => text,
    conclude: ([first]) =>
      first === undefined ? [] : [{ witnesses: [first.witness], judgement: [] }],
  });

  test('by a rule over a whole run that shows them by no example', () => {
    expect(keptIn(ofRun, [other, good])).toBe(1);
    expect(keptIn(ofRun, [other, { ...good, status: 503 }])).toBe(0);
    expect(keptIn(ofRun, [other])).toBe(0);
  });

  test('by a rule on what fails each time only if they are served', () => {
    const eachTime = { ...ofRun, id: 'zap.errors.none-of-the-service' } as Rule;
    expect(keptIn(eachTime, [other, { ...good, status: 404 }], { status: 500 })).toBe(0);
    expect(keptIn(eachTime, [other, good], { status: 500 })).toBe(1);
  });

  test('by a rule that is not at hand only if they are served', () => {
    expect(keptIn(OF_SUCCESSES, [{ ...good, status: 404 }], { areAtHand: false })).toBe(0);
    expect(keptIn(OF_SUCCESSES, [good], { areAtHand: false })).toBe(1);
  });
});
