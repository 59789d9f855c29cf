import { probabilityInterval } from '../../../judging/binomial.ts';
import { excerpt } from '../../../judging/excerpt.ts';
import { member } from '../../../wire/json.ts';
import type { Collected, GroupJudgement, Rule, Witness } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import { headerOf } from '../../../wire/exchange.ts';
import { answerKindOf } from '../shared/answer-kind.ts';

/** The same request fails so often before that is how it is answered. */
export const FAILURES_OF_ITS_OWN = 3;
/** The same of what may be gone the next moment: a gateway's answers, and none at all. */
export const FAILURES_OF_THE_MOMENT = 5;
/** Separate moments in which a service must fail before a rate is spoken of. */
const MIN_EPISODES = 3;
/** Any service fails now and then; one that surely fails more often than this is known for it. */
const TOLERATED_SHARE = 0.005;

/**
 * The one unspecified thing about requests that is valid by its types: amount is not required (section
 * 2.1).
 */
const AMOUNT_ABSENT = 'amount absent';

/** Statuses of a service, or a gateway, that has no time for any request (RFC 9110 section 15.6). */
const OUTAGES: readonly number[] = [502, 503, 504];

interface Fact {
  /** Operation, and whether the transaction is simulated: senders that hold nothing may fail there. */
  readonly operation: string;
  readonly isSimulated: boolean;
  /** `down`: an outage, or no answer · `failed`: any other error of the service. */
  readonly answer: 'served' | 'failed' | 'down' | 'other';
  readonly said: string;
}

type Facts = readonly Collected<Fact>[];

/** What became of a valid request; null of any other. */
function factOf(view: View): Fact | null {
  const { purpose } = view.exchange;
  const isProbe = purpose.kind === 'probe' && purpose.about === AMOUNT_ABSENT;
  if ((purpose.kind !== 'valid' && !isProbe) || view.operation === undefined) return null;
  // What becomes of keys that were used is for rules on them.
  if (headerOf(view.exchange.request.headers, 'idempotency-key') !== undefined) return null;
  const answer = answerOf(view);
  const isBad = answer === 'failed' || answer === 'down';
  return {
    operation: view.operation.id,
    isSimulated: isSimulated(view.operation.id, view.requestJson),
    answer,
    said: isBad ? saidBy(view) : '',
  };
}

function answerOf(view: View): Fact['answer'] {
  const { status } = view;
  if (status === 0) return 'down';
  const answer = answerKindOf(view);
  if (answer === 'served' || answer === 'failed') return answer;
  return OUTAGES.includes(status) ? 'down' : status > 504 ? 'failed' : 'other';
}

function saidBy({ status, text, exchange: { outcome } }: View): string {
  return outcome.kind === 'failure' ? outcome.message : `${status} ${excerpt(text, 120)}`;
}

/** Whether a service simulates the transaction of a request, which may fail for who holds nothing. */
export function isSimulated(operation: string, requestJson: unknown): boolean {
  if (operation === 'trade.build-tx') return member(requestJson, 'disableEstimation') !== true;
  return member(requestJson, 'estimateGas') === true;
}

/** All answers to one request, by their places among the facts. */
interface Repeated {
  readonly places: number[];
  isBad: boolean;
  isOfTheMoment: boolean;
}

function requestsOf(facts: Facts): Map<string, Repeated> {
  const requests = new Map<string, Repeated>();
  facts.forEach(({ fact, witness }, at) => {
    const key = keyOf(witness);
    let known = requests.get(key);
    if (known === undefined) {
      known = { places: [], isBad: true, isOfTheMoment: false };
      requests.set(key, known);
    }
    known.places.push(at);
    known.isBad &&= fact.answer === 'failed' || fact.answer === 'down';
    known.isOfTheMoment ||= fact.answer === 'down';
  });
  return requests;
}

function keyOf({ request: { method, path, body } }: Witness): string {
  return `${method} ${path} ${body?.text ?? ''}`;
}

/** Whether each of several answers to a request was an error, while others of its kind were served. */
function failsEachTime({ places, isBad, isOfTheMoment }: Repeated, facts: Facts): boolean {
  const least = isOfTheMoment ? FAILURES_OF_THE_MOMENT : FAILURES_OF_ITS_OWN;
  if (!isBad || places.length < least) return false;
  return facts.slice(places[0], places.at(-1)).some(({ fact }) => fact.answer === 'served');
}

