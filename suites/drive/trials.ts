import type { TrialAnswer, TrialState, ViewTrial } from '../../contracts/rules/trial.ts';
import { answerOf, ENOUGH_ANSWERS, stateOf } from '../../contracts/rules/trial.ts';
import { View } from '../../contracts/judging/view.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../fixtures/target/transport/client.ts';
import type { Session } from './session.ts';

/** A request of a trial; its relations are added. */
export type TriedRequest = Omit<ClientRequest, 'relations'>;

/** Another request whose answer is held against that to the first, and in what relation. */
export interface Other {
  readonly relation: string;
  readonly request: TriedRequest;
  /** Whether it is what a wrong service takes the other request of the relation for. */
  readonly isControl?: true;
}

type Role = 'A' | 'B' | 'C';

/** No period of a service that alternates between routes keeps step with this (Thue and Morse). */
export const ALTERNATION: readonly Role[] = Array.from('ABBABAABBAABABBA', (role) => role as Role);

/** So often one trial is repeated to be certain of it in a run. */
const MOST_REPEATED = 3;

/** What the trials of a relation compare of an answer, which itself may be large and is let go. */
interface Answer {
  readonly relation: string;
  readonly role: Role;
  /** By the id of the trial. */
  readonly told: ReadonlyMap<string, TrialAnswer<unknown>>;
}

/** Holds the answers to pairs of requests against each other, and repeats what looks broken. */
export class Trials {
  readonly #session: Session;
  readonly #trials: readonly ViewTrial[];
  readonly #repeated = new Map<string, number>();
  readonly #broken = new Set<string>();

  /** @param trials what the answers are held to */
  constructor(session: Session, trials: readonly ViewTrial[]) {
    this.#session = session;
    this.#trials = trials;
  }

  /**
   * Sends a request, then others that differ from it in one thing each; what looks broken is sent
   * again until it is certain.
   *
   * @param others asked for once the first was served, with its answer
   * @returns the answer to the first request
   */
  async run(
    first: TriedRequest,
    relations: readonly string[],
    others: (served: Exchange) => readonly Other[],
  ): Promise<Exchange> {
    this.#session.trials += 1;
    const group = `trial-${this.#session.trials}`;
    const answers: Answer[] = [];
    const send = async (
      request: TriedRequest,
      role: Role,
      kinds: readonly string[],
    ): Promise<Exchange> => {
      const marks = kinds.map((kind) => ({ kind, group, role }));
      const exchange = await this.#session.client.send({ ...request, relations: marks });
      const view = new View(exchange, this.#session.contract);
      for (const relation of kinds)
        answers.push({ relation, role, told: this.#told(relation, view) });
      return exchange;
    };
    const served = await send(first, 'A', relations);
    if (!isServed(served)) return served;
    const tried = others(served);
    for (const { relation, request, isControl } of tried) {
      await send(request, isControl === true ? 'C' : 'B', [relation]);
    }
    for (const { relation, request } of tried.filter(({ isControl }) => isControl !== true)) {
      await this.#repeat(answers, relation, async (role) => {
        await send(role === 'A' ? first : request, role, [relation]);
      });
    }
    return served;
  }

  #told(relation: string, view: View): Answer['told'] {
    const told = new Map<string, TrialAnswer<unknown>>();
    if (view.status === 0 || view.throttled) return told;
    for (const trial of this.#trials) {
      const answer = trial.relation === relation ? answerOf(trial, view) : null;
      if (answer !== null) told.set(trial.id, answer);
    }
    return told;
  }

  async #repeat(
    answers: readonly Answer[],
    relation: string,
    send: (role: Role) => Promise<void>,
  ): Promise<void> {
    for (const trial of this.#trials) {
      if (trial.relation !== relation || this.#broken.has(trial.id)) continue;
      const repeated = this.#repeated.get(trial.id) ?? 0;
      if (repeated >= MOST_REPEATED || stateIn(answers, trial).kind !== 'suspect') continue;
      this.#repeated.set(trial.id, repeated + 1);
      const isOf = (answer: Answer): boolean => answer.relation === relation && answer.role !== 'C';
      let sent = answers.filter(isOf).length;
      while (stateIn(answers, trial).kind === 'suspect' && sent < 2 * ENOUGH_ANSWERS) {
        await send(ALTERNATION[sent] ?? 'B');
        sent += 1;
      }
      if (stateIn(answers, trial).kind === 'broken') this.#broken.add(trial.id);
    }
  }
}

function stateIn(answers: readonly Answer[], trial: ViewTrial): TrialState {
  const of = (wanted: Role): TrialAnswer<unknown>[] =>
    answers
      .filter(({ relation, role }) => relation === trial.relation && role === wanted)
      .map(({ told }) => told.get(trial.id))
      .filter((answer) => answer !== undefined);
  return stateOf(trial, of('A'), of('B'));
}

function isServed({ outcome }: Exchange): boolean {
  return (
    outcome.kind === 'response' && outcome.response.status >= 200 && outcome.response.status < 300
  );
}
