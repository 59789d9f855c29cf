import { probabilityInterval } from '../../judging/chance/binomial.ts';
import type { Collected, GroupJudgement } from '../../judging/rule.ts';
import { isNoService, operationOf, someFailEachTime } from './each-time.ts';
import { byKind, byRequest, isServed, type SentFact, type SentFacts } from './sent-requests.ts';

/** Separate moments in which a service must fail, or refuse, before a rate is spoken of. */
export const MIN_EPISODES = 3;
/** Any service fails now and then; one that surely fails more often than this is known for it. */
const TOLERATED_SHARE = 0.005;

type One = Collected<SentFact>;

// RFC 9110 section 15.6: a service that errs at random, in so many separate moments that more than a few
// of all valid requests must meet an error. One outage, however many requests it met, is one moment.
export function judgeFailures(facts: SentFacts): GroupJudgement[] {
  const counted = new Set(
    byKind(facts)
      .filter((group) => group.some(isServed))
      .flatMap((group) => {
        const requests = byRequest(group);
        // Others that were never served may be of the same kind, which has a rule of its own.
        const isAny = !someFailEachTime(group);
        return requests
          .flatMap((answers): SentFacts => {
            const isServedOnce = answers.some(isServed);
            if (isServedOnce) return answers;
            // An error that the contract states may be how this request is answered each time.
            if (!isAny && answers.every(({ fact }) => isBad(fact))) return [];
            return answers.filter(({ fact }) => fact.answer !== 'stated');
          })
          .filter(({ fact }) => ['served', 'failed', 'stated'].includes(fact.answer));
      }),
  );
  const relevant = facts.filter((one) => counted.has(one));
  const expected = 'no error of the service for valid requests, rare ones aside';
  const ended = endedIn(relevant, expected);
  if (ended.length > 0) return ended;
  return ratedInAny(relevant, { expected, what: 'failed' });
}

// RFC 9110 section 15.5: 4xx says that the client erred. A request that is served before and afterwards,
// with nothing changed between, is no error of the client when it is refused.
export function judgeRefusals(facts: SentFacts): GroupJudgement[] {
  const changes = changesBefore(facts);
  const counted = byKind(facts).map((group) =>
    byRequest(group).map((answers) => between(answers, changes)),
  );
  const wording: Wording = {
    expected: 'no refusal of a valid request that is served before and afterwards',
    what: 'were refused, sent again between two successes,',
  };
  // A share of what could have counted: of the first and the last that were served, which a refusal is between, it
  // is no chance that they were, and of what was sent once or twice no refusal would have counted.
  const again = counted
    .map((group) => group.flatMap((answers) => answers.slice(1, -1)))
    .filter((others) => !others.every(isServed));
  const relevant = new Set(again.flat());
  const broken = ratedInAny(
    facts.filter((one) => relevant.has(one)),
    wording,
  ).filter(isBroken);
  const all = counted.flat(2);
  if (broken.length > 0 || all.length < MIN_ANSWERS) return broken;
  return all.slice(0, 1).map(({ witness }) => ({ witnesses: [witness], judgement: [] }));
}

/** Of each fact, how many before it may have changed something. */
function changesBefore(facts: SentFacts): ReadonlyMap<One, number> {
  let count = 0;
  return new Map(
    facts.map((one) => {
      const before = count;
      if (one.fact.mayChange) count += 1;
      return [one, before];
    }),
  );
}

/**
 * Of all answers to a request those that served it, and refusals between them after which nothing was
 * changed until it was served again, by other requests than itself.
 */
function between(answers: SentFacts, changes: ReadonlyMap<One, number>): One[] {
  const first = answers.findIndex(isServed);
  if (first < 0) return [];
  const counted: One[] = [];
  /** The answer after which it is next served, going back, and how many of its own are between. */
  let next: { readonly changes: number; own: number } | undefined;
  for (const one of answers.slice(first).toReversed()) {
    const before = changes.get(one) ?? 0;
    if (isServed(one)) {
      next = { changes: before, own: 0 };
      counted.push(one);
      continue;
    }
    if (next === undefined) continue;
    if (one.fact.mayChange) next.own += 1;
    const isUnchanged = next.changes - before === next.own;
    if (isRefusal(one.fact) && isUnchanged) counted.push(one);
  }
  return counted;
}

/** How a share that is too large is reported. */
interface Wording {
  readonly expected: string;
  /** What happened to so many of all, without its subject. */
  readonly what: string;
}

/**
 * Judges the share of all, then of each kind: one that fails often is rare among all that others serve. The
 * more kinds there are, the more certain each must be.
 */
