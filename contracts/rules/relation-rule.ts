import type { Broken, Collected, GroupJudgement, Level, Rule, Witness } from '../judging/rule.ts';
import { runRule } from '../judging/rule.ts';
import type { View } from '../judging/view.ts';
import type { ApiName } from '../wire/exchange.ts';

/**
 * The row of a rule on a metamorphic relation: what must hold between the answers to two requests.
 * What a service answers may move, and of two answers as good as each other it may give either. So one
 * answer to each that keeps the relation shows that it holds. It is broken only if it fails again and
 * again, while the answers to the first request agree among themselves. The driver repeats both
 * requests, in no regular order, until one of the two is certain.
 *
 * Its functions are methods, so that rows with digests of different types can stand in one list. Each
 * row is given back only what its own `digest` returned.
 */
export interface RelationRow<Digest = unknown> extends Comparison<Digest> {
  readonly api: ApiName;
  readonly operations: readonly string[];
  /** What of a successful answer is compared; null when there is nothing to compare. */
  digest(view: View): Digest | null;
}

/** A rule's row, and the relation that answers are compared by. */
export interface Comparison<Digest = unknown> {
  readonly id: string;
  readonly level: Level;
  readonly source: string;
  readonly protects: string;
  /** As of a rule. */
  readonly rulesOut?: string;
  /** The kind of relation that the driver marks the exchanges with; roles are A and B. */
  readonly relation: string;
  /** Whether two answers to one request agree; equal as JSON when absent. */
  agree?(one: Digest, other: Digest): boolean;
  /**
   * Whether two answers show whether the relation holds: a pair that a wrong service would give just
   * the same is no evidence. All are when absent.
   */
  isEvidence?(a: Digest, b: Digest): boolean;
  /** Whether answers to B must agree as well, since both may come from stores of another age. */
  readonly steady?: true;
  /**
   * Whether the driver also sends, in the role C, what a wrong service takes B for. A relation that
   * holds is evidence only if it does not hold for C, so that the two can be distinguished.
   */
  readonly control?: true;
  /** Whether a refusal of B has a reason of its own, and so shows nothing. */
  excused?(view: View): boolean;
  /** What a digest takes to keep, in things of a few dozen bytes; 1 when absent. */
  weigh?(digest: Digest): number;
  /** How an answer to B breaks the relation to one to A. */
  compare(a: Digest, b: Digest): readonly Broken[];
  /** What is expected if B is refused though A is served; such a refusal says nothing when absent. */
  readonly refused?: string;
}

/**
 * So many answers to each request make a broken relation certain. One of two routes, taken by chance each
 * time, gives such answers once in 8,192 runs.
 */
export const MIN_CERTAIN_ANSWERS = 7;

/** Of different refusals so many are said. */
const MOST_SAID = 3;

/** An answer to a request of a relation: its digest, or `refused`. */
export type RelationAnswer<Digest> = { readonly digest: Digest } | 'refused';

/** What the answers so far come to. */
export type RelationState =
  | { readonly kind: 'nothing' | 'moved' }
  | { readonly kind: 'holds' | 'suspect' | 'broken'; readonly broken: readonly Broken[] };

const NOTHING: RelationState = { kind: 'nothing' };
const MOVED: RelationState = { kind: 'moved' };

/**
 * Judges the answers that a relation has so far.
 *
 * @param said what the refusals of B were, e.g. `500 INTERNAL`
 */
export function stateOf<Digest>(
  row: Comparison<Digest>,
  toA: readonly RelationAnswer<Digest>[],
  toB: readonly RelationAnswer<Digest>[],
  said: readonly string[] = [],
): RelationState {
  const { refused, steady } = row;
  const agree = (one: Digest, other: Digest): boolean =>
    row.agree === undefined ? sameJson(one, other) : row.agree(one, other);
  const [first, ...others] = toA;
  if (first === undefined || toB.length === 0 || first === 'refused') return NOTHING;
  let broken: readonly Broken[] = [];
  let compared = false;
  for (const b of toB) {
    if (b === 'refused') {
      if (refused === undefined) return NOTHING;
      const times = toB.filter((one) => one === 'refused').length;
      const words = [...new Set(said)].slice(0, MOST_SAID).join(' or ');
      const actual = `${words === '' ? 'refused' : `answered with ${words}`} ${times} times, while the other request was served`;
      broken = [{ pointer: '', expected: refused, actual }];
      compared = true;
      continue;
    }
    for (const a of toA) {
      if (a === 'refused') return MOVED;
      if (row.isEvidence?.(a.digest, b.digest) === false) continue;
      compared = true;
      const found = row.compare(a.digest, b.digest);
      if (found.length === 0) return { kind: 'holds', broken: [] };
      broken = found;
    }
  }
  if (!compared) return NOTHING;
  if (others.some((other) => other === 'refused' || !agree(first.digest, other.digest))) {
    return MOVED;
  }
  if (steady === true && !isSteady(toB, agree)) return MOVED;
  const isCertain = toA.length >= MIN_CERTAIN_ANSWERS && toB.length >= MIN_CERTAIN_ANSWERS;
  return { kind: isCertain ? 'broken' : 'suspect', broken };
}

