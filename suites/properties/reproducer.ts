import { Judge } from '../../contracts/judging/judge.ts';
import { SIMULTANEOUS } from '../../contracts/rules/simultaneous.ts';
import type { RelationRow, RelationAnswer } from '../../contracts/rules/relation-rule.ts';
import { answerOf, stateOf } from '../../contracts/rules/relation-rule.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import { View } from '../../contracts/judging/view.ts';
import type { Exchange, Relation } from '../../contracts/wire/exchange.ts';
import type { Driving, Session } from '../driven-service.ts';
import type { RelatedRules } from '../drive/relation.ts';
import type { TriedRequest } from '../drive/tried-request.ts';

/** A request, and its place in a relation if the rule compares answers. */
export interface Shown {
  readonly request: TriedRequest;
  /** Its place in the relation that the rule is about, e.g. `A`. */
  readonly role?: string;
  /** That relation, if the rule is about others as well, or about none. */
  readonly kind?: string;
  /** Distinguishes the groups of that relation, if the rule wants several. */
  readonly group?: string;
}

/** Requests that together show that a rule is broken, in the order in which they are sent. */
export type Reproducer = readonly Shown[];

/** Whose rules are looked at. */
type Relations = Pick<Driving, 'relations'>;

/** The metamorphic relation that a rule is about, if it is about one. */
export function metamorphicOf(
  { relations }: Relations,
  { id }: Pick<Rule, 'id'>,
): RelatedRules | undefined {
  return relations.find(({ rules }) => rules.some((row) => row.id === id));
}

/** By what a rule compares the answers to two requests, if it does. */
export function comparisonOf(service: Relations, rule: Pick<Rule, 'id'>): RelationRow | undefined {
  return metamorphicOf(service, rule)?.rules.find(({ id }) => id === rule.id);
}

/** The kind of relation that the requests of a rule stand in, if they stand in any. */
export function relationOf(service: Relations, rule: Rule): string | undefined {
  return rule.relation ?? metamorphicOf(service, rule)?.name;
}

/**
 * Sends the requests of a reproducer, in their order.
 *
 * @param group distinguishes this sending from others of the same relation
 */
export async function send(
  { client, random, service }: Session,
  rule: Rule,
  reproducer: Reproducer,
  group: string,
): Promise<Exchange[]> {
  const relation = relationOf(service, rule);
  const fresh = new Map<string, string>();
  const prepared = reproducer.map(({ request, role, group: own, kind = relation }) => {
    // What is sent again is no part of what was sent before.
    const place = own === undefined ? group : `${group}-${own}`;
    const relations =
      role === undefined || kind === undefined ? [] : [{ kind, group: place, role }];
    const headers = request.headers?.map(([name, value]): [string, string] => {
      if (!IDEMPOTENCY_KEY.test(name)) return [name, value];
      // A key that was used already would bring back the answer of then.
      const key = fresh.get(value) ?? random.uuid();
      fresh.set(value, key);
      return [name, key];
    });
    return { ...(headers === undefined ? request : { ...request, headers }), relations };
  });
  const exchanges: Exchange[] = [];
  for (const together of inRounds(prepared)) {
    // All are to end before anything else is sent, also if one of them may not be sent any more.
    const sent = await Promise.allSettled(together.map((request) => client.send(request)));
    for (const result of sent) {
      if (result.status === 'rejected') throw result.reason;
      exchanges.push(result.value);
    }
  }
  return exchanges;
}

type Prepared = TriedRequest & { readonly relations: readonly Relation[] };

/** Requests one by one, except for those of one moment, which stand next to each other. */
function inRounds(requests: readonly Prepared[]): Prepared[][] {
  const rounds: Prepared[][] = [];
  for (const request of requests) {
    const moment = momentOf(request);
    const last = rounds.at(-1);
    if (moment !== undefined && last?.every((one) => momentOf(one) === moment)) last.push(request);
    else rounds.push([request]);
  }
  return rounds;
}

function momentOf({ relations }: Prepared): string | undefined {
  return relations.find(({ kind }) => kind === SIMULTANEOUS)?.group;
}

const IDEMPOTENCY_KEY = /^idempotency-key$/i;

/**
 * Whether these exchanges, alone, show that a rule is broken. Of a metamorphic relation one pair of
 * answers that breaks it counts, without the repetitions that make it certain.
 */
export function isShown(
  { contract, service }: Pick<Session, 'contract' | 'service'>,
  rule: Rule,
  exchanges: readonly Exchange[],
): boolean {
  const row = comparisonOf(service, rule);
  return row === undefined
    ? isBroken(contract, rule, exchanges)
    : breaksRelation(row, contract, exchanges);
}

/** Whether a rule is broken by these exchanges alone, in all that it asks for. */
export function isBroken(contract: Contract, rule: Rule, exchanges: readonly Exchange[]): boolean {
  const judge = new Judge([rule], contract);
  for (const exchange of exchanges) judge.add(exchange);
  return judge.results().some(({ findings }) => findings.length > 0);
}

function breaksRelation(
  row: RelationRow,
  contract: Contract,
  exchanges: readonly Exchange[],
): boolean {
  const views = exchanges
    .map((exchange) => new View(exchange, contract))
    .filter(({ status, throttled }) => status > 0 && !throttled);
  const answers = (wanted: string): RelationAnswer<unknown>[] =>
    views
      .filter(({ exchange }) => exchange.relations.some(({ role }) => role === wanted))
      .map((view) => answerOf(row, view))
      .filter((answer) => answer !== null);
  return ['suspect', 'broken'].includes(stateOf(row, answers('A'), answers('B')).kind);
}
