import { excerpt } from '../../../judging/excerpt.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { ApiName } from '../../../wire/exchange.ts';

/** Defects that the request as a whole has, before any field of its body is looked at. */
const TRANSPORT_DEFECTS: ReadonlySet<string> = new Set([
  'unknown route',
  'wrong method',
  'malformed JSON',
  'empty body',
  'an array as body',
  'wrong content type',
  'oversized body',
]);

/** What says nothing of the request: the service, or a gateway, has no time for any. */
const UNAVAILABLE: readonly number[] = [503, 504];

/** A request that an error of the service answered is sent again; so often it must be the answer. */
const EACH_TIME = 2;

interface Fact {
  readonly defect: string;
  readonly path: string;
  readonly hasErred: boolean;
  readonly said: string;
}

function factOf(view: View): Fact | null {
  const { purpose, request } = view.exchange;
  if (purpose.kind !== 'invalid' || !TRANSPORT_DEFECTS.has(purpose.defect)) return null;
  const { status } = view;
  if (status < 400 || UNAVAILABLE.includes(status)) return null;
  // 501 is right for a method that the server knows nowhere (RFC 9110 section 15.6.2).
  const isRight = status < 500 || (status === 501 && purpose.defect === 'wrong method');
  return {
    defect: purpose.defect,
    path: `${request.method} ${request.path}`,
    hasErred: !isRight,
    said: isRight ? '' : `${status} ${excerpt(view.text, 120)}`,
  };
}

// RFC 9110 section 15.5: 4xx says that the client seems to have erred, 15.6: 5xx that the server has.
// One that errs now and then says nothing of the request by it.
function conclude(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const requests = new Map<string, Collected<Fact>[]>();
  for (const one of facts) {
    const key = `${one.fact.defect} ${one.fact.path}`;
    const known = requests.get(key);
    if (known === undefined) requests.set(key, [one]);
    else known.push(one);
  }
  return [...requests.values()].map((answers): GroupJudgement => {
    const witnesses = answers.map(({ witness }) => witness);
    const [first] = answers;
    const hasErred = answers.every(({ fact }) => fact.hasErred);
    if (first === undefined || !hasErred) return { witnesses, judgement: [] };
    if (answers.length < EACH_TIME) return { witnesses, judgement: 'inconclusive' };
    const { defect, said } = first.fact;
    const broken: Broken = {
      pointer: '',
      expected: `a 4xx status for a request with ${defect}`,
      actual: `${said}, each of ${answers.length} times`,
    };
    return { witnesses, judgement: [broken] };
  });
}

/** The rule that a request which is wrong as a whole is reported as the client's error, of one API. */
export function clientErrorRule(api: ApiName): Rule {
  return runRule<Fact>({
    id: `${api}.errors.client-error`,
    level: 'should',
    source: 'RFC 9110 section 15.5',
    protects: 'A request that is wrong as a whole is answered as an error of the client.',
    rulesOut:
      'A service that answers 500 when its parser or router fails: the request cannot be parsed or routed, and is sent again if it meets a 500.',
    api,
    operations: '*',
    answer: 'error',
    leastEvidence: 1,
    collect: factOf,
    conclude,
  });
}
