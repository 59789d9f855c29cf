import type { Broken, Collected, GroupJudgement, Level, Rule } from '../rule.ts';
import { runRule } from '../rule.ts';
import type { View } from '../view.ts';
import type { ApiName } from '../wire/exchange.ts';

/** A fact of one exchange of a sandwich. */
interface Slice<Digest> {
  readonly group: string;
  readonly role: string;
  readonly answer: { readonly digest: Digest } | 'refused';
}

/**
 * What a relation between two requests is judged by. The first request is sent again after the
 * second: only where both its answers agree can a difference be the second's own.
 */
export interface SandwichRule<Digest> {
  readonly id: string;
  readonly level: Level;
  readonly source: string;
  readonly protects: string;
  readonly api: ApiName;
  readonly operations: readonly string[];
  /** The kind of relation that the driver marks the exchanges with; roles are A, B and A2. */
  readonly relation: string;
  readonly leastEvidence?: number;
  /** What of a successful answer is compared; null when there is nothing to compare. */
  readonly digest: (view: View) => Digest | null;
  /** Whether the world stood still between both answers to A; equal as JSON when absent. */
  readonly still?: (first: Digest, again: Digest) => boolean;
  /** How B breaks the relation to A. */
  readonly compare: (a: Digest, b: Digest) => readonly Broken[];
  /**
   * What to say when A was served both times and B was refused; a refusal of B is no evidence when
   * absent. Throttled answers never count as refused.
   */
  readonly refused?: string;
}

/** A rule over sandwiches A, B, A2. */
export function sandwichRule<Digest>(rule: SandwichRule<Digest>): Rule {
  const { id, level, source, protects, api, operations, leastEvidence = 1 } = rule;
  return runRule<Slice<Digest>>({
    id,
    level,
    source,
    protects,
    api,
    operations,
    answer: 'answered',
    leastEvidence,
    collect: (view) => {
      const place = view.exchange.relations.find(({ kind }) => kind === rule.relation);
      if (place === undefined) return null;
      const { group, role } = place;
      if (!view.succeeded) return { group, role, answer: 'refused' };
      const digest = rule.digest(view);
      return digest === null ? null : { group, role, answer: { digest } };
    },
    conclude: (facts) => doubted(groupsOf(facts).map((group) => judgeGroup(rule, group))),
  });
}

function groupsOf<T>(facts: readonly Collected<Slice<T>>[]): Collected<Slice<T>>[][] {
  const groups = new Map<string, Collected<Slice<T>>[]>();
  for (const fact of facts) {
    const group = groups.get(fact.fact.group);
    if (group === undefined) groups.set(fact.fact.group, [fact]);
    else group.push(fact);
  }
  return [...groups.values()];
}

function judgeGroup<Digest>(
  { still = sameJson, compare, refused }: SandwichRule<Digest>,
  group: readonly Collected<Slice<Digest>>[],
): GroupJudgement {
  const of = (role: string): Collected<Slice<Digest>> | undefined =>
    group.find(({ fact }) => fact.role === role);
  const [a, b, again] = [of('A'), of('B'), of('A2')];
  if (a === undefined || b === undefined || again === undefined) {
    return { witnesses: [], judgement: null };
  }
  const [first, second, third] = [a.fact.answer, b.fact.answer, again.fact.answer];
  if (first === 'refused' || third === 'refused') return { witnesses: [], judgement: null };
  if (!still(first.digest, third.digest)) return { witnesses: [], judgement: 'inconclusive' };
  // The request that shows it is B's, so it comes first.
  const witnesses = [b.witness, a.witness];
  if (second !== 'refused') {
    return { witnesses, judgement: compare(first.digest, second.digest) };
  }
  if (refused === undefined) return { witnesses: [], judgement: null };
  const actual = 'refused, while the other request was served before and after';
  return { witnesses, judgement: [{ pointer: '', expected: refused, actual }] };
}

// Where a service chooses between equal routes at each request, of three answers the odd one is B's
// as often as A's or A2's, so groups that moved are twice as many as groups that seem broken, or
// more. Only a run with clearly more broken ones than that shows that B is the cause.
function doubted(groups: readonly GroupJudgement[]): readonly GroupJudgement[] {
  const moved = groups.filter(({ judgement }) => judgement === 'inconclusive').length;
  const broken = groups.filter(isBroken).length;
  if (moved === 0 || broken > 2 * moved) return groups;
  return groups.map((group) => (isBroken(group) ? { ...group, judgement: 'inconclusive' } : group));
}

function isBroken({ judgement }: GroupJudgement): boolean {
  return Array.isArray(judgement) && judgement.length > 0;
}

function sameJson(first: unknown, again: unknown): boolean {
  return JSON.stringify(first) === JSON.stringify(again);
}
