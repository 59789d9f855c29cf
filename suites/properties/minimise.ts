/** Long because it is one search, and all its steps change the same reproducer. */

import type { Rule } from '../../contracts/judging/rule.ts';
import type { Counterexample } from '../../contracts/run/run.ts';
import type { Exchange, RecordedRequest } from '../../contracts/wire/exchange.ts';
import { standing } from '../../fixtures/arbitraries/still-meant.ts';
import { generatedOf } from '../drive/as-generated.ts';
import type { FieldGroups, Session } from '../driven-service.ts';
import { bodyTextOf, type TriedRequest } from '../drive/tried-request.ts';
import type { Reproducer } from './reproducer.ts';
import { comparisonOf, isShown, relationOf, send } from './reproducer.ts';
import { isKept } from './replay/kept-evidence.ts';
import { differences, withFieldsOf } from './fields.ts';
import { simplerValues } from './simpler-values.ts';
import { isOfWhole, unitsOf } from './units.ts';

/** The smallest requests found that show a broken rule. */
export interface Minimal {
  readonly reproducer: Reproducer;
  /** The answers when it was last seen to show it; none when no smaller one than the first did. */
  readonly exchanges: readonly Exchange[];
  /** The requests as they were sent last, be they seen to show it or not; none if they were not sent. */
  readonly requests: readonly RecordedRequest[];
  /** Fields in which the requests differ from a plain valid one, and from each other. */
  readonly differsIn: readonly string[];
  /** How often it showed when it was sent again, out of so many times. */
  readonly reproduced: Counterexample['reproduced'];
  /** Candidates that were not sent, since they no longer had the defect they are for. */
  readonly discarded: number;
  /** Why it may not be the smallest; absent when everything was tried. */
  readonly stopped?: string;
}

/** What shrinking needs to know. */
export interface Shrinking {
  readonly session: Session;
  readonly rule: Rule;
  /** The plain valid request of the operation that a request addresses, if there is one. */
  readonly plainFor: (request: TriedRequest) => TriedRequest | undefined;
  /** Requests that may be spent on it. */
  readonly mostRequests: number;
  /** What counts as showing it, in place of what the rule says of the exchanges alone. */
  readonly shows?: {
    readonly isShown: (exchanges: readonly Exchange[]) => boolean;
    /** Whether a candidate could show it at all. */
    readonly mayShow: (candidate: Reproducer) => boolean;
  };
}

/** The smallest one is sent again this often. */
const REPRODUCTIONS = 3;
/** What shows now and then may show in a plain request too, if that is sent so often. */
const CHANCES = 4;

/**
 * Shrinks requests that show a broken rule: first to fewer requests, then to fewer fields that differ
 * from a plain valid request, then to simpler values. Every candidate is sent and judged.
 *
 * @throws {BudgetExceeded} never for its own budget, only for that of the run
 */