function isSteady<Digest>(
  [first, ...others]: readonly RelationAnswer<Digest>[],
  agree: (one: Digest, other: Digest) => boolean,
): boolean {
  return others.every((other) =>
    first === 'refused' || other === 'refused' || first === undefined
      ? first === other
      : agree(first.digest, other.digest),
  );
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The answer to one request of a relation; null when it shows nothing. */
export function answerOf<Digest>(
  row: RelationRow<Digest>,
  view: View,
): RelationAnswer<Digest> | null {
  if (!view.succeeded) return row.excused?.(view) === true ? null : 'refused';
  const digest = row.digest(view);
  return digest === null ? null : { digest };
}

interface Fact {
  readonly group: string;
  readonly role: string;
  readonly answer: RelationAnswer<unknown>;
  /** Status and code of a refusal. */
  readonly said: string;
}

/** The rule that judges a metamorphic relation. */
export function relationRule(row: RelationRow): Rule {
  const { id, level, source, protects, api, operations } = row;
  return runRule<Fact>({
    id,
    level,
    source,
    protects,
    ...(row.rulesOut === undefined ? {} : { rulesOut: row.rulesOut }),
    api,
    operations,
    answer: 'answered',
    relation: row.relation,
    leastEvidence: 1,
    weigh: ({ answer }) => (answer === 'refused' ? 1 : (row.weigh?.(answer.digest) ?? 1)),
    collect: (view) => {
      const place = view.exchange.relations.find(({ kind }) => kind === row.relation);
      if (place === undefined) return null;
      const { group, role } = place;
      const answer = answerOf(row, view);
      if (answer === null) return null;
      const said =
        answer === 'refused' ? `${view.status} ${view.errorCode?.slice(0, 100) ?? ''}`.trim() : '';
      return { group, role, answer, said };
    },
    conclude: (facts) => Array.from(groupsOf(facts), (group) => judgeGroup(row, group)),
  });
}

/** The answers of one group, in the order in which they came. */
interface Group {
  readonly toA: RelationAnswer<unknown>[];
  readonly toB: RelationAnswer<unknown>[];
  readonly toC: RelationAnswer<unknown>[];
  /** What refused B. */
  readonly said: string[];
  /** Of the first answer to B, then to A: the request that shows it is B's. */
  readonly witnesses: [b: Witness | undefined, a: Witness | undefined];
}

function groupsOf(facts: readonly Collected<Fact>[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { fact, witness } of facts) {
    let group = groups.get(fact.group);
    if (group === undefined) {
      group = { toA: [], toB: [], toC: [], said: [], witnesses: [undefined, undefined] };
      groups.set(fact.group, group);
    }
    if (fact.role === 'A') {
      group.toA.push(fact.answer);
      group.witnesses[1] ??= witness;
    } else if (fact.role === 'B') {
      group.toB.push(fact.answer);
      if (fact.said !== '') group.said.push(fact.said);
      group.witnesses[0] ??= witness;
    } else if (fact.role === 'C') {
      group.toC.push(fact.answer);
    }
  }
  return groups.values();
}

/** Whether a relation that holds for B would not hold for what a wrong service takes B for. */
function isReported(row: Comparison, { toA, toC }: Group): boolean {
  if (row.control !== true) return true;
  const [a, c] = [toA[0], toC[0]];
  if (a === undefined || c === undefined || a === 'refused' || c === 'refused') return false;
  return row.compare(a.digest, c.digest).length > 0;
}

function judgeGroup(row: Comparison, group: Group): GroupJudgement {
  const state = stateOf(row, group.toA, group.toB, group.said);
  const witnesses = group.witnesses.filter((witness) => witness !== undefined);
  switch (state.kind) {
    case 'holds':
      return { witnesses, judgement: isReported(row, group) ? state.broken : null };
    case 'broken':
      return { witnesses, judgement: state.broken };
    case 'nothing':
      return { witnesses: [], judgement: null };
    default:
      return { witnesses: [], judgement: 'inconclusive' };
  }
}
