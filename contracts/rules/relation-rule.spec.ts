import { describe, expect, test } from 'vitest';
import { ZAP_RELATIONS } from '../service/rules/zap/request/zap-relations.ts';
import { loadContract } from '../service/load-contract.ts';
import { judge, type RuleResult } from '../judging/judge.ts';
import type { View } from '../judging/view.ts';
import type { Comparison, RelationRow, RelationAnswer } from './relation-rule.ts';
import { relationRule, stateOf } from './relation-rule.ts';
import type { WireSketch } from '../judging/verdicts.testkit.ts';
import { verdictOf, wireExchange } from '../judging/verdicts.testkit.ts';
import { readRoute } from '../service/rules/readings/zap-route.ts';
import { answerOf as answered, requestOf } from '../service/rules/readings/zap-route.testkit.ts';

const contract = await loadContract();

const RELATION: Comparison<string> = {
  id: 'zap.test',
  level: 'should',
  source: 'implied by §2.2',
  protects: 'B answers as A.',
  relation: 'test',
  compare: (a, b) => (a === b ? [] : [{ pointer: '', expected: a, actual: b }]),
};

/** Answers written as letters; `-` is a refusal. */
function answers(letters: string): RelationAnswer<string>[] {
  return Array.from(letters, (digest) => (digest === '-' ? 'refused' : { digest }));
}

describe('stateOf', () => {
  test.each([
    ['x', '', 'nothing'],
    ['-', 'x', 'nothing'],
    ['x', 'x', 'holds'],
    ['x', 'y', 'suspect'],
    ['xxxxx', 'yyyyyyy', 'suspect'],
    ['xxxxxxx', 'yyyyyyy', 'broken'],
    ['xxxxxxx', 'yzyzyzy', 'broken'],
    ['xxxxxxx', 'yyxyyyy', 'holds'],
    ['xyxxxx', 'zzzzzzz', 'moved'],
    ['xx-xxx', 'yyyyyyy', 'moved'],
    ['xxxxxxx', '-------', 'nothing'],
  ])('%s against %s: %s', (a, b, kind) => {
    expect(stateOf(RELATION, answers(a), answers(b)).kind).toBe(kind);
  });

  test.each([
    ['x', '-', 'suspect'],
    ['xxxxxxx', '-------', 'broken'],
    ['xxxxxxx', '---x---', 'holds'],
    ['xyxyxy', '-------', 'moved'],
  ])('where a refusal breaks it, %s against %s: %s', (a, b, kind) => {
    const row = { ...RELATION, refused: 'a success' };
    expect(stateOf(row, answers(a), answers(b)).kind).toBe(kind);
  });
});

describe('a relation may ask for more', () => {
  test.each([
    ['x', 'y', 'nothing'],
    ['x', 'xy', 'holds'],
    ['xxxxxxx', 'zzzzzzz', 'broken'],
    ['xxxxxxx', 'yyyyyyy', 'nothing'],
  ])('for evidence that counts, %s against %s: %s', (a, b, kind) => {
    const row = { ...RELATION, isEvidence: (_: string, other: string) => other !== 'y' };
    expect(stateOf(row, answers(a), answers(b)).kind).toBe(kind);
  });

  test.each([
    ['xxxxxxx', 'yyyyyyy', 'broken'],
    ['xxxxxxx', 'yyyyyyz', 'moved'],
    ['xxxxxxx', 'yxyyyyy', 'holds'],
  ])('for steady answers to both, %s against %s: %s', (a, b, kind) => {
    expect(stateOf({ ...RELATION, steady: true }, answers(a), answers(b)).kind).toBe(kind);
  });
});