export async function minimise(first: Reproducer, shrinking: Shrinking): Promise<Minimal> {
  const { session, rule, plainFor, mostRequests, shows } = shrinking;
  const { service } = session;
  let current = first;
  let seen: readonly Exchange[] = [];
  let latest: readonly Exchange[] = [];
  let sentAgain: readonly Exchange[] = [];
  let [spent, discarded, sendings] = [0, 0, 0];
  let stopped: string | undefined;

  const sendAll = async (reproducer: Reproducer): Promise<boolean> => {
    sendings += 1;
    spent += reproducer.length;
    const group = `shrunk-${rule.id}-${sendings}`;
    const exchanges = await send(session, rule, reproducer, group);
    latest = exchanges;
    if (!(shows?.isShown(exchanges) ?? isShown(session, rule, exchanges))) return false;
    seen = exchanges;
    return true;
  };
  const standingOf = ({ purpose, ...request }: TriedRequest): string =>
    `${purpose.kind === 'invalid'} ${standing(session.contract, generatedOf({ ...request, purpose }))}`;
  const isUnseen = ({ purpose, ...request }: TriedRequest): boolean =>
    purpose.kind === 'invalid' &&
    standing(session.contract, generatedOf({ ...request, purpose })) === 'valid';
  // A defect that the contract sees must stay; one that it does not see, such as a key, may be there.
  const standings = new Set(first.map(({ request }) => standingOf(request)));
  /** Of requests with a defect that the contract does not see: it may be in whatever was changed. */
  const unseen = new Set(
    first.filter(({ request }) => isUnseen(request)).map(({ request }) => nameOf(request)),
  );
  const reserve = REPRODUCTIONS * first.length;
  const attempt = async (candidate: Reproducer): Promise<boolean> => {
    const isMeant = candidate.every(
      ({ request }) =>
        standings.has(standingOf(request)) && (!isUnseen(request) || unseen.has(nameOf(request))),
    );
    if (!isMeant || shows?.mayShow(candidate) === false) {
      discarded += 1;
      return false;
    }
    if (spent + candidate.length + reserve > mostRequests) {
      stopped = `the ${mostRequests} requests for shrinking it were used up`;
      return false;
    }
    if (!(await sendAll(candidate))) return false;
    current = candidate;
    return true;
  };

  const reproduce = async (): Promise<Minimal['reproduced']> => {
    let [times, attempts, judged] = [0, 0, 0];
    while (attempts < REPRODUCTIONS && spent + current.length <= mostRequests) {
      attempts += 1;
      const isAgain = await sendAll(current);
      sentAgain = latest;
      if (isAgain) times += 1;
      if (isAgain || isKept(session, rule, latest)) judged += 1;
    }
    return { times, of: attempts, ...(judged < attempts ? { judged } : {}) };
  };
  const isJoint = relationOf(service, rule) !== undefined;
  const isPair = comparisonOf(service, rule) !== undefined;
  const isMarked = (reproducer: Reproducer): boolean =>
    reproducer.some(({ kind }) => kind !== undefined);
  if (isMarked(first) && rule.scope === 'exchange') {
    for (const { request } of first) if (current === first) await attempt([{ request }]);
  }
  // What other rules hold against each other would differ in more than it was marked for.
  const mayChange = !isMarked(current);
  if (mayChange && !isJoint && first.length > 2) {
    // Two are enough for most that is seen over a run: the first two, or the last two.
    if (!(await attempt(first.slice(0, 2)))) await attempt(first.slice(-2));
  }
  for (let more = mayChange; more && stopped === undefined;) {
    more = false;
    for (const change of changesOf(current, shrinking)) {
      // What is left may have shrunk meanwhile.
      const candidate = putBack(current, change, shrinking);
      if (candidate !== undefined && (await attempt(candidate))) more = true;
    }
    if (!isPair && !more && current.length > 1) {
      for (const shown of current) {
        if (current.length > 1) await attempt(current.filter((one) => one !== shown));
      }
    }
  }
  if (mayChange && stopped === undefined) {
    for (const candidateOf of simplerValues(current, plainFor)) {
      const candidate = candidateOf(current);
      if (candidate !== undefined) await attempt(candidate);
    }
  }
  let reproduced = await reproduce();
  const [all] = mayChange ? changesOf(current, shrinking) : [];
  const plain = all === undefined ? undefined : putBack(current, all, shrinking);
  if (reproduced.times < reproduced.of && plain !== undefined) {
    for (let chance = 0; chance < CHANCES && current !== plain; chance += 1) await attempt(plain);
    if (current === plain) reproduced = await reproduce();
  }
  return {
    reproducer: current,
    exchanges: seen,
    requests: (seen.length > 0 ? seen : sentAgain).map(({ request }) => request),
    differsIn: differsIn(current, plainFor),
    reproduced,
    discarded,
    ...(stopped === undefined ? {} : { stopped }),
  };
}

function nameOf({ method, path, headers, ...sent }: TriedRequest): string {
  return JSON.stringify([method, path, headers, bodyTextOf(sent as TriedRequest)]);
}

/** Fields to put back to their plain values, in some of the requests. */
interface Change {
  readonly members: readonly number[];
  readonly fields: readonly string[];
}

/**
 * What may be put back, all of it first. The requests of a relation differ in what they are compared by,
 * so only what they share may change, in both. Of other rules each request is its own.
 */
