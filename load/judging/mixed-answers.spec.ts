import { expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { runRule } from '../../contracts/judging/rule.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { answerAt, namedRule } from './judging.testkit.ts';
import { MixedAnswers, violationsOf } from './mixed-answers.ts';

const contract = await loadContract();

interface Fact {
  readonly asked: string;
  readonly answered: string;
}

/** Broken by an answer with the name that the other request asked for. */
const apart = runRule<Fact>({
  ...{ ...namedRule('apart'), id: 'zap.apart', relation: 'simultaneous' },
  collect: ({ json, exchange }) => {
    const answered = String((json as { name?: string }).name);
    return { asked: exchange.request.path, answered };
  },
  conclude: (facts) => {
    const [one, other] = facts;
    if (one === undefined || other === undefined) return [];
    const isMixed = one.fact.answered === other.fact.asked;
    const broken = [{ pointer: '/name', expected: one.fact.asked, actual: one.fact.answered }];
    return [{ witnesses: [one.witness, other.witness], judgement: isMixed ? broken : [] }];
  },
});

/** An answer that takes 50 ms, while five requests leave. */
function answer(number: number, asked: string, name: string, beside = ''): Exchange {
  const plain = answerAt(number, { name, beside });
  return { ...plain, request: { ...plain.request, path: asked }, latencyMs: 50 };
}

function opened(): MixedAnswers {
  return new MixedAnswers([namedRule('one'), apart], contract);
}

test.each([
  ['after', 14],
  ['before', 7],
])('an answer that is that to another request is found with it, which came %s it', (_, whose) => {
  const mixed = opened();
  for (let at = 0; at < 200; at += 1) {
    const name = at === 10 ? `r${whose}` : `r${at}`;
    mixed.add(answer(at, `r${at}`, name), 1, at === 10 ? ['zap.echo'] : []);
  }
  const pairs = mixed.pairs();
  expect(pairs).toHaveLength(1);
  expect(pairs[0]).toMatchObject({
    rule: 'zap.apart',
    step: 1,
    exchanges: [
      {
        id: 'x000010-mixed-1',
        relations: [{ kind: 'simultaneous', group: 'load-1', role: 'one' }],
      },
      { id: `x0000${String(whose).padStart(2, '0')}-mixed-1` },
    ],
  });
  expect(violationsOf(pairs, 2)).toEqual([
    {
      ...{ rule: 'zap.apart', count: 1, firstStep: 1, firstExchange: 'x000010-mixed-1' },
      bySteps: [
        { judged: 0, broken: 0 },
        { judged: 1, broken: 1 },
      ],
    },
  ]);
});

test('what was over before, or began later, is not what it was mixed with', () => {
  for (const whose of [3, 17]) {
    const mixed = opened();
    for (let at = 0; at < 40; at += 1) {
      const name = at === 10 ? `r${whose}` : `r${at}`;
      mixed.add(answer(at, `r${at}`, name), 0, at === 10 ? ['zap.echo'] : []);
    }
    expect(mixed.pairs()).toEqual([]);
  }
});

test('answers that are wrong in another way, or break nothing, are no pairs', () => {
  const mixed = opened();
  for (let at = 0; at < 40; at += 1) {
    mixed.add(
      answer(at, `r${at}`, at % 2 ? 'nobody' : `r${at + 1}`),
      0,
      at % 2 ? ['zap.echo'] : [],
    );
  }
  expect(mixed.pairs()).toEqual([]);
});

test('few broken answers are compared, however many there are, and large ones are not kept', () => {
  const mixed = opened();
  for (let at = 0; at < 500; at += 1) {
    mixed.add(answer(at, `r${at}`, `r${at + 1}`), 0, [at % 2 ? 'zap.echo' : 'zap.other']);
  }
  expect(mixed.pairs()).toHaveLength(6);
  const large = opened();
  const text = 'x'.repeat(20_000);
  for (let at = 0; at < 9; at += 1) {
    large.add(answer(at, `r${at}`, `r${at + 1}`, text), 0, ['zap.echo']);
  }
  expect(large.pairs()).toEqual([]);
});
