import { expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { type Named, type RunRule, runRule } from '../../contracts/judging/rule.ts';
import { View } from '../../contracts/judging/view.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { AnswerJudge, rulesOfAnswers } from './answer-judge.ts';
import { JudgedCounts } from './judged-counts.ts';
import { ruleOfNames } from './names.ts';

const contract = await loadContract();
const RULE = runRule<Named>({
  ...{ id: 'zap.names', level: 'must', source: 'card', protects: 'Nothing.', api: 'zap' },
  ...{ operations: '*', answer: 'success', leastEvidence: 1 },
  collect: ({ json }) => json as Named,
  nameOf: (fact) => fact,
  conclude: () => [],
});

const answer = (name: string, of: string, key = ''): ReturnType<typeof exchangeOf> =>
  exchangeOf({ answered: { name, of, key } });

/** What is said of each of some answers. */
function said(answers: readonly ReturnType<typeof answer>[], most?: number): string[] {
  const { nameOf } = RULE as RunRule;
  if (nameOf === undefined) throw new Error('the rule names nothing');
  const rule = ruleOfNames(RULE as RunRule, nameOf, most);
  return answers.map((one) => {
    const judgement = rule.judge(new View(one, contract));
    if (judgement === null) return 'nothing';
    return judgement === 'too much' || judgement.length > 0 ? 'broken' : 'held';
  });
}

test('a name that another thing has is found, however many answers are between', () => {
  const between = Array.from({ length: 5_000 }, (_, at) => answer(`n${at}`, `t${at}`));
  const all = said([answer('a', 'one'), ...between, answer('a', 'other'), answer('b', 'other')]);
  expect([all[0], all.at(-2), all.at(-1)]).toEqual(['held', 'broken', 'held']);
  expect(all.filter((one) => one === 'held')).toHaveLength(5_002);
});

test('one thing, and what is asked for by one key, may have the same name again', () => {
  expect(said([answer('a', 'one'), answer('a', 'one')])).toEqual(['held', 'nothing']);
  expect(said([answer('a', 'one', 'k'), answer('a', 'other', 'k')])).toEqual(['held', 'nothing']);
  expect(said([answer('a', 'one', 'k'), answer('a', 'other', 'l')])).toEqual(['held', 'broken']);
  expect(said([answer('a', 'k'), answer('a', 'one', 'k')])).toEqual(['held', 'broken']);
});

test('so many names are known at the most, and later ones are compared with those', () => {
  const all = said(
    [answer('a', 'one'), answer('b', 'two'), answer('b', 'three'), answer('a', 'x')],
    1,
  );
  expect(all).toEqual(['held', 'nothing', 'nothing', 'broken']);
});

test('it judges with the rules on single answers, under the id of the rule over a run', () => {
  const rules = rulesOfAnswers([RULE]);
  const counts = new JudgedCounts(rules.length, 1);
  const judge = new AnswerJudge(rules, contract, counts);
  expect(judge.judge(answer('a', 'one'), 0).broken).toEqual([]);
  expect(judge.judge(answer('a', 'other'), 0).broken).toEqual(['zap.names']);
  expect(counts.evidence(0, 1)).toEqual({ judged: 2, broken: 1 });
});
