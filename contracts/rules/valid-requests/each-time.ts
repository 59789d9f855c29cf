import type { Collected, GroupJudgement } from '../../judging/rule.ts';
import { byKind, byRequest, isServed, type SentFact, type SentFacts } from './sent-requests.ts';
import type { ValidAnswer } from './valid-answer.ts';

/** The same request fails so often before that is how it is answered. */
const FAILURES_OF_ITS_OWN = 3;
/** The same if an answer among them may be gone the next moment: an outage, or none at all. */
const FAILURES_OF_THE_MOMENT = 5;

/** The legal service that is nearest to one with a fault: it answers 503 one time in so many. */
export const OUTAGES_ONE_IN = 15;
/** Runs of such a service of which fewer than one may alarm. */
export const RUNS_WITHOUT_ALARM = 10_000;

/**
 * The same request meets nothing but outages so often before that is how it is answered. A run of the
 * largest profile sends 20,000 requests, each of which may begin a series of `n` outages, which has the
 * probability 15⁻ⁿ. 20,000 · 15⁻⁷ is 1.2 in 10,000 runs; 20,000 · 15⁻⁸ is 0.08 in 10,000 runs.
 */
export const OUTAGES_IN_A_ROW = 8;

/** Errors that may be all that a gateway, or a contract, means to say. */
const EXCUSABLE: readonly ValidAnswer[] = ['outage', 'stated'];
const OF_THE_MOMENT: readonly ValidAnswer[] = ['outage', 'unanswered'];
const BAD: readonly ValidAnswer[] = ['failed', 'stated', 'outage', 'unanswered'];

/** Whether an answer may be how a request is answered each time, and is no service. */
export function isNoService(answer: ValidAnswer): boolean {
  return BAD.includes(answer);
}

/** How often a request must have been answered so, and never otherwise, to be certain. */
export function certainAfter(answers: readonly ValidAnswer[]): number {
  if (answers.every((answer) => EXCUSABLE.includes(answer))) return OUTAGES_IN_A_ROW;
  const isOfTheMoment = answers.some((answer) => OF_THE_MOMENT.includes(answer));
  return isOfTheMoment ? FAILURES_OF_THE_MOMENT : FAILURES_OF_ITS_OWN;
}

/** Which answers make a failing request: what a gateway or the contract says alone, or any other. */
export type Excuse = 'excusable' | 'inexcusable';

// RFC 9110 section 15.6: 5xx says that the service erred. One that errs in a valid request each time,
// and serves others of the operation between, has no service for whoever asks for just that.
export function judgeEachTime(facts: SentFacts, excuse: Excuse): GroupJudgement[] {
  return byKind(facts).map((own) => {
    const served = own.find(isServed);
    const group = served === undefined ? ofItsOperation(own, facts) : own;
    const places = new Map(group.map((one, at) => [one, at]));
    const requests = byRequest(own);
    const failing = requests.filter((answers) => {
      const isExcusable = answers.every(({ fact }) => isOneOf(fact, EXCUSABLE));
      return isExcusable === (excuse === 'excusable') && failsEachTime(answers, group, places);
    });
    const others = served === undefined ? [] : [served.witness];
    const shown = failing[0]?.[0]?.fact;
    if (shown === undefined) {
      return { witnesses: others, judgement: others.length === 0 ? null : [] };
    }
    const times = failing.reduce((sum, { length }) => sum + length, 0);
    const expected = 'no error of the service, each time, for a valid request';
    const actual = `${failing.length} of ${requests.length} different valid requests to ${operationOf(shown)} failed each time, ${times} times in all, with others served between: ${shown.said}`;
    const witnesses = failing.flat().map(({ witness }) => witness);
    return {
      witnesses: [...witnesses.slice(0, 4), (served ?? group.find(isServed))?.witness ?? []].flat(),
      judgement: [{ pointer: '', expected, actual }],
    };
  });
}

/** If no request of a kind was served, whatever it is, others of its operation show that it serves. */
function ofItsOperation([first]: SentFacts, facts: SentFacts): SentFacts {
  if (first === undefined) return [];
  const operation = operationOf(first.fact);
  return facts.filter(({ fact }) => operationOf(fact) === operation);
}

/** Whether some request of a kind failed each time it was sent, so often that it is certain. */
export function someFailEachTime(group: SentFacts): boolean {
  const places = new Map(group.map((one, at) => [one, at]));
  return byRequest(group).some((answers) => failsEachTime(answers, group, places));
}

/** Whether each of several answers to a request was an error, while others of its kind were served. */
function failsEachTime(
  answers: SentFacts,
  group: SentFacts,
  places: ReadonlyMap<Collected<SentFact>, number>,
): boolean {
  const kinds = answers.flatMap(({ fact }) => (fact.answer === 'another' ? [] : [fact.answer]));
  if (!kinds.every(isNoService) || kinds.length < certainAfter(kinds)) return false;
  const [first, last] = [answers[0], answers.at(-1)];
  if (first === undefined || last === undefined) return false;
  return group.slice(places.get(first), places.get(last)).some(isServed);
}

function isOneOf({ answer }: SentFact, answers: readonly ValidAnswer[]): boolean {
  return answer !== 'another' && answers.includes(answer);
}

/** The operation of a request, without what says nothing of its others. */
export function operationOf({ kind }: SentFact): string {
  return kind.split(',')[0] ?? kind;
}
