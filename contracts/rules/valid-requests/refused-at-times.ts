import { SAFE } from '../../judging/replies/reply.ts';
import { nameOf } from '../../judging/replies/asked-requests.ts';
import type { View } from '../../judging/view.ts';
import type { AtTimesRow } from '../../run/at-times.ts';
import { type ApiName, SIMULTANEOUS } from '../../wire/exchange.ts';
import { sentFactOf } from './sent-requests.ts';
import { saidBy, type ValidRequests } from './valid-answer.ts';

/** One answer to a request. */
interface Answer {
  readonly isServed: boolean;
  /** How many requests but its own may have changed something before. */
  readonly changes: number;
  /** Whether it says something only between two successes: who asks may be known for a while. */
  readonly isBetweenOnly: boolean;
  /** Of a refusal: what was answered. */
  readonly said: string;
}

interface Sent {
  readonly api: ApiName;
  readonly operation: string;
  readonly answers: Answer[];
  ownChanges: number;
}

/** Statuses that may be of a credential, which may end, or be there only later. */
const OF_A_CALLER: readonly number[] = [401, 403];

/**
 * Follows which valid requests were refused at one time and served at another, with nothing changed between. Of what is
 * asked to change something, and of 401 and 403, only a refusal between two successes counts.
 */
export class RefusedAtTimes {
  readonly #knowledge: ValidRequests;
  readonly #sent = new Map<number, Sent>();
  readonly #changes = new Map<ApiName, number>();

  constructor(knowledge: ValidRequests) {
    this.#knowledge = knowledge;
  }

  /** Looks at one more exchange of a drive. */
  look(view: View): void {
    const { exchange, status, operation } = view;
    const { api, request, relations } = exchange;
    // What a limit refuses of many at once says nothing of one.
    if (relations.some(({ kind }) => kind === SIMULTANEOUS)) return;
    const fact = sentFactOf(view, this.#knowledge);
    if (fact === null) return;
    const changes = this.#changes.get(api) ?? 0;
    if (fact.mayChange) this.#changes.set(api, changes + 1);
    const isServed = fact.answer === 'served';
    const isRefused = fact.answer === 'refused' || fact.answer === 'gone';
    if (operation === undefined || fact.answer === 'another') return;
    const name = nameOf(exchange);
    const sent = this.#sent.get(name) ?? {
      api,
      operation: operation.id,
      answers: [],
      ownChanges: 0,
    };
    this.#sent.set(name, sent);
    if (isServed || isRefused) {
      const isSafe = SAFE.includes(request.method.toUpperCase());
      sent.answers.push({
        isServed,
        changes: changes - sent.ownChanges,
        isBetweenOnly: !isSafe || fact.answer === 'gone' || OF_A_CALLER.includes(status),
        said: isServed ? '' : saidBy(view),
      });
    }
    if (fact.mayChange) sent.ownChanges += 1;
  }

  /** Each operation that refused such requests, of all answers to requests that were asked again and served at some time. */
  rows(): AtTimesRow[] {
    const rows = new Map<string, AtTimesRow>();
    for (const { api, operation, answers } of this.#sent.values()) {
      const served = answers.filter(({ isServed }) => isServed).length;
      if (served === 0 || answers.length < 2) continue;
      const refused = answers.filter((one, at) => isAtTimes(one, at, answers));
      const before = rows.get(operation);
      const said = refused.at(-1)?.said ?? before?.said ?? '';
      rows.set(operation, {
        ...{ api, operation, kind: 'refused', said },
        count: (before?.count ?? 0) + refused.length,
        of: (before?.of ?? 0) + served + refused.length,
      });
    }
    return [...rows.values()].filter(({ count }) => count > 0);
  }
}

/** Whether a request was refused though it was served before or afterwards, with nothing changed between. */
function isAtTimes(one: Answer, at: number, answers: readonly Answer[]): boolean {
  if (one.isServed) return false;
  const isSame = (other: Answer): boolean => other.isServed && other.changes === one.changes;
  const [earlier, later] = [answers.slice(0, at), answers.slice(at + 1)];
  if (one.isBetweenOnly) return earlier.some(({ isServed }) => isServed) && later.some(isSame);
  return earlier.some(isSame) || later.some(isSame);
}