function changesOf(reproducer: Reproducer, { session, rule, plainFor }: Shrinking): Change[] {
  const { service } = session;
  if (relationOf(service, rule) !== undefined) {
    const members = reproducer.map((_, index) => index);
    return unitsOf(sharedDifferences(reproducer, plainFor), service.fieldGroups).map((fields) => ({
      members,
      fields,
    }));
  }
  const alone = reproducer.flatMap((_, index) =>
    unitsOf(ownDifferences(reproducer, index, plainFor), service.fieldGroups).map((fields) => {
      return { members: [index], fields };
    }),
  );
  if (reproducer.length === 1) return alone;
  const every = reproducer.flatMap((_, index) => ownDifferences(reproducer, index, plainFor));
  const members = reproducer.map((_, index) => index);
  return [{ members, fields: [...new Set(every)] }, ...alone];
}

function ownDifferences(
  reproducer: Reproducer,
  index: number,
  plainFor: Shrinking['plainFor'],
): string[] {
  const request = reproducer[index]?.request;
  const plain = request === undefined ? undefined : plainFor(request);
  if (request === undefined || plain === undefined) return [];
  return differences(request, plain).filter((field) => field !== 'method' && field !== 'path');
}

/** Where the first request of a relation differs from a plain one, and all others do alike. */
function sharedDifferences(reproducer: Reproducer, plainFor: Shrinking['plainFor']): string[] {
  const [first, ...others] = reproducer;
  if (first === undefined) return [];
  const bound = new Set(others.flatMap(({ request }) => differences(first.request, request)));
  // If one list is longer, its entries are what is compared.
  const lists = [...bound]
    .filter((field) => /^body\/[^/]+\/\d+$/.test(field))
    .map((field) => `${field.slice(0, field.lastIndexOf('/'))}/`);
  return ownDifferences(reproducer, 0, plainFor).filter(
    (field) => !bound.has(field) && !lists.some((list) => field.startsWith(list)),
  );
}

/** The requests with fields as in plain ones; undefined when none of them still differs there. */
function putBack(
  reproducer: Reproducer,
  { members, fields }: Change,
  { session, plainFor }: Shrinking,
): Reproducer | undefined {
  const { fieldGroups } = session.service;
  const candidate = reproducer.map((shown, index) => {
    const { request, ...rest } = shown;
    const plain = members.includes(index) ? plainFor(request) : undefined;
    const left = plain === undefined ? [] : differences(request, plain);
    const unit = fields.filter((field) => left.includes(field));
    if (plain === undefined || unit.length === 0) return shown;
    const changed = withFieldsOf(request, plain, unit);
    return {
      request: { ...changed, purpose: purposeOf(changed, request, plain, fieldGroups) },
      ...rest,
    };
  });
  return candidate.some((shown, index) => shown !== reproducer[index]) ? candidate : undefined;
}

/**
 * What the document obliges the service to take stays so while the fields that make sense only together
 * are either those that were made or the plain ones, and nothing is left that belongs to others; else it is asked without a
 * promise.
 */
function purposeOf(
  changed: TriedRequest,
  before: TriedRequest,
  plain: TriedRequest,
  groups: FieldGroups | undefined,
): TriedRequest['purpose'] {
  if (before.purpose.kind === 'probe') {
    // What a probe asks about is in what was changed, perhaps: with a known id, say, none is unknown.
    return differences(changed, before).length === 0 ? before.purpose : { kind: 'unknown' };
  }
  if (before.purpose.kind !== 'valid') return before.purpose;
  const left = differences(changed, plain);
  if (left.length === 0) return plain.purpose;
  const isOf = (field: string): boolean => isOfWhole(field, groups);
  const ofWhole = left.filter(isOf).length;
  const isAsBefore = ofWhole === differences(before, plain).filter(isOf).length;
  const isFree = ofWhole === 0 && !left.some((field) => groups?.dependent.test(field));
  return isAsBefore || isFree ? before.purpose : { kind: 'unknown' };
}

/** Fields in which the first request differs from the plain one, and others from the first. */
export function differsIn(reproducer: Reproducer, plainFor: Shrinking['plainFor']): string[] {
  const [first, ...others] = reproducer;
  if (first === undefined) return [];
  const { request } = first;
  const plain = plainFor(request);
  if (plain === undefined) {
    return request.purpose.kind === 'invalid' ? [request.purpose.defect] : [];
  }
  const apart = others.flatMap(({ request: other, role }) => {
    const model = role === undefined ? plainFor(other) : request;
    return model === undefined ? [] : differences(other, model);
  });
  const fields = [...differences(request, plain), ...apart];
  return [...new Set(fields)].filter((field) => field !== 'path' && field !== 'method');
}
