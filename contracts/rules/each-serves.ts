import { isWithinContract } from '../judging/contract-probe.ts';
import { isStrayPage, saidBy } from '../judging/replies/reply.ts';
import type { Collected, GroupJudgement, Rule } from '../judging/rule.ts';
import { runRule } from '../judging/rule.ts';
import type { View } from '../judging/view.ts';
import type { ApiName } from '../wire/exchange.ts';
import { apiOf } from '../wire/exchange.ts';

/** So many different valid requests must fail before an operation is known for it. */
const MIN_REQUESTS = 5;
/** The largest number of failing requests of an operation that are distinguished. */
const MOST_REQUESTS = 4_093;

/** What differs between services in it. */
export interface EachServesOptions {
  /** Ends in what becomes of a client, if it is only implied. */
  readonly source: string;
  /** APIs whose operations may be served by the same host. */
  readonly besides?: readonly ApiName[];
  /** Operations of which other rules speak as long as they answer, so that only their silence is left. */
  readonly answeredElsewhere?: readonly string[];
}

/**
 * The rule that an operation serves some of the valid requests that it gets, of one API. An API whose
 * host serves nothing else is an outage, and no case of it.
 */
export function eachServesRule(
  api: ApiName,
  { source, besides = [], answeredElsewhere = [] }: EachServesOptions,
): Rule {
  return runRule<Fact>({
    id: `${api}.operations.each-serves`,
    level: 'must',
    source,
    protects: 'No operation fails in every valid request, while others of its host are served.',
    rulesOut: `A service in which an operation is broken: it would fail in each of ${MIN_REQUESTS} different valid requests, and never serve.`,
    api,
    ...(besides.length === 0 ? {} : { besides }),
    operations: '*',
    answer: 'any',
    leastEvidence: 1,
    once: true,
    underLoad: 'not judged',
    collect: factOf,
    latestOf: ({ operation, request }) => `${operation} ${request}`,
    conclude: (facts) => judgeEach(api, facts, answeredElsewhere),
  });
}

interface Fact {
  readonly operation: string;
  /** Host of the base URL, with its scheme and port. */
  readonly origin: string;
  /** A failing request, distinguished from others of its operation; none if it was served. */
  readonly request: number | 'served';
  readonly isSilent: boolean;
  readonly said: string;
}

type Facts = readonly Collected<Fact>[];

function factOf(view: View): Fact | null {
  const { exchange, operation, succeeded } = view;
  const { purpose, request } = exchange;
  if (operation === undefined || purpose.kind === 'unknown' || purpose.kind === 'invalid')
    return null;
  const origin = URL.canParse(request.url) ? new URL(request.url).origin : '';
  const fact = { operation: operation.id, origin };
  // A web page in place of an answer serves nobody, and is the business of other rules.
  if (succeeded)
    return isStrayPage(view) ? null : { ...fact, request: 'served', isSilent: false, said: '' };
  if (purpose.kind !== 'valid' && !isWithinContract(view)) return null;
  if (!isFailure(view)) return null;
  const { status, words } = saidBy(view);
  const said = status === 0 ? words : `${status} ${words}`;
  const place = placeOf(request.path, request.body?.text ?? '');
  return { ...fact, request: place, isSilent: status === 0, said };
}

/** Failures in which a service gave no answer; that nothing listens may be this machine's. */
const SILENCE: readonly string[] = ['timeout', 'closed'];

function isFailure({ status, exchange: { outcome } }: View): boolean {
  return outcome.kind === 'failure' ? SILENCE.includes(outcome.failure) : status >= 500;
}

/** One of a few places for a request, so that many different ones take bounded memory. */
function placeOf(path: string, body: string): number {
  let sum = 0;
  for (const text of [path, body.slice(0, 10_000)]) {
    for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) >>> 0;
  }
  return sum % MOST_REQUESTS;
}

// RFC 9110 section 15.6: 5xx says that the service erred. An operation that errs whatever it is asked,
// beside others that serve, has no service for anybody.
function judgeEach(api: ApiName, facts: Facts, elsewhere: readonly string[]): GroupJudgement[] {
  const served = facts.filter(({ fact }) => fact.request === 'served');
  const serving = new Set(served.map(({ fact }) => fact.operation));
  const own = facts.filter(({ fact }) => apiOf(fact.operation) === api);
  const held = own
    .filter(({ fact }) => fact.request === 'served')
    .map(({ witness }): GroupJudgement => ({ witnesses: [witness], judgement: [] }));
  const failing = [...new Set(own.map(({ fact }) => fact.operation))]
    .filter((operation) => !serving.has(operation))
    .map((operation) => own.filter(({ fact }) => fact.operation === operation))
    .filter((group) => group.length >= MIN_REQUESTS && besideOf(group, facts) !== undefined)
    .filter((group) => !isElsewhere(group, elsewhere));
  const [first] = failing;
  if (first === undefined) return held;
  const said = failing
    .map((group) => `${group[0]?.fact.operation ?? ''} failed in all of ${group.length}`)
    .join(', ');
  const broken = {
    pointer: '',
    expected: 'an operation that serves some valid request',
    actual: `${said} different valid requests and was never served, beside others that were: ${first.at(-1)?.fact.said ?? ''}`,
  };
  const beside = besideOf(first, facts);
  const witnesses = [...failing.flatMap((group) => group.slice(0, MIN_REQUESTS)), beside];
  return [
    ...held,
    {
      witnesses: witnesses.flatMap((one) => one?.witness ?? []),
      judgement: [broken],
    },
  ];
}

/**
 * What the host of failing requests served after the first of them. If nothing, all of it may have gone out
 * meanwhile.
 */
function besideOf([first]: Facts, facts: Facts): Collected<Fact> | undefined {
  const from = first === undefined ? facts.length : facts.indexOf(first);
  return facts
    .slice(from)
    .find(({ fact }) => fact.request === 'served' && fact.origin === first?.fact.origin);
}

/** Whether so much was answered that it is the business of another rule. */
function isElsewhere(group: Facts, elsewhere: readonly string[]): boolean {
  const answered = group.filter(({ fact }) => !fact.isSilent).length;
  return answered >= MIN_REQUESTS && elsewhere.includes(group[0]?.fact.operation ?? '');
}
