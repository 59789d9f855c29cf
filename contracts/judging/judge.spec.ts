/** Long because each promise of the judge is tried on one small rule. */

import { describe, expect, test } from 'vitest';
import { exchangeOf } from './exchange.testkit.ts';
import { judge, Judge, type RuleResult, type Waiver } from './judge.ts';
import { loadContract } from '../service/load-contract.ts';
import {
  exchangeRule,
  runRule,
  type Broken,
  type ExchangeRule,
  type Judgement,
  type Rule,
} from './rule.ts';
import type { Exchange } from '../wire/exchange.ts';

const contract = await loadContract();

/** A rule of which a test cares for little. */
function rule(differing: Partial<ExchangeRule> = {}): Rule {
  return exchangeRule({
    id: 'zap.test',
    level: 'must',
    source: 'card',
    protects: 'Nothing.',
    api: 'zap',
    operations: '*',
    answer: 'success',
    leastEvidence: 1,
    judge: () => [],
    ...differing,
  });
}

function brokenAt(pointer: string): Broken {
  return { pointer, expected: 'a', actual: 'b' };
}

function resultOf(one: Rule, exchanges: readonly Exchange[], waivers: Waiver[] = []): RuleResult {
  const judging = new Judge([one], contract);
  for (const exchange of exchanges) judging.add(exchange);
  const [result] = judging.results(waivers, '2026-05-10');
  if (result === undefined) throw new Error('no result');
  return result;
}

/** Exchanges x00001, x00002, … */
function several(count: number): Exchange[] {
  return Array.from({ length: count }, (_, at) =>
    exchangeOf({ id: `x${String(at + 1).padStart(5, '0')}` }),
  );
}

describe('verdicts', () => {
  test.each([
    ['must', 'pass', 'fail'],
    ['should', 'pass', 'warn'],
    ['observe', 'observed', 'observed'],
  ] as const)('of the level %s are %s when it held and %s when not', (level, held, broken) => {
    const verdictFor = (judgement: Judgement): string =>
      resultOf(rule({ level, judge: () => judgement }), [exchangeOf()]).verdict;
    expect(verdictFor([])).toBe(held);
    expect(verdictFor([brokenAt('')])).toBe(broken);
  });

  test('silence is not success', () => {
    const result = resultOf(rule({ judge: () => null }), several(3));
    expect(result).toMatchObject({ verdict: 'not-reached', evidence: 0 });
    expect(result.reason).toBe('no exchange of the run shows it');
  });

  test('less evidence than the least is no pass', () => {
    const demanding = rule({ leastEvidence: 3 });
    expect(resultOf(demanding, several(2))).toMatchObject({
      verdict: 'not-reached',
      evidence: 2,
      reason: '2 of the 3 pieces of evidence that it needs',
    });
    expect(resultOf(demanding, several(3)).verdict).toBe('pass');
  });

  test('one break is enough, whatever the least evidence', () => {
    const strict = rule({ leastEvidence: 3, judge: () => [brokenAt('')] });
    expect(resultOf(strict, several(1)).verdict).toBe('fail');
  });
});

describe('which exchanges a rule sees', () => {
  const served = exchangeOf();
  const refused = exchangeOf({ status: 400 });
  const throttled = exchangeOf({ status: 429 });
  const throttledByCode = exchangeOf({ status: 403, answered: { code: 'RATE_LIMITED' } });
  const unanswered = exchangeOf({ failure: 'timeout' });
  const all = [served, refused, throttled, throttledByCode, unanswered];

  test.each([
    ['success', [served]],
    ['error', [refused]],
    ['answered', [served, refused]],
    ['throttled', [throttled, throttledByCode]],
    ['any', [served, refused, unanswered]],
  ] as const)('%s', (answer, wanted) => {
    const seen: Exchange[] = [];
    const watching = rule({
      answer,
      judge: (view) => {
        seen.push(view.exchange);
        return [];
      },
    });
    expect(resultOf(watching, all).evidence).toBe(wanted.length);
    expect(seen).toEqual(wanted);
  });

  test('those of its API and operations', () => {
    const chains = rule({ operations: ['zap.chains'] });
    expect(resultOf(chains, [exchangeOf()]).evidence).toBe(1);
    expect(resultOf(chains, [exchangeOf({ path: '/v1/config/providers' })]).evidence).toBe(0);
    expect(resultOf(chains, [exchangeOf({ api: 'trade' })]).evidence).toBe(0);
    expect(resultOf(chains, [exchangeOf({ path: '/elsewhere' })]).evidence).toBe(0);
    expect(resultOf(rule(), [exchangeOf({ path: '/elsewhere' })]).evidence).toBe(1);
  });

  test('those that are marked with its relation, each once', () => {
    const marked = (...kinds: string[]): Exchange => ({
      ...served,
      relations: kinds.map((kind) => ({ kind, group: 'g', role: 'A' })),
    });
    const related = rule({ relation: 'twins' });
    const evidence = (...exchanges: Exchange[]): number => resultOf(related, exchanges).evidence;
    expect(evidence(served, marked('cousins'))).toBe(0);
    expect(evidence(marked('cousins', 'twins'), marked('twins', 'twins'))).toBe(2);
    expect(resultOf(rule(), [served, marked('cousins')]).evidence).toBe(2);
  });

  test('and counts state what became of all of them', () => {
    const judging = new Judge([], contract);
    for (const exchange of all) judging.add(exchange);
    expect(judging.counts).toEqual({ exchanges: 5, answered: 2, throttled: 2, failed: 1 });
  });

  test('what this machine could not send is counted apart, and shown to no rule', () => {
    let shown = 0;
    const any = rule({ answer: 'any', judge: () => ((shown += 1), []) });
    const judging = new Judge([any], contract);
    judging.add(exchangeOf({ failure: 'machine' }));
    expect(judging.counts).toMatchObject({ exchanges: 1, failed: 0, unsent: 1 });
    expect(judging.whyUnsent).toBe('no answer: machine');
    expect(shown).toBe(0);
    judging.add(exchangeOf({ failure: 'timeout' }));
    expect(judging.counts).toMatchObject({ exchanges: 2, failed: 1, unsent: 1 });
    expect(shown).toBe(1);
  });

  test('an API that only refuses answers, and does not serve', () => {
    const judging = new Judge([], contract);
    judging.add(refused);
    judging.add(exchangeOf({ api: 'trade', failure: 'connect' }));
    expect([[...judging.answeredApis], [...judging.servingApis]]).toEqual([['zap'], []]);
    judging.add(served);
    expect([...judging.servingApis]).toEqual(['zap']);
  });
});

