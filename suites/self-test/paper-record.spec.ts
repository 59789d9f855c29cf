import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import {
  exchangeRule,
  type ExchangeRule,
  type Judgement,
  type Rule,
} from '../../contracts/judging/rule.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { createPaperRecord } from './paper-record.ts';

const contract = await loadContract();

function ruleOf(id: string, judge: ExchangeRule['judge']): Rule {
  return exchangeRule({
    ...{ id, level: 'must', source: 'card', protects: 'Nothing.' },
    ...{ api: 'zap', operations: '*', answer: 'success', leastEvidence: 1 },
    judge,
  });
}

/** Judges exchanges while they come, and then what the record holds of them. */
function judgedOtherwise(rules: readonly Rule[], exchanges: readonly Exchange[]): string[] {
  const judge = new Judge(rules, contract);
  const paper = createPaperRecord();
  for (const exchange of exchanges) {
    judge.add(exchange);
    paper.record(exchange);
  }
  return paper.judgedOtherwise(rules, contract, judge.results());
}

const TWO = [exchangeOf({ id: 'x00001' }), exchangeOf({ id: 'x00002' })];
const broken = [{ pointer: '/a', expected: 'one', actual: 'two' }];
const steady = [ruleOf('zap.held', () => []), ruleOf('zap.broken', () => broken)];

describe('a record', () => {
  test('of which rules say what they said is none that differs', () => {
    expect(judgedOtherwise(steady, TWO)).toEqual([]);
  });

  test.each<[what: string, first: Judgement, later: Judgement]>([
    ['verdict', [], broken],
    ['evidence', null, []],
    ['finding', [{ pointer: '/b', expected: 'one', actual: 'two' }], broken],
  ])('of which a rule gives another %s is reported by that rule', (_, first, later) => {
    let asked = 0;
    const moody = ruleOf('zap.moody', () => ((asked += 1) === 1 ? first : later));
    expect(judgedOtherwise([...steady, moody], TWO)).toEqual(['zap.moody']);
  });

  test('is judged by what stands in it alone', () => {
    const alive = new WeakSet<object>(TWO.map(({ request }) => request));
    const peeking = ruleOf('zap.peeking', ({ exchange }) =>
      alive.has(exchange.request) ? [] : broken,
    );
    expect(judgedOtherwise([...steady, peeking], TWO)).toEqual(['zap.peeking']);
  });

  test('with a line that is no exchange is an error', () => {
    const paper = createPaperRecord();
    paper.record({ ...exchangeOf(), request: undefined } as unknown as Exchange);
    expect(() => paper.judgedOtherwise(steady, contract, [])).toThrow('line 1 is no exchange: ');
  });
});
