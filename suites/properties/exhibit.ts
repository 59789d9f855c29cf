import { Judge } from '../../contracts/judging/judge.ts';
import { ACCEPTANCE_TRIALS } from '../../contracts/service/rules/inputs/accepted-input-rules.ts';
import { ZAP_TRIALS } from '../../contracts/service/rules/2-1-zap-request/2-1-zap-relations.ts';
import { SIMULTANEOUS } from '../../contracts/rules/simultaneous.ts';
import { TRADE_TRIALS } from '../../contracts/service/rules/2-3-trade-request/2-3-trade-relations.ts';
import { POOL_TRIALS } from '../../contracts/service/rules/2-5-pools/2-5-pool-limits.ts';
import type { TrialAnswer, ViewTrial } from '../../contracts/rules/trial.ts';
import { answerOf, stateOf, viewTrialOf } from '../../contracts/rules/trial.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import { View } from '../../contracts/judging/view.ts';
import type { Exchange, Relation } from '../../contracts/wire/exchange.ts';
import type { Session } from '../drive/session.ts';
import type { TriedRequest } from '../drive/trials.ts';

/** A request, and its place in a relation where the rule compares answers. */
export interface Shown {
  readonly request: TriedRequest;
  /** Its place in the relation that the rule is about, e.g. `A`. */
  readonly role?: string;
  /** That relation, where the rule is about others as well, or about none. */
  readonly kind?: string;
  /** Tells the groups of that relation apart, where the rule wants several. */
  readonly group?: string;
}

/** Requests that together show that a rule is broken, in the order in which they are sent. */
export type Exhibit = readonly Shown[];

/** The trials by the id of their rule. */
const TRIALS: ReadonlyMap<string, ViewTrial> = new Map(
  [...ZAP_TRIALS.map(viewTrialOf), ...TRADE_TRIALS, ...POOL_TRIALS, ...ACCEPTANCE_TRIALS].map(
    (trial) => [trial.id, trial as ViewTrial],
  ),
);

/** The trial that a rule judges, if it compares the answers to two requests. */
export function trialOf(rule: Pick<Rule, 'id'>): ViewTrial | undefined {
  return TRIALS.get(rule.id);
}

/** The relation that the requests of a rule stand in, if they stand in any. */
export function relationOf(rule: Rule): string | undefined {
  return rule.relation ?? trialOf(rule)?.relation;
}

/**
 * Sends the requests of an exhibit, in their order.
 *
 * @param group tells this sending from others of the same relation
 */
export async function send(
  { client, random }: Session,
  rule: Rule,
  exhibit: Exhibit,
  group: string,
): Promise<Exchange[]> {
  const relation = relationOf(rule);
  const fresh = new Map<string, string>();
  const prepared = exhibit.map(({ request, role, group: own, kind = relation }) => {
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
    // All are to end before anything else is sent, also where one of them may not be sent any more.
    const sent = await Promise.allSettled(together.map((request) => client.send(request)));
    for (const result of sent) {
      if (result.status === 'rejected') throw result.reason;
      exchanges.push(result.value);
    }
  }
  return exchanges;
}

type Prepared = TriedRequest & { readonly relations: readonly Relation[] };

/** Requests one by one, but for those of one moment, which stand next to each other. */
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
 * Whether these exchanges, alone, show that a rule is broken. Of a trial one pair of answers that
 * breaks the relation counts, without the repetitions that make it certain.
 */
export function isShown(contract: Contract, rule: Rule, exchanges: readonly Exchange[]): boolean {
  const trial = trialOf(rule);
  return trial === undefined
    ? isBroken(contract, rule, exchanges)
    : breaksTrial(trial, contract, exchanges);
}

/** Whether a rule is broken by these exchanges alone, in all that it asks for. */
export function isBroken(contract: Contract, rule: Rule, exchanges: readonly Exchange[]): boolean {
  const judge = new Judge([rule], contract);
  for (const exchange of exchanges) judge.add(exchange);
  return judge.results().some(({ findings }) => findings.length > 0);
}

function breaksTrial(
  trial: ViewTrial,
  contract: Contract,
  exchanges: readonly Exchange[],
): boolean {
  const views = exchanges
    .map((exchange) => new View(exchange, contract))
    .filter(({ status, throttled }) => status > 0 && !throttled);
  const answers = (wanted: string): TrialAnswer<unknown>[] =>
    views
      .filter(({ exchange }) => exchange.relations.some(({ role }) => role === wanted))
      .map((view) => answerOf(trial, view))
      .filter((answer) => answer !== null);
  return ['suspect', 'broken'].includes(stateOf(trial, answers('A'), answers('B')).kind);
}
