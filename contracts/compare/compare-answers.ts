/** Long because each kind of difference between answers has its own words. Compares what two runs were answered. */

import type { AnswerForm, Answers, Question } from './answer-forms.ts';
import type { AnswerChange, AnswerComparison } from '../run/run-comparison.ts';

/** More changes are counted. */
const MAX_CHANGES = 300;
/** This many requests must show that a field or a header is gone that others of the sort lack as well. */
const FIELD_REQUESTS = 5;
/**
 * This many valid requests must all be answered differently; a few may be what the world's state
 * brings.
 */
const STATUS_REQUESTS = 10;
/** Fewer that differ if others of the sort do not are not reported. */
const REPORTED_REQUESTS = 3;

/**
 * Compares the answers of two runs to the same requests. A change is called certain when no state of
 * the world explains it: over enough requests nothing in the one run is as everything in the other is,
 * or a request that is invalid by itself is refused differently.
 *
 * @param areWhole whether neither run was cut short
 */
export function compareAnswers(then: Answers, now: Answers, areWhole = true): AnswerComparison {
  const statuses = new Map<string, StatusGroup>();
  const facts = new Map<string, FactGroup>();
  let pairs = 0;
  for (const [key, question] of now.questions) {
    const before = then.questions.get(key);
    if (before === undefined) continue;
    pairs += 1;
    addStatus(statuses, before, question);
    addFacts(facts, before, question);
  }
  const changes = [
    ...[...statuses.values()].flatMap(statusChanges),
    ...[...facts.values()].flatMap((group) => factChanges(group, areWhole)),
  ].sort(
    (a, b) => rank(a) - rank(b) || compare(a.operation, b.operation) || compare(a.what, b.what),
  );
  const beyond = changes.slice(MAX_CHANGES);
  return {
    ...{ pairs, then: then.questions.size, now: now.questions.size },
    changes: changes.slice(0, MAX_CHANGES),
    more: beyond.length,
    moreIsCertain: beyond.some(
      ({ grade, aspect, then: was }) =>
        grade === 'certain' && (aspect === 'status' || was !== null),
    ),
    unread: then.unread + now.unread,
  };
}

