import { View } from '../../contracts/judging/view.ts';
import { asksForDeleted } from '../../contracts/judging/replies/deleted.ts';
import { MIN_EPISODES } from '../../contracts/rules/valid-requests/at-times.ts';
import { isWithinContract } from '../../contracts/judging/contract-probe.ts';
import {
  isToBeServed,
  kindOfRequest,
  type ValidAnswer,
  validAnswerOf,
} from '../../contracts/rules/valid-requests/valid-answer.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import type { Session } from '../driven-service.ts';
import { againOf, keyOf } from './asked-again.ts';

/** Asks again for what the service refused, to distinguish a refusal from one that comes at times. */
export interface RefusalWatch {
  /** Sends valid requests that were refused again, and those often that are served then. */
  readonly askAgain: () => Promise<void>;
  /**
   * Sends of each operation that only its contract names one request that was served more often. So what refuses one request in six is seen to: few were sent of it so far.
   *
   * @param which all, or those of `things` alone, whose paths name what may be deleted
   */
  readonly sendMore: (which: 'all' | 'things') => Promise<void>;
}

/** What was sent of an operation of a contract. */
interface Sent {
  readonly isOfThings: boolean;
  /** Of things that are there. */
  count: number;
  /** The first that was served, of a thing that was not deleted since. */
  served: { readonly key: string; readonly request: ClientRequest } | undefined;
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
  /** By operation of a contract. */
  const sent = new Map<string, Sent>();
  const { validRequests } = session.service.rules;
  let left = mostRequests;

  session.client.listen((exchange, asked) => {
    const view = new View(exchange, session.contract);
    if (view.succeeded && exchange.request.method === 'DELETE') forget(exchange);
    if (!isToBeServed(view, validRequests)) return;
    const answer = validAnswerOf(view, validRequests);
    if (isWithinContract(view)) count(view, answer, asked);
    const key = keyOf(exchange);
    const one = refused.get(key);
    if (one !== undefined) note(one, answer);
    // What was never served may never have been there.
    const wasServed = [...sent.values()].some(({ served }) => served?.key === key);
    const isRefusal = answer === 'refused' || (answer === 'gone' && wasServed);
    if (one !== undefined || !isRefusal || refused.size >= MAX_REMEMBERED) return;
    const request = againOf(session, exchange, asked);
    // What is gone is refused the second time.
    if (request === undefined || request.method === 'DELETE') return;
    const kind = kindOfRequest(view, validRequests);
    const nothing = { isAsked: false, refusals: 0, isWaiting: wasServed };
    refused.set(key, { request, kind, wasServed, ...nothing });
  });

  function count(view: View, answer: ValidAnswer, asked: ClientRequest): void {
    const { exchange, operation } = view;
    const kind = kindOfRequest(view, validRequests);
    const isOfThings = operation?.pathTemplate.includes('{') === true;
    const known: Sent = sent.get(kind) ?? { isOfThings, count: 0, served: undefined };
    sent.set(kind, known);
    // What is not there says nothing of what would be served.
    if (answer !== 'gone') known.count += 1;
    if (answer !== 'served' || exchange.request.method === 'DELETE') return;
    const request = known.served === undefined ? againOf(session, exchange, asked) : undefined;
    if (request !== undefined) known.served = { key: keyOf(exchange), request };
  }

  /** Asks no more for what was deleted. */
  function forget({ api, request: { path } }: Exchange): void {
    const isDeleted = (asked: ClientRequest): boolean =>
      asked.api === api && asksForDeleted(asked.path, path);
    for (const [key, { request }] of refused) if (isDeleted(request)) refused.delete(key);
    for (const one of sent.values()) {
      if (one.served !== undefined && isDeleted(one.served.request)) one.served = undefined;
    }
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
    async sendMore(which) {
      const each = Math.floor(left / Math.max(1, sent.size));
      for (const [kind, one] of sent) {
        if (known.has(kind) || (which === 'things' && !one.isOfThings)) continue;
        const most = Math.min(each, ENOUGH_OF_A_KIND - one.count);
        for (let more = 0; more < most && one.served !== undefined; more += 1) {
          left -= 1;
          await session.client.send(one.served.request);
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
  } else if ((answer === 'refused' || answer === 'gone') && one.wasServed) one.isWaiting = true;
}