describe('findings', () => {
  test('at one place are one, with a count and the first five exchanges', () => {
    let step = -1;
    const everywhere = rule({ judge: () => [brokenAt(`/data/path/${(step += 1)}/amount`)] });
    const { findings, evidence } = resultOf(everywhere, several(7));
    expect(evidence).toBe(7);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      rule: 'zap.test',
      pointer: '/data/path/0/amount',
      count: 7,
      exchanges: ['x00001', 'x00002', 'x00003', 'x00004', 'x00005'],
    });
    expect(findings[0]?.request.path).toBe('/v1/config/chains');
  });

  test('twice in one exchange name it once', () => {
    const twice = rule({ judge: () => [brokenAt('/pools/0'), brokenAt('/pools/17')] });
    const { findings } = resultOf(twice, several(1));
    expect(findings).toMatchObject([{ count: 2, exchanges: ['x00001'] }]);
  });

  test('at several places are several', () => {
    const apart = rule({ judge: () => [brokenAt('/a'), brokenAt('/a/0'), brokenAt('/b')] });
    const { findings } = resultOf(apart, several(2));
    expect(findings.map(({ pointer, count }) => [pointer, count])).toEqual([
      ['/a', 2],
      ['/a/0', 2],
      ['/b', 2],
    ]);
  });

  test('digits inside a name are part of it', () => {
    const named = rule({ judge: () => [brokenAt('/v1'), brokenAt('/v2')] });
    expect(resultOf(named, several(1)).findings).toHaveLength(2);
  });
});

describe('a waiver', () => {
  const waiver = { rule: 'zap.test', reason: 'known', owner: 'zap team', expires: '2026-05-10' };
  const broken = rule({ judge: () => [brokenAt('')] });

  test('holds to the end of its last day, and keeps the findings', () => {
    const result = resultOf(broken, several(1), [waiver]);
    expect(result).toMatchObject({
      verdict: 'waived',
      reason: 'known (zap team, until 2026-05-10)',
    });
    expect(result.findings).toHaveLength(1);
  });

  test('that has expired holds no more, and the reason says whose it was', () => {
    const result = resultOf(broken, several(1), [{ ...waiver, expires: '2026-05-09' }]);
    expect(result).toMatchObject({
      verdict: 'fail',
      reason: 'the waiver of zap team expired on 2026-05-09: known',
    });
  });

  test('of another rule has no effect', () => {
    expect(resultOf(broken, several(1), [{ ...waiver, rule: 'zap.other' }]).verdict).toBe('fail');
  });

  test('is not needed by a rule that held or was not reached', () => {
    expect(resultOf(rule(), several(1), [waiver]).verdict).toBe('pass');
    expect(resultOf(rule(), [], [waiver]).verdict).toBe('not-reached');
  });
});

