import { excerpt } from '../excerpt.ts';
import { member } from '../json.ts';
import type { Collected, GroupJudgement, Rule } from '../rule.ts';
import { runRule } from '../rule.ts';
import type { View } from '../view.ts';
import type { ApiName } from '../wire/exchange.ts';
import { answerKindOf } from './answer-kind.ts';

/** An error of the service this often is no accident. */
const AGAIN_AND_AGAIN = 3;
/** Different requests that fail count from one in so many on: any service fails now and then. */
const ONE_IN = 20;

/** The one silence about requests that is valid by its types: amount is not required (section 2.1). */
const AMOUNT_ABSENT = 'amount absent';

interface Fact {
  /** Operation, and whether the transaction is simulated: senders that hold nothing may fail there. */
  readonly kind: string;
  readonly request: string;
  readonly failed: boolean;
  readonly said: string;
}

/** The answer to a valid request that was served or failed; null for any other. */
function factOf(view: View): Fact | null {
  const { purpose, request } = view.exchange;
  const isProbe = purpose.kind === 'probe' && purpose.about === AMOUNT_ABSENT;
  if ((purpose.kind !== 'valid' && !isProbe) || view.operation === undefined) return null;
  const answer = answerKindOf(view);
  if (answer !== 'served' && answer !== 'failed') return null;
  const failed = answer === 'failed';
  return {
    kind: `${view.operation.id}${isSimulated(view) ? ', simulated' : ''}`,
    request: failed ? `${request.path} ${request.body?.text ?? ''}` : '',
    failed,
    said: failed ? `${view.status} ${excerpt(view.text, 120)}` : '',
  };
}

function isSimulated({ operation, requestJson }: View): boolean {
  if (operation?.id === 'trade.build-tx') return member(requestJson, 'disableEstimation') !== true;
  return member(requestJson, 'estimateGas') === true;
}

// RFC 9110 section 15.6: 5xx says that the service erred. One that erred in a valid request again and
// again, while it served others of the kind, has a fault of its own.
function judgeKind(facts: readonly Collected<Fact>[]): GroupJudgement {
  const failures = facts.filter(({ fact }) => fact.failed);
  const last = failures.at(-1);
  const first = facts.findIndex(({ fact }) => fact.failed);
  const wasServedBetween = facts
    .slice(first, last === undefined ? first : facts.lastIndexOf(last))
    .some(({ fact }) => !fact.failed);
  const served = facts.filter(({ fact }) => !fact.failed).slice(0, 1);
  const shown = [...failures, ...served].map(({ witness }) => witness);
  if (failures.length < AGAIN_AND_AGAIN || !wasServedBetween) {
    return { witnesses: shown, judgement: [] };
  }
  const times = new Map<string, number>();
  for (const { fact } of failures) times.set(fact.request, (times.get(fact.request) ?? 0) + 1);
  const isOften = failures.length * ONE_IN >= facts.length;
  if (!isOften && Math.max(...times.values()) < AGAIN_AND_AGAIN) {
    return { witnesses: shown, judgement: [] };
  }
  const expected = 'no error of the service for a valid request';
  const actual = `${failures.length} of ${facts.length} failed, others were served between: ${last?.fact.said ?? ''}`;
  return { witnesses: shown, judgement: [{ pointer: '', expected, actual }] };
}

function judgeAll(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const kinds = new Map<string, Collected<Fact>[]>();
  for (const one of facts) {
    const known = kinds.get(one.fact.kind);
    if (known === undefined) kinds.set(one.fact.kind, [one]);
    else known.push(one);
  }
  return [...kinds.values()].map(judgeKind);
}

/** The rule that valid requests are not answered with errors of the service, of one API. */
export function validRequestsRule(api: ApiName): Rule {
  return runRule<Fact>({
    id: `${api}.errors.none-of-the-service`,
    level: 'should',
    source: 'implied by §4, RFC 9110 section 15.6',
    protects: 'A valid request does not meet an error of the service again and again.',
    api,
    operations: '*',
    answer: 'answered',
    leastEvidence: 1,
    collect: factOf,
    conclude: judgeAll,
  });
}