function ratedInAny(relevant: readonly One[], wording: Wording): GroupJudgement[] {
  const kinds = byKind(relevant);
  const inAll = rated(relevant, wording, ALPHA);
  if (inAll.some(isBroken)) return inAll;
  const inKinds = kinds.map((some) => rated(some, wording, ALPHA / kinds.length));
  const broken = inKinds.find((groups) => groups.some(isBroken));
  if (broken !== undefined) return broken;
  return relevant.length < MIN_ANSWERS ? [] : inAll;
}

/**
 * Of fewer answers nothing is known. Of so many different requests a service that refuses one in six refuses one, in
 * all but 3 of 100 cases. A drive sends what is refused again.
 */
const MIN_ANSWERS = 20;

/** How seldom an interval may miss the share of a service. */
const ALPHA = 0.05;

/** Judges the share of all that were not served, by separate moments. */
function rated(
  relevant: readonly One[],
  { expected, what }: Wording,
  alpha: number,
): GroupJudgement[] {
  const [one] = relevant;
  if (one === undefined) return [];
  const bad = relevant.filter((other) => !isServed(other));
  const episodes = episodesIn(relevant);
  const witnesses = [...bad, one].map(({ witness }) => witness);
  const trials = relevant.length - bad.length + episodes;
  const [leastIfAll] = probabilityInterval(episodes, trials, alpha);
  const [least, greatest] = probabilityInterval(episodes, trials, ALPHA);
  if (episodes < MIN_EPISODES || leastIfAll <= TOLERATED_SHARE)
    return [{ witnesses, judgement: [] }];
  const last = bad.at(-1)?.fact.said ?? '';
  // A terminal may have room for the beginning alone.
  const of = [...new Set(bad.map(({ fact }) => operationOf(fact)))].join(', ');
  const actual = `${bad.length} of ${relevant.length} (${percent(least)} to ${percent(greatest)}, 95 % sure) ${what} at ${of}, in ${episodes} separate moments; of those that follow each other the interval counts one. The last: ${last}`;
  return [{ witnesses, judgement: [{ pointer: '', expected, actual }] }];
}

/** So many of one kind fail to the end of a run, while so many others are served: they do not at random. */
const MIN_ENDED = 20;

/** Kinds that were served at first, and then failed each time while others were served. */
function endedIn(relevant: readonly One[], expected: string): GroupJudgement[] {
  for (const facts of byKind(relevant)) {
    const row = facts.slice(facts.findLastIndex(isServed) + 1);
    const [first, last] = [row[0], row.at(-1)];
    const hasFailed = row.every(({ fact }) => fact.answer === 'failed');
    if (first === undefined || last === undefined || row.length < MIN_ENDED || !hasFailed) continue;
    const meanwhile = relevant.slice(relevant.indexOf(first), relevant.indexOf(last));
    const served = meanwhile.filter(isServed).length;
    if (row.length === facts.length || served < MIN_ENDED) continue;
    const actual = `the last ${row.length} of ${facts.length} failed, while ${served} others were served. The last: ${last.fact.said}`;
    const witnesses = row.map(({ witness }) => witness);
    return [{ witnesses, judgement: [{ pointer: '', expected, actual }] }];
  }
  return [];
}

/** So many of one kind in a row are out, and not failing at random. */
const MIN_OUT = 8;

/** Rows of requests that were not served. A kind that is out while others are served is out once. */
function episodesIn(relevant: readonly One[]): number {
  const inOneOutage = new Set(byKind(relevant).flatMap(restsOfOutages));
  return relevant.filter((one, at) => {
    const before = relevant[at - 1];
    const begins = !isServed(one) && (before === undefined || isServed(before));
    return begins && !inOneOutage.has(one);
  }).length;
}

/** Of each long row that was not served all but the first. */
function restsOfOutages(facts: SentFacts): One[] {
  const rests: One[] = [];
  let row: One[] = [];
  for (const one of [...facts, undefined]) {
    if (one !== undefined && !isServed(one)) {
      row.push(one);
      continue;
    }
    if (row.length >= MIN_OUT) rests.push(...row.slice(1));
    row = [];
  }
  return rests;
}

function isBroken({ judgement }: GroupJudgement): boolean {
  return Array.isArray(judgement) && judgement.length > 0;
}

function isRefusal({ answer }: SentFact): boolean {
  return answer === 'refused' || answer === 'gone';
}

function isBad({ answer }: SentFact): boolean {
  return answer !== 'another' && isNoService(answer);
}

function percent(share: number): string {
  return `${(100 * share).toPrecision(2)} %`;
}
