import { expect, test } from 'vitest';
import { judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { RULES } from '../../contracts/service/registry.ts';
import { loadCases } from '../../fixtures/service/cases/load-cases.ts';
import { AnswerJudge, rulesOfAnswers } from './answer-judge.ts';
import { JudgedCounts } from './judged-counts.ts';

const contract = await loadContract();
const rules = rulesOfAnswers(RULES);
const exchanges = (await loadCases()).map(({ exchange }) => exchange);

test('answers to requests that are sent again and again are judged as each is alone', () => {
  const judging = new AnswerJudge(rules, contract, new JudgedCounts(rules.length, 1));
  const alone = exchanges.map((exchange) =>
    judge(rules, contract, [exchange]).flatMap(({ rule, findings }) =>
      findings.length > 0 ? [rule.id] : [],
    ),
  );
  expect(alone.filter((broken) => broken.length > 0).length).toBeGreaterThan(50);
  for (const round of [1, 2]) {
    for (const [at, exchange] of exchanges.entries()) {
      const { broken } = judging.judge(exchange, 0);
      expect([round, exchange.id, [...broken].sort()]).toEqual([
        round,
        exchange.id,
        alone[at]?.sort(),
      ]);
    }
  }
  expect(judging.crashes).toEqual([]);
});

test('every answer to one request is judged by itself', () => {
  const judging = new AnswerJudge(rules, contract, new JudgedCounts(rules.length, 1));
  const [one] = exchanges.filter(({ request }) => request.path === '/v1/quote');
  if (one === undefined) throw new Error('there is a quote among the cases');
  const { request } = one;
  for (const exchange of exchanges.filter(({ api }) => api === one.api)) {
    // Each answer of all cases, as if it were one to this request.
    const asked = { ...exchange, api: one.api, request };
    const [fresh] = [judge(rules, contract, [{ ...asked, request: { ...request } }])];
    const expected = fresh.flatMap(({ rule, findings }) => (findings.length > 0 ? [rule.id] : []));
    expect([...judging.judge(asked, 0).broken].sort()).toEqual(expected.sort());
  }
});