describe('zap.estimate-gas.false-by-default', () => {
  const sketch = (role: string, gas: string): WireSketch => ({
    ...{ method: 'POST', path: '/v1/buildTx', sent: requestOf('100 DLR to EUR') },
    answered: answered('50', ['swap one: 100 DLR -> 50 EUR'], {
      steps: [{ action: 'execute', data: { estimatedGas: gas } }],
    }),
    relations: [{ kind: 'estimate-gas', group: 'g', role }],
  });
  const answersOfRoles = (a: string, b: string, c: string): WireSketch[] => [
    ...(c === '' ? [] : [sketch('C', c)]),
    ...Array.from({ length: 7 }, () => [sketch('A', a), sketch('B', b)]).flat(),
  ];
  test.each([
    ['1', '1', '2', 'pass'],
    // If an estimate is the same, a build that was estimated is, too.
    ['1', '1', '1', 'not-reached'],
    ['1', '1', '', 'not-reached'],
    ['1', '2', '2', 'fail /data/steps'],
    ['1', '2', '', 'fail /data/steps'],
  ])('false %s, absent %s, true %s: %s', (a, b, c, verdict) => {
    expect(verdictOf('zap.estimate-gas.false-by-default', ...answersOfRoles(a, b, c))).toBe(
      verdict,
    );
  });
});

describe('relations between zap requests', () => {
  const REQUEST = requestOf('100 DLR to EUR');

  /** What a single answer to each of two requests comes to, by the id of the relation. */
  function held(id: string, a: [object, object], b: [object, object]): string {
    const row = Object.values(ZAP_RELATIONS)
      .flat()
      .find((one) => one.id === id);
    if (row === undefined) throw new Error(`no relation ${id}`);
    const [first, second] = [a, b].map(([request, json]) => {
      const route = readRoute(json, request);
      return route && row.ofRoute(route);
    });
    if (first === null || second === null) return 'nothing';
    return stateOf(row, [{ digest: first }], [{ digest: second }]).kind;
  }
  const pairOf = (output: string, change: object = {}, slippage = 1): [object, object] => {
    const amount = /^\d+/.exec(output)?.[0] ?? '0';
    const json = answered(amount, [`swap one: 100 DLR -> ${output} EUR`], change);
    return [{ ...REQUEST, slippage }, json];
  };

  test('a quote and its build share actions, protocols and assets, not amounts', () => {
    const id = 'zap.quote-build.same-route';
    expect(held(id, pairOf('50'), pairOf('51'))).toBe('holds');
    const other = answered('50', ['swap two: 100 DLR -> 50 EUR']);
    expect(held(id, pairOf('50'), [REQUEST, other])).toBe('suspect');
    const unreadable = answered('50', [{ action: 7, input: [], output: [] }]);
    expect(held(id, pairOf('50'), [REQUEST, unreadable])).toBe('nothing');
  });

  test('the approval of the same route is the same, in any letters', () => {
    const id = 'zap.quote-build.same-approval';
    const approval = { callTo: '0xAb', approveTo: '0xCd', amount: '1' };
    const a = pairOf('50', { approvalData: approval });
    expect(held(id, a, pairOf('50', { approvalData: { ...approval, approveTo: '0xcD' } }))).toBe(
      'holds',
    );
    expect(held(id, a, pairOf('50', { approvalData: { ...approval, approveTo: '0xEf' } }))).toBe(
      'suspect',
    );
  });

  test('more slippage guarantees no more', () => {
    const id = 'zap.slippage.more-guarantees-no-more';
    expect(held(id, pairOf('1000000>990000', {}, 1), pairOf('1000000>980000', {}, 2))).toBe(
      'holds',
    );
    expect(held(id, pairOf('1000000>990000', {}, 1), pairOf('1000000>995000', {}, 2))).toBe(
      'suspect',
    );
    expect(held(id, pairOf('1000000>995000', {}, 2), pairOf('1000000>990000', {}, 1))).toBe(
      'suspect',
    );
    expect(held(id, pairOf('1000>990', {}, 1), pairOf('1000>995', {}, 2))).toBe('nothing');
  });

  test('slippage that is followed once is followed always; a fixed price never follows', () => {
    const id = 'zap.slippage.followed-throughout';
    const asked = pairOf('1000000>990000', {}, 1);
    expect(held(id, asked, pairOf('1000000>980000', {}, 2))).toBe('holds');
    expect(held(id, asked, pairOf('1000000>990000', {}, 2))).toBe('suspect');
    expect(held(id, pairOf('1000000>990000', {}, 2), asked)).toBe('suspect');
    // A fixed price would be the same of a service that caps slippages.
    expect(held(id, pairOf('1000000>1000000', {}, 2), pairOf('1000000>1000000', {}, 1))).toBe(
      'nothing',
    );
  });

  test('a build yields what was quoted, or a thousandth less', () => {
    const id = 'zap.quote-build.no-less-than-quoted';
    expect(held(id, pairOf('10000000'), pairOf('9990000'))).toBe('holds');
    expect(held(id, pairOf('10000000'), pairOf('11000000'))).toBe('holds');
    expect(held(id, pairOf('10000000'), pairOf('9989990'))).toBe('suspect');
    const simulated: [object, object] = [{ ...REQUEST, estimateGas: true }, pairOf('9989990')[1]];
    expect(held(id, pairOf('10000000'), simulated)).toBe('nothing');
  });

  test('the same tokens in other letters yield the same', () => {
    const id = 'zap.addresses.letter-case-leaves-amount';
    expect(held(id, pairOf('10000000'), pairOf('10005000'))).toBe('holds');
    expect(held(id, pairOf('10000000'), pairOf('10020000'))).toBe('suspect');
    expect(held(id, pairOf('10000000'), pairOf('9980000'))).toBe('suspect');
    const other = answered('9980000', ['swap two: 100 DLR -> 9980000 EUR']);
    expect(held(id, pairOf('10000000'), [REQUEST, other])).toBe('nothing');
  });

  test('amounts that say too little to show that nothing moved are not compared', () => {
    const id = 'zap.recipient.leaves-amount';
    expect(held(id, pairOf('999'), pairOf('998'))).toBe('nothing');
    expect(held(id, pairOf('1000000'), pairOf('1000001'))).toBe('suspect');
    expect(held(id, pairOf('1000000'), pairOf('1000000'))).toBe('holds');
  });

  test('more in yields no less', () => {
    const id = 'zap.amount.more-in-no-less-out';
    expect(held(id, pairOf('50'), pairOf('50'))).toBe('holds');
    expect(held(id, pairOf('50'), pairOf('49'))).toBe('suspect');
  });

  test('gas shows whether it was estimated', () => {
    const id = 'zap.estimate-gas.false-by-default';
    const gas = (estimatedGas: string): [object, object] =>
      pairOf('50', { steps: [{ action: 'execute', data: { estimatedGas } }] });
    expect(held(id, gas('1'), gas('1'))).toBe('holds');
    expect(held(id, gas('1'), gas('2'))).toBe('suspect');
  });
});