function groupsOf(facts: Facts): Facts[] {
  const groups = new Map<string, Collected<Fact>[]>();
  for (const one of facts) {
    const { operation, isSimulated: simulated } = one.fact;
    const key = `${operation}${simulated ? ', simulated' : ''}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return [...groups.values()];
}

// RFC 9110 section 15.6: 5xx says that the service erred. One that errs in a valid request each time,
// and serves others of the operation between, has no service for whoever asks for just that.
function judgeEachTime(facts: Facts): GroupJudgement[] {
  return groupsOf(facts).map((group) => {
    const requests = requestsOf(group);
    const failing = [...requests.values()].filter((one) => failsEachTime(one, group));
    const served = group.find(({ fact }) => fact.answer === 'served');
    const others = served === undefined ? [] : [served.witness];
    const [first] = failing;
    const shown = group[first?.places[0] ?? -1];
    if (first === undefined || shown === undefined) {
      return { witnesses: others, judgement: others.length === 0 ? null : [] };
    }
    const times = failing.reduce((sum, { places }) => sum + places.length, 0);
    const expected = 'no error of the service, each time, for a valid request';
    const actual = `${failing.length} of ${requests.size} different valid requests to ${shown.fact.operation} failed each time, ${times} times in all, with others served between: ${shown.fact.said}`;
    const witnesses = failing.flatMap(({ places }) =>
      places.flatMap((at) => group[at]?.witness ?? []),
    );
    return {
      witnesses: [...witnesses.slice(0, 4), ...others],
      judgement: [{ pointer: '', expected, actual }],
    };
  });
}

// The same of a service that errs at random: in so many separate moments that more than a few of all
// valid requests must meet an error. One outage, however many requests it met, is one moment.
function judgeRate(facts: Facts): GroupJudgement[] {
  const counted = groupsOf(facts)
    .filter((group) => group.some(isServed))
    .flatMap((group) => {
      const requests = requestsOf(group);
      if (![...requests.values()].some((one) => failsEachTime(one, group))) return group;
      // Others that were never served may be of the same kind, which has a rule of its own.
      return group.filter(({ witness }) => requests.get(keyOf(witness))?.isBad === false);
    });
  const inOrder = new Set(counted);
  const relevant = facts.filter((one) => inOrder.has(one) && (isServed(one) || isFailed(one)));
  const failures = relevant.filter(isFailed);
  const episodes = relevant.filter(
    (one, at) => isFailed(one) && (at === 0 || !isFailed(relevant[at - 1])),
  ).length;
  const [one] = relevant;
  if (one === undefined) return [];
  const witnesses = [...failures, one].map(({ witness }) => witness);
  const trials = relevant.length - failures.length + episodes;
  const [least, greatest] = probabilityInterval(episodes, trials);
  if (episodes < MIN_EPISODES || least <= TOLERATED_SHARE) return [{ witnesses, judgement: [] }];
  const expected = 'no error of the service for valid requests, rare ones aside';
  const last = failures.at(-1)?.fact.said ?? '';
  const actual = `${failures.length} of ${relevant.length} failed, in ${episodes} separate moments: between ${percent(least)} and ${percent(greatest)} of all do (95 % sure). The last: ${last}`;
  return [{ witnesses, judgement: [{ pointer: '', expected, actual }] }];
}

function isServed({ fact }: Collected<Fact>): boolean {
  return fact.answer === 'served';
}

function isFailed(one: Collected<Fact> | undefined): boolean {
  return one?.fact.answer === 'failed';
}

function percent(share: number): string {
  return `${(100 * share).toPrecision(2)} %`;
}

/** The rules that valid requests are not answered with errors of the service, of one API. */
export function validRequestsRules(api: ApiName): readonly Rule[] {
  const base = {
    level: 'must',
    source: 'implied by §4, RFC 9110 section 15.6 (no service)',
    api,
    operations: '*',
    answer: 'any',
    leastEvidence: 1,
    underLoad: 'not judged',
    collect: factOf,
  } as const;
  return [
    runRule<Fact>({
      ...base,
      id: `${api}.errors.none-of-the-service`,
      protects: 'A valid request does not meet an error of the service each time it is sent.',
      rulesOut:
        'A service that fails in one kind of valid request whenever it comes: what failed is sent again, with others that are served between.',
      conclude: judgeEachTime,
    }),
    runRule<Fact>({
      ...base,
      id: `${api}.errors.rarely-of-the-service`,
      once: true,
      protects:
        'Valid requests do not meet errors of the service at random, more often than rarely.',
      rulesOut:
        'A service that fails in one of some twenty valid requests, whichever: all valid requests of the run are counted.',
      conclude: judgeRate,
    }),
  ];
}
