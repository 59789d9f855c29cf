import type {
  RelationRow,
  RelationAnswer,
  RelationState,
} from '../../contracts/rules/relation-rule.ts';
import { answerOf, MIN_CERTAIN_ANSWERS, stateOf } from '../../contracts/rules/relation-rule.ts';
import { View } from '../../contracts/judging/view.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Other } from './relation.ts';
import type { Session } from '../driven-service.ts';
import type { TriedRequest } from './tried-request.ts';

type Role = 'A' | 'B' | 'C';

/** No period of a service that alternates between routes keeps step with this (Thue and Morse). */
export const ALTERNATION: readonly Role[] = Array.from('ABBABAABBAABABBA', (role) => role as Role);

/** One relation is repeated at most this often to be certain of it in a run. */
const MAX_REPEATED = 3;

/** What the rules of a relation compare of an answer, which itself may be large and is dropped. */
interface Answer {
  readonly relation: string;
  readonly role: Role;
  /** By the id of the rule. */
  readonly reported: ReadonlyMap<string, RelationAnswer<unknown>>;
}

/** Compares the answers to pairs of requests, and repeats what looks broken. */
export class RelationChecker {
  readonly #session: Pick<Session, 'client' | 'contract' | 'groupCount'>;
  readonly #repeated = new Map<string, number>();
  readonly #broken = new Set<string>();

  constructor(session: Pick<Session, 'client' | 'contract' | 'groupCount'>) {
    this.#session = session;
  }

  /**
   * Sends a request, then, once it was served, others that differ from it in one thing each. What
   * looks broken is sent again until it is certain.
   *
   * @returns the answer to the first request
   */
  async run(first: TriedRequest, others: readonly Other[]): Promise<Exchange> {
    this.#session.groupCount += 1;
    const group = `trial-${this.#session.groupCount}`;
    const answers: Answer[] = [];
    const send = async (
      request: TriedRequest,
      role: Role,
      relations: readonly Other['relation'][],
    ): Promise<Exchange> => {
      const marks = relations.map(({ name }) => ({ kind: name, group, role }));
      const exchange = await this.#session.client.send({ ...request, relations: marks });
      const view = new View(exchange, this.#session.contract);
      for (const relation of relations) {
        answers.push({ relation: relation.name, role, reported: reportedOf(relation, view) });
      }
      return exchange;
    };
    const byName = new Map(others.map(({ relation }) => [relation.name, relation]));
    const served = await send(first, 'A', [...byName.values()]);
    if (!isServed(served)) return served;
    for (const { relation, request, isControl } of others) {
      await send(request, isControl === true ? 'C' : 'B', [relation]);
    }
    for (const { relation, request } of others.filter(({ isControl }) => isControl !== true)) {
      await this.#repeat(answers, relation, async (role) => {
        await send(role === 'A' ? first : request, role, [relation]);
      });
    }
    return served;
  }

  async #repeat(
    answers: readonly Answer[],
    { name, rules }: Other['relation'],
    send: (role: Role) => Promise<void>,
  ): Promise<void> {
    for (const row of rules) {
      if (this.#broken.has(row.id)) continue;
      const repeated = this.#repeated.get(row.id) ?? 0;
      if (repeated >= MAX_REPEATED || stateIn(answers, row).kind !== 'suspect') continue;
      this.#repeated.set(row.id, repeated + 1);
      const isOf = (answer: Answer): boolean => answer.relation === name && answer.role !== 'C';
      let sent = answers.filter(isOf).length;
      while (stateIn(answers, row).kind === 'suspect' && sent < 2 * MIN_CERTAIN_ANSWERS) {
        await send(ALTERNATION[sent] ?? 'B');
        sent += 1;
      }
      if (stateIn(answers, row).kind === 'broken') this.#broken.add(row.id);
    }
  }
}

function reportedOf({ rules }: Other['relation'], view: View): Answer['reported'] {
  const reported = new Map<string, RelationAnswer<unknown>>();
  if (view.status === 0 || view.throttled) return reported;
  for (const row of rules) {
    const answer = answerOf(row, view);
    if (answer !== null) reported.set(row.id, answer);
  }
  return reported;
}

function stateIn(answers: readonly Answer[], row: RelationRow): RelationState {
  const answered = (wanted: Role): RelationAnswer<unknown>[] =>
    answers
      .filter(({ relation, role }) => relation === row.relation && role === wanted)
      .map(({ reported }) => reported.get(row.id))
      .filter((answer) => answer !== undefined);
  return stateOf(row, answered('A'), answered('B'));
}

function isServed({ outcome }: Exchange): boolean {
  return (
    outcome.kind === 'response' && outcome.response.status >= 200 && outcome.response.status < 300
  );
}