describe('a run rule', () => {
  const base = {
    id: 'zap.same',
    level: 'must',
    source: 'card',
    protects: 'Answers agree.',
    api: 'zap',
    operations: '*',
    answer: 'success',
    leastEvidence: 1,
  } as const;
  /** Neighbours are to have the same value; `moved` among them makes the comparison void. */
  const same = runRule<unknown>({
    ...base,
    collect: ({ json }) => (json as { value?: unknown }).value ?? null,
    conclude: (facts) =>
      facts.slice(1).map((later, at) => {
        const earlier = facts[at] ?? later;
        const witnesses = [earlier.witness, later.witness];
        if (later.fact === 'moved' || earlier.fact === 'moved') {
          return { witnesses, judgement: 'inconclusive' };
        }
        return { witnesses, judgement: later.fact === earlier.fact ? [] : [brokenAt('/value')] };
      }),
  });
  const answers = (...values: unknown[]): Exchange[] =>
    values.map((value, at) => exchangeOf({ id: `x${at}`, answered: { value } }));

  test('judges groups, and names the exchanges of the group', () => {
    expect(resultOf(same, answers(1, 1))).toMatchObject({ verdict: 'pass', evidence: 1 });
    const { verdict, findings } = resultOf(same, answers(1, 1, 2));
    expect(verdict).toBe('fail');
    expect(findings).toMatchObject([{ exchanges: ['x1', 'x2'], count: 1 }]);
  });

  test('leaves out exchanges that show no fact', () => {
    expect(resultOf(same, answers(1, null, 1)).evidence).toBe(1);
    expect(resultOf(same, answers(1)).verdict).toBe('not-reached');
  });

  test('whose comparisons were void is inconclusive', () => {
    const result = resultOf(same, answers(1, 'moved', 2));
    expect(result).toMatchObject({ verdict: 'inconclusive', evidence: 0, inconclusive: 2 });
    expect(result.reason).toBe("in 2 comparisons the service's answers moved meanwhile");
    // One that was not void decides.
    expect(resultOf(same, answers(1, 'moved', 2, 2)).verdict).toBe('pass');
  });

  test('may be asked for its verdict before the end', () => {
    const judging = new Judge([same], contract);
    const verdicts = answers(1, 1, 2).map((exchange) => {
      judging.add(exchange);
      return judging.results()[0]?.verdict;
    });
    expect(verdicts).toEqual(['not-reached', 'pass', 'fail']);
    expect(judging.results()).toEqual(judging.results());
  });
});

test('the results stand in the order of the rules', () => {
  const rules = ['zap.b', 'zap.a', 'zap.c'].map((id) => rule({ id }));
  expect(judge(rules, contract, []).map(({ rule: { id } }) => id)).toEqual([
    'zap.b',
    'zap.a',
    'zap.c',
  ]);
});

test('what an exchange has broken is known at once, for run rules only in the end', () => {
  const broken = { id: 'zap.broken', judge: () => [brokenAt('')] };
  const whole = runRule({
    ...rule({ id: 'zap.whole' }),
    collect: () => ({}),
    conclude: () => [{ witnesses: [], judgement: [brokenAt('')] }],
  });
  const judging = new Judge([rule(), rule(broken), whole], contract);
  expect(judging.isBroken('zap.broken')).toBe(false);
  judging.add(exchangeOf());
  const ids = ['zap.test', 'zap.broken', 'zap.whole'];
  expect(ids.map((id) => judging.isBroken(id))).toEqual([false, true, false]);
});

test('nothing is broken by pages of an API that has served nothing, until it serves', () => {
  const judging = new Judge([rule({ judge: () => [brokenAt('')] })], contract);
  const body = { encoding: 'utf8', text: '<!doctype html><html></html>' } as const;
  const response = { status: 200, headers: [], body };
  judging.add({ ...exchangeOf(), outcome: { kind: 'response', response } });
  expect(judging.isBroken('zap.test')).toBe(false);
  judging.add(exchangeOf());
  expect(judging.isBroken('zap.test')).toBe(true);
});

describe('while exchanges come in', () => {
  test('each reports the rules that it breaks itself, and none that one before it broke', () => {
    const odd = rule({ judge: ({ exchange }) => (exchange.id === 'x00001' ? [brokenAt('')] : []) });
    const judging = new Judge([odd], contract);
    const reported = several(3).map((exchange) => judging.add(exchange));
    expect(reported).toEqual([['zap.test'], [], []]);
  });

  test('what only observes is not broken', () => {
    const broken = { judge: () => [brokenAt('')] };
    const rules = (['must', 'should', 'observe'] as const).map((level) =>
      rule({ ...broken, id: `zap.${level}`, level }),
    );
    const judging = new Judge(rules, contract);
    expect(judging.brokenSoFar).toBe(0);
    judging.add(exchangeOf());
    expect(judging.brokenSoFar).toBe(2);
    expect(judging.isBroken('zap.observe')).toBe(true);
  });

  test('how long nobody answered is no latency', () => {
    const judging = new Judge([], contract);
    judging.add(exchangeOf({ failure: 'timeout' }));
    expect(judging.latencies()).toEqual([]);
    judging.add(exchangeOf());
    expect(judging.latencies()).toMatchObject([{ operation: 'zap.chains', count: 1 }]);
  });
});

test('a rule on all responses sees the throttled ones, too, and no request without one', () => {
  const all = rule({ answer: 'responded' });
  const throttled = exchangeOf({ status: 429, answered: { code: 'RATE_LIMITED' } });
  const seen = [exchangeOf(), exchangeOf({ status: 500 }), throttled];
  expect(resultOf(all, [...seen, exchangeOf({ failure: 'closed' })]).evidence).toBe(3);
});

test('a rule that names an operation twice sees it once', () => {
  const twice = rule({ operations: ['zap.chains', 'zap.chains'] });
  expect(resultOf(twice, [exchangeOf()]).evidence).toBe(1);
});