describe('the rule that judges a relation', () => {
  const VIEWS: RelationRow<string> = {
    ...{ ...RELATION, api: 'zap', operations: ['zap.pools'] },
    digest: ({ json }) => (json as { data: string }).data,
  };
  const sketch = (role: string, data: string, status = 200): WireSketch => ({
    ...{ path: '/v1/pools', status, answered: { data } },
    relations: [{ kind: 'test', group: 'g', role }],
  });
  const judged = (row: RelationRow<string>, sketches: readonly WireSketch[]): RuleResult[] =>
    judge(
      [relationRule(row)],
      contract,
      sketches.map((one, at) => ({ ...wireExchange(one), id: `x${10 + at}` })),
    );

  test('shows the first answer to each request, that to B before that to A', () => {
    const pairs = Array.from({ length: 7 }, () => [sketch('A', 'x'), sketch('B', 'y')]).flat();
    const [result] = judged(VIEWS, pairs);
    expect(result?.findings.map(({ exchanges }) => exchanges)).toEqual([['x11', 'x10']]);
  });

  test('takes a refusal for none if it has a reason of its own', () => {
    const refusing: RelationRow<string> = { ...VIEWS, refused: 'a success' };
    const pairs = Array.from({ length: 7 }, () => [sketch('A', 'x'), sketch('B', '', 404)]).flat();
    expect(judged(refusing, pairs)[0]?.verdict).toBe('warn');
    expect(judged(refusing, pairs)[0]?.findings[0]?.actual).toBe(
      'answered with 404 7 times, while the other request was served',
    );
    const excusing = { ...refusing, excused: ({ status }: View) => status === 404 };
    expect(judged(excusing, pairs)[0]?.verdict).toBe('not-reached');
  });
});
