import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { digestOf } from './1-idempotency.ts';

/** The kind of relation of one request with one Idempotency-Key by several callers; a role is one. */
export const ONE_CALLER = 'one-caller';

interface Fact {
  readonly group: string;
  readonly caller: string;
  readonly isServed: boolean;
  readonly text: string;
}

function collect(view: View): Fact | null {
  const place = view.exchange.relations.find(({ kind }) => kind === ONE_CALLER);
  if (place === undefined || view.status >= 500) return null;
  const { group, role: caller } = place;
  return { group, caller, isServed: view.succeeded, text: digestOf(view.text) };
}

// Two builds have two ids (section 2.4), so that the same answer is one that was kept.
function conclude(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  return facts.flatMap(({ fact, witness }, index): GroupJudgement[] => {
    const first = facts.slice(0, index).find((one) => one.fact.group === fact.group);
    if (first?.fact.isServed !== true || first.fact.caller === fact.caller) return [];
    if (!fact.isServed || fact.text !== first.fact.text) {
      return [{ witnesses: [witness], judgement: [] }];
    }
    const expected = 'an answer to this caller, or a refusal of the key';
    const actual = `the answer to another credential, byte for byte: ${first.fact.caller}, then ${fact.caller}`;
    const judgement = [{ pointer: '', expected, actual }];
    return [{ witnesses: [witness, first.witness], judgement }];
  });
}

/** A key is the client's (section 2.2 of the draft), who is known by his credential. */
export const oneCallerRule: Rule = runRule<Fact>({
  id: 'trade.idempotency-key.of-one-caller',
  level: 'should',
  source: 'implied by §1, §4.2, draft-ietf-httpapi-idempotency-key-header section 5',
  protects: 'A key that two callers happen to use gives none of them the answer of the other.',
  rulesOut:
    'A service that finds answers by the key, whoever sends it: a caller with another credential, or none, would get what was built before.',
  api: 'trade',
  operations: ['trade.build-tx'],
  answer: 'answered',
  relation: ONE_CALLER,
  leastEvidence: 1,
  needs: {
    apis: ['docs', 'trade'],
    also: 'a key in ASSAY_TRADE_KEY, or a service of your own that gives keys out',
  },
  collect,
  conclude,
});