function rank({ grade, aspect }: AnswerChange): number {
  return (grade === 'certain' ? 0 : 3) + ['status', 'field', 'header'].indexOf(aspect);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Requests of one operation that were answered alike in the earlier run. */
interface StatusGroup {
  readonly operation: string;
  readonly then: string;
  readonly isInvalid: boolean;
  readonly isPlain: boolean;
  of: number;
  /** Requests by what they are answered now, where that is nothing of what they were. */
  readonly now: Map<string, number>;
}

function addStatus(groups: Map<string, StatusGroup>, before: Question, question: Question): void {
  const [was, is] = [answersOf(before), answersOf(question)];
  const isInvalid = before.purpose === 'invalid';
  const { operation, isPlain } = question;
  const then = was.join(' or ');
  const key = JSON.stringify([operation, isInvalid, isPlain, then]);
  const group = groups.get(key) ?? {
    operation,
    then,
    isInvalid,
    isPlain,
    of: 0,
    now: new Map<string, number>(),
  };
  groups.set(key, group);
  group.of += 1;
  if (was.some((answer) => is.includes(answer))) return;
  const now = is.join(' or ');
  group.now.set(now, (group.now.get(now) ?? 0) + 1);
}

function answersOf({ forms }: Question): string[] {
  return [...new Set(forms.map(({ answer }) => answer))].sort();
}

function statusChanges(group: StatusGroup): AnswerChange[] {
  const { operation, then, of: total } = group;
  const moved = [...group.now.values()].reduce((sum, count) => sum + count, 0);
  return [...group.now].map(([now, requests]) => ({
    ...{ operation, aspect: 'status', what: 'status', then, now, requests, of: total },
    grade: isCertainStatus(group, now, moved) ? 'certain' : 'uncertain',
  }));
}

/** An answer 5xx may be a passing fault if few requests show it. */
function isCertainStatus(
  { then, isInvalid, isPlain, of: total }: StatusGroup,
  now: string,
  moved: number,
): boolean {
  const isMoment = /(?:^| )5\d\d/.test(`${then} ${now}`);
  if (isInvalid) return !isMoment || moved >= REPORTED_REQUESTS;
  if (moved < total) return false;
  return total >= STATUS_REQUESTS || (isPlain && !isMoment);
}

/** Answers of one operation with one status and code, to the same requests in both runs. */
interface FactGroup {
  readonly operation: string;
  readonly answer: string;
  of: number;
  /** Whether a request that data of ours decides is among them. */
  hasData: boolean;
  readonly facts: Map<string, FactCount>;
}

/** Requests by where a member stands in their answers. */
interface FactCount {
  then: number;
  now: number;
  both: number;
  /** Of those with it in one run: all answers to them there have it. */
  always: number;
  readonly typesThen: Set<string>;
  readonly typesNow: Set<string>;
}

function addFacts(groups: Map<string, FactGroup>, before: Question, question: Question): void {
  for (const answer of answersOf(before)) {
    const [then, now] = [before, question].map(({ forms }) => factsOf(forms, answer));
    if (then === undefined || now === undefined) continue;
    const { operation, isPlain } = question;
    const key = JSON.stringify([operation, answer]);
    const group = groups.get(key) ?? {
      ...{ operation, answer, of: 0, hasData: false },
      facts: new Map<string, FactCount>(),
    };
    groups.set(key, group);
    group.of += 1;
    group.hasData ||= !isPlain;
    for (const place of new Set([...then.keys(), ...now.keys()])) {
      const known = group.facts.get(place);
      const count = known ?? {
        ...{ then: 0, now: 0, both: 0, always: 0 },
        ...{ typesThen: new Set<string>(), typesNow: new Set<string>() },
      };
      if (known === undefined) group.facts.set(place, count);
      const [typesThen, typesNow] = [then.get(place), now.get(place)].map((one) => one?.types);
      if (typesThen !== undefined) count.then += 1;
      if (typesNow !== undefined) count.now += 1;
      if (typesThen !== undefined && typesNow !== undefined) count.both += 1;
      if ((then.get(place) ?? now.get(place))?.isAlways === true) count.always += 1;
      for (const type of typesThen ?? []) count.typesThen.add(type);
      for (const type of typesNow ?? []) count.typesNow.add(type);
    }
  }
}

/** What stands at a place of the answers to one request. */
interface Fact {
  readonly types: ReadonlySet<string>;
  /** Whether all answers have it; else it shows at times. */
  readonly isAlways: boolean;
}

/** By place over all forms with an answer; undefined if there are none. */
function factsOf(forms: readonly AnswerForm[], answer: string): Map<string, Fact> | undefined {
  const own = forms.filter((form) => form.answer === answer);
  if (own.length === 0) return undefined;
  const places = new Set(own.flatMap(({ facts }) => [...facts.keys()]));
  return new Map(
    [...places].map((place) => {
      const texts = own.flatMap(({ facts }) => facts.get(place) ?? []);
      const types = new Set(texts.flatMap((text) => text.split(' or ')));
      return [place, { types, isAlways: texts.length === own.length }];
    }),
  );
}

function factChanges(group: FactGroup, areWhole: boolean): AnswerChange[] {
  const changed = new Set<string>();
  // Places above come before those below them.
  const places = [...group.facts.keys()].sort((a, b) => a.length - b.length);
  return places.flatMap((place) => {
    const count = group.facts.get(place);
    if (count === undefined || isBelow(place, changed)) return [];
    const change = factChange(group, place, count, areWhole);
    if (change === undefined) return [];
    changed.add(place);
    return [change];
  });
}

/** What stands within something that has changed is not reported again. */
function isBelow(place: string, changed: ReadonlySet<string>): boolean {
  if (place.startsWith('#')) return false;
  if (changed.has('') && place !== '') return true;
  for (let at = place.lastIndexOf('/'); at > 0; at = place.lastIndexOf('/', at - 1)) {
    if (changed.has(place.slice(0, at))) return true;
  }
  return false;
}

function factChange(
  { operation, answer, of: total, hasData }: FactGroup,
  place: string,
  { then, now, both, always, typesThen, typesNow }: FactCount,
  areWhole: boolean,
): AnswerChange | undefined {
  const isHeader = place.startsWith('#');
  const common = {
    ...{ operation, answer, of: total },
    aspect: isHeader ? ('header' as const) : ('field' as const),
    what: isHeader ? place.slice(1) : place,
  };
  const words = (types: ReadonlySet<string>): string => [...types].sort().join(' or ');
  const isEnough = (requests: number): boolean =>
    requests >= FIELD_REQUESTS || (requests === total && (total > 1 || !hasData));
  if (then === 0 || now === 0) {
    const requests = Math.max(then, now);
    // Which items a list has is data, and so is what a run that was cut short had not made yet.
    const isData = place.includes('/*/') || !areWhole;
    return {
      ...{ ...common, requests },
      then: then === 0 ? null : words(typesThen),
      now: now === 0 ? null : words(typesNow),
      grade: (isData ? always >= FIELD_REQUESTS : isEnough(always)) ? 'certain' : 'uncertain',
    };
  }
  if (![...typesThen].some((type) => typesNow.has(type))) {
    return {
      ...{ ...common, requests: both, then: words(typesThen), now: words(typesNow) },
      grade: isEnough(both) ? 'certain' : 'uncertain',
    };
  }
  const [lost, gained] = [then - both, now - both];
  const requests = Math.max(lost, gained);
  // If some have it more and some less, it is data.
  if (requests < REPORTED_REQUESTS || Math.min(lost, gained) > 0) return undefined;
  return {
    ...{ ...common, requests, grade: 'uncertain' },
    then: lost > 0 ? words(typesThen) : null,
    now: gained > 0 ? words(typesNow) : null,
  };
}
