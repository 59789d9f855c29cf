import { View } from '../../contracts/judging/view.ts';
import { certainAfter, isNoService } from '../../contracts/rules/valid-requests/each-time.ts';
import { asksForDeleted } from '../../contracts/judging/replies/deleted.ts';
import {
  isToBeServed,
  kindOfRequest,
  validAnswerOf,
  type ValidAnswer,
} from '../../contracts/rules/valid-requests/valid-answer.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import type { Session } from '../driven-service.ts';
import { againOf, keyOf } from './asked-again.ts';

/** Asks again for what the service failed in, to distinguish a fault from a moment. */
export interface FailureWatch {
  /** Sends what failed so far again, until it is served or has failed often enough to be certain. */
  readonly askAgain: () => Promise<void>;
}

/** A request that met an error of the service, or no answer, each time so far. */
interface Failing {
  readonly request: ClientRequest;
  /** Operation, and whether the request is valid; so many of a kind are asked again. */
  readonly kind: string;
  /** The operation, with and without what says nothing of its other requests. */
  readonly operation: string;
  readonly id: string;
  readonly isValid: boolean;
  readonly answers: ValidAnswer[];
}

/** At most this many different requests of a kind are asked again. */
const MAX_OF_A_KIND = 3;
/** A drive spends at most this many requests on asking again. */
const MAX_REQUESTS = 150;
/** More that fail are not remembered. */
const MAX_REMEMBERED = 200;

/**
 * Watches all exchanges of a session from now on.
 *
 * @param mostRequests are spent on asking again
 */
export function watchFailures(session: Session, mostRequests: number = MAX_REQUESTS): FailureWatch {
  const failing = new Map<string, Failing>();
  /** By operation and what says nothing of its other requests, by operation, and by API. */
  const served = new Map<string, ClientRequest>();
  const servedOf = new Map<string, ClientRequest>();
  const asked = new Map<string, number>();
  const { validRequests } = session.service.rules;
  let left = mostRequests;

  session.client.listen((exchange, request) => {
    const { purpose } = exchange;
    if (purpose.kind === 'unknown') return;
    const view = new View(exchange, session.contract);
    const operation = kindOfRequest(view, validRequests);
    const isValid = purpose.kind !== 'invalid';
    const answer = validAnswerOf(view, isValid ? validRequests : {});
    const key = keyOf(exchange);
    if (view.succeeded && exchange.request.method === 'DELETE') forget(exchange);
    if (!isNoService(answer) || isUnconnected(exchange)) {
      // Once it was answered differently, the error was temporary.
      failing.delete(key);
      const isShown = answer === 'served' && isToBeServed(view, validRequests);
      const again = isShown ? againOf(session, exchange, request) : undefined;
      if (again === undefined) return;
      served.set(operation, again);
      servedOf.set(idOf(view), again);
      servedOf.set(exchange.api, again);
      return;
    }
    const known = failing.get(key);
    if (known !== undefined) {
      known.answers.push(answer);
      return;
    }
    const again = failing.size < MAX_REMEMBERED ? againOf(session, exchange, request) : undefined;
    if (again === undefined) return;
    const kind = isValid ? operation : `${operation} ${purpose.defect}`;
    const id = idOf(view);
    failing.set(key, { request: again, kind, operation, id, isValid, answers: [answer] });
  });

  /** Sends no request for what was deleted as one that is served. */
  function forget({ api, request: { path } }: Exchange): void {
    for (const known of [served, servedOf]) {
      for (const [key, request] of known) {
        if (request.api === api && asksForDeleted(request.path, path)) known.delete(key);
      }
    }
  }

  async function askUntilClear(key: string, one: Failing): Promise<void> {
    // To wait for what never answers takes too long.
    const isSilent = one.answers.includes('unanswered');
    const other = isSilent ? undefined : servedOf.get(one.request.api);
    const between = served.get(one.operation) ?? servedOf.get(one.id) ?? other;
    // Nobody knows whether anything is served there at all.
    if (one.isValid && between === undefined) return;
    asked.set(turnOf(one), (asked.get(turnOf(one)) ?? 0) + 1);
    while (failing.has(key) && one.answers.length < certainAfter(one.answers) && left > 0) {
      const before = one.answers.length;
      for (const request of [between, one.request]) {
        if (request === undefined) continue;
        left -= 1;
        await session.client.send(request);
      }
      // What cannot be sent as it was is another request.
      if (one.answers.length === before) return;
    }
  }

  return {
    async askAgain() {
      for (const [key, one] of failing) {
        if (one.answers.length >= certainAfter(one.answers)) continue;
        if ((asked.get(turnOf(one)) ?? 0) >= MAX_OF_A_KIND) continue;
        await askUntilClear(key, one);
      }
    },
  };
}

/** Outages, of which there may be many, take no turn of what is certain sooner. */
function turnOf({ kind, answers: [first] }: Failing): string {
  return `${kind} ${first === undefined ? '' : certainAfter([first])}`;
}

function idOf({ operation }: View): string {
  return operation?.id ?? 'none';
}

/** What nothing listens for is not asked again: the governor gives such an API up. */
function isUnconnected({ outcome }: Exchange): boolean {
  return outcome.kind === 'failure' && outcome.failure === 'connect';
}
