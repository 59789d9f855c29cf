import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { headerOf } from '../../../wire/exchange.ts';
import { digestOf } from './idempotency.ts';

/** The kind of relation of one request with one Idempotency-Key by several callers; a role is one. */
export const ONE_CALLER = 'one-caller';

/** Beside what the callers were answered: that a credential was refused, so that the service distinguishes them. */
type Fact =
  | { readonly kind: 'refusal' }
  | {
      readonly kind: 'answer';
      readonly group: string;
      readonly caller: string;
      readonly isServed: boolean;
      readonly text: string;
    };

function collect(view: View): Fact | null {
  const { exchange, status, succeeded, text } = view;
  const isRefused = status === 401 || status === 403;
  const isSent = headerOf(exchange.request.headers, 'authorization') !== undefined;
  if (isRefused && isSent) return { kind: 'refusal' };
  const place = exchange.relations.find(({ kind }) => kind === ONE_CALLER);
  if (place === undefined || status >= 500) return null;
  const { group, role: caller } = place;
  return { kind: 'answer', group, caller, isServed: succeeded, text: digestOf(text) };
}

// Two builds have two ids (section 2.4), so that the same answer is one that was kept. The key is optional (section 5):
// to a service that reads none, all callers are one.
function conclude(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  if (!facts.some(({ fact }) => fact.kind === 'refusal')) return [];
  return facts.flatMap(({ fact, witness }, index): GroupJudgement[] => {
    if (fact.kind === 'refusal') return [];
    const { group } = fact;
    const [first] = facts
      .slice(0, index)
      .flatMap((one) => (one.fact.kind === 'answer' && one.fact.group === group ? [one] : []));
    if (first === undefined || first.fact.kind === 'refusal') return [];
    if (!first.fact.isServed || first.fact.caller === fact.caller) return [];
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
  operations: '*',
  answer: 'answered',
  leastEvidence: 1,
  needs: {
    apis: ['docs', 'trade'],
    also: 'a key in ASSAY_TRADE_KEY, or a service of your own that gives keys out, and refuses others',
  },
  collect,
  conclude,
});
