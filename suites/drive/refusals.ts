import { View } from '../../contracts/judging/view.ts';
import { MIN_EPISODES } from '../../contracts/rules/valid-requests/at-times.ts';
import { isWithinContract } from '../../contracts/judging/contract-probe.ts';
import {
  isToBeServed,
  kindOfRequest,
  type ValidAnswer,
  validAnswerOf,
} from '../../contracts/rules/valid-requests/valid-answer.ts';
import type { ClientRequest } from '../../fixtures/target/transport/client.ts';
import type { Session } from '../driven-service.ts';
import { againOf, keyOf } from './asked-again.ts';

/** Asks again for what the service refused, to tell a refusal from one that comes at times. */
export interface RefusalWatch {
  /** Sends valid requests that were refused again, and those often that are served then. */
  readonly askAgain: () => Promise<void>;
  /**
   * Sends of each operation that only its contract tells of one request that was served more often, so
   * that what refuses one request in six is seen to: few were sent of it so far.
   */
  readonly sendMore: () => Promise<void>;
}

/** A valid request that was refused. */
interface Refused {
  readonly request: ClientRequest;
  /** Operation, and what says nothing of its other requests. */
  readonly kind: string;
  wasServed: boolean;
  isAsked: boolean;
  /** Refusals since it was first served, and whether each was followed by a success. */
  refusals: number;
  isWaiting: boolean;
}

/** At most this many different requests of a kind are asked again, each so often. */
const MAX_OF_A_KIND = 3;
const TIMES = 2;
/**
 * One that is served at times is sent so often, or until it was refused often enough. One that is
 * refused one time in six is refused three times or more in 60, in all but 4 of 1,000 cases.
 */
const TIMES_AT_TIMES = 60;
/** Of those that are sent so often one in six is refused, in all but 3 of 100 cases. */
const ENOUGH_OF_A_KIND = 20;
/** A drive spends at most this many requests on asking again. */
const MAX_REQUESTS = 240;
/** More that are refused are not remembered. */
const MAX_REMEMBERED = 200;

/**
 * Watches all exchanges of a session from now on.
 *
 * @param mostRequests are spent on asking again
 */
export function watchRefusals(session: Session, mostRequests: number = MAX_REQUESTS): RefusalWatch {
  const refused = new Map<string, Refused>();
  const asked = new Map<string, number>();
  /** Kinds of which one was sent often. */
  const known = new Set<string>();
  /** By operation of a contract: how many were sent, and the first one that was served. */
  const sent = new Map<string, { count: number; served?: ClientRequest }>();
  const { validRequests } = session.service.rules;
  let left = mostRequests;

  session.client.listen((exchange, asked) => {
    const view = new View(exchange, session.contract);
    if (!isToBeServed(view, validRequests)) return;
    const answer = validAnswerOf(view, validRequests);
    if (isWithinContract(view)) count(view, answer, asked);
    const key = keyOf(exchange);
    const one = refused.get(key);
    if (one !== undefined) note(one, answer);
    if (one !== undefined || answer !== 'refused' || refused.size >= MAX_REMEMBERED) return;
    const request = againOf(session, exchange, asked);
    // What is gone is refused the second time.
    if (request === undefined || request.method === 'DELETE') return;
    const kind = kindOfRequest(view, validRequests);
    const nothing = { wasServed: false, isAsked: false, refusals: 0, isWaiting: false };
    refused.set(key, { request, kind, ...nothing });
  });

  function count(view: View, answer: ValidAnswer, asked: ClientRequest): void {
    const kind = kindOfRequest(view, validRequests);
    const known = sent.get(kind) ?? { count: 0 };
    known.count += 1;
    const isKept = answer === 'served' && view.exchange.request.method !== 'DELETE';
    const again =
      isKept && known.served === undefined ? againOf(session, view.exchange, asked) : undefined;
    sent.set(kind, again === undefined ? known : { ...known, served: again });
  }

  async function ask(one: Refused, times: number, isEnough: () => boolean): Promise<void> {
    for (let time = 0; time < times && left > 0 && !isEnough(); time += 1) {
      left -= 1;
      await session.client.send(one.request);
    }
  }

  return {
    async askAgain() {
      for (const one of refused.values()) {
        const { kind } = one;
        if (one.isAsked || known.has(kind) || (asked.get(kind) ?? 0) >= MAX_OF_A_KIND) continue;
        one.isAsked = true;
        asked.set(kind, (asked.get(kind) ?? 0) + 1);
        await ask(one, TIMES, () => one.wasServed);
        if (!one.wasServed) continue;
        known.add(kind);
        await ask(one, TIMES_AT_TIMES, () => one.refusals >= MIN_EPISODES);
      }
    },
    async sendMore() {
      const each = Math.floor(left / Math.max(1, sent.size));
      for (const [kind, { served, count: before }] of sent) {
        if (served === undefined || known.has(kind)) continue;
        for (let more = 0; more < Math.min(each, ENOUGH_OF_A_KIND - before); more += 1) {
          left -= 1;
          await session.client.send(served);
        }
      }
    },
  };
}

/** Counts refusals between two successes. */
function note(one: Refused, answer: ValidAnswer): void {
  if (answer === 'served') {
    if (one.isWaiting) one.refusals += 1;
    one.wasServed = true;
    one.isWaiting = false;
  } else if (answer === 'refused' && one.wasServed) one.isWaiting = true;
}
