import type { ApiName } from '../../wire/exchange.ts';
import { isOfUnknownThing, isWithinContract } from '../contract-probe.ts';
import {
  isOfTheFront,
  isPlainAtTls,
  isStrayPage,
  reachesItsOperation,
  type Reply,
  replyOf,
  type Said,
  saidBy,
} from './reply.ts';
import { RefusedEachTime } from './refused-each-time.ts';
import { type Answered, SinceServed } from './since-served.ts';
import type { View } from '../view.ts';

/** How many exchanges there were of each kind. */
export type ReplyCounts = Partial<Record<Reply, number>>;

/** What became of the requests to one operation that a drive made to be served. */
export interface OperationReplies {
  readonly id: string;
  readonly api: ApiName;
  readonly method: string;
  readonly pathTemplate: string;
  /** Whether anything but a wrong request was answered with success, and not with a stray page. */
  isServed: boolean;
  /** Of valid requests, and of those that keep to a contract. */
  readonly valid: ReplyCounts;
  /** Of these: web pages if the contract states none. */
  pages: number;
  /** Of these: refused, or not there, if what was asked for may not be there. */
  ofUnknownThings: number;
  /** The last of these that was not served. */
  last?: Said;
  readonly sinceServed: SinceServed;
  readonly refused: RefusedEachTime;
}

/** What became of requests that reach one operation, if there is one. */
export interface Asked {
  /** Method and path template. */
  readonly place: string;
  readonly counts: ReplyCounts;
  /** The first that was not served. */
  first?: Said;
}

/** What became of all requests to one API that a drive made. */
export interface ApiReplies {
  readonly api: ApiName;
  /** What stands before the paths of its requests. */
  readonly baseUrl: string;
  /** Of all, what servers in front of a service answer by themselves left out. */
  readonly all: ReplyCounts;
  /** Of requests that reach an operation, if there is one, by its id. */
  readonly asked: Map<string, Asked>;
  /** Of these: web pages if the contract states none, though neither an error of the server nor 404. */
  strays: number;
  /** Of these: answers of a server of TLS that it was asked in plain HTTP. */
  plainAtTls: number;
  /** The last of all that was not served. */
  last?: Said;
  readonly sinceServed: SinceServed;
}

/**
 * Counts what became of the requests that a drive made: per operation and per API, so it is bounded by
 * the contract. Exchanges that came from elsewhere promised to ask nothing, and are not counted.
 */
export class ServiceReplies {
  readonly #apis = new Map<ApiName, ApiReplies>();
  readonly #operations = new Map<string, OperationReplies>();

  /** Counts one more exchange. */
  add(view: View): void {
    const { exchange, operation } = view;
    const { purpose } = exchange;
    if (purpose.kind === 'unknown') return;
    const reply = replyOf(view);
    const isPage = reply !== 'throttled' && isStrayPage(view);
    const said = reply === 'served' && !isPage ? undefined : saidBy(view);
    const isValid = operation !== undefined && isAsPromised(view);
    if (exchange.request.method === 'DELETE' && view.succeeded) this.#forget(view);
    const answered = { reply, isPage, isValid, said };
    this.#countForApi(view, answered);
    if (operation === undefined || purpose.kind === 'invalid') return;
    let known = this.#operations.get(operation.id);
    if (known === undefined) {
      const { id, api, method, pathTemplate } = operation;
      known = {
        ...{ id, api, method, pathTemplate },
        ...{ isServed: false, valid: {}, pages: 0, ofUnknownThings: 0 },
        sinceServed: new SinceServed(),
        refused: new RefusedEachTime(),
      };
      this.#operations.set(id, known);
    }
    known.isServed ||= said === undefined;
    known.sinceServed.add(view, answered);
    if (purpose.kind === 'valid') known.refused.add(view, reply);
    if (!isValid) return;
    count(known.valid, reply);
    if (isPage) known.pages += 1;
    const isGone = view.status === 404 || view.status === 410 || reply === 'refused';
    if (isGone && isOfUnknownThing(view)) known.ofUnknownThings += 1;
    if (said !== undefined) known.last = said;
  }

  #forget({ exchange: { api, request } }: View): void {
    for (const one of [...this.apis, ...this.operations]) {
      if (one.api === api) one.sinceServed.forget(request.path);
    }
  }

  #countForApi(view: View, answered: Answered): void {
    const { api } = view.exchange;
    const { reply, isPage, isValid, said } = answered;
    let known = this.#apis.get(api);
    if (known === undefined) {
      const counts = { all: {}, asked: new Map(), strays: 0, plainAtTls: 0 };
      known = { api, baseUrl: baseUrlOf(view), ...counts, sinceServed: new SinceServed() };
      this.#apis.set(api, known);
    }
    if (isOfTheFront(view)) return;
    count(known.all, reply);
    if (said !== undefined) known.last = said;
    known.sinceServed.add(view, answered);
    const isAsked = reply === 'served' || reachesItsOperation(view);
    if (!isAsked || view.operation === undefined || isOfUnknownThing(view)) return;
    // Who looks at credentials first denies a made-up one wherever it is sent to.
    if (reply === 'denied' && !isValid) return;
    const { id, method, pathTemplate } = view.operation;
    const place = `${method} ${pathTemplate}`;
    const asked = known.asked.get(id) ?? { place, counts: {} };
    known.asked.set(id, asked);
    count(asked.counts, reply);
    if (said !== undefined) asked.first ??= said;
    const isPlain = isPlainAtTls(view);
    if (isPlain) known.plainAtTls += 1;
    if ((isPage || isPlain) && OF_AN_API.includes(reply)) known.strays += 1;
  }

  /** The APIs that were asked, in the order in which they were first. */
  get apis(): readonly ApiReplies[] {
    return [...this.#apis.values()];
  }

  /** The operations that were asked, likewise. */
  get operations(): readonly OperationReplies[] {
    return [...this.#operations.values()];
  }
}

/** Whether a request is valid, or keeps to the contract of its operation. */
function isAsPromised(view: View): boolean {
  return view.exchange.purpose.kind === 'valid' || isWithinContract(view);
}

/** What only an API answers, unless it is a page. */
const OF_AN_API: readonly Reply[] = ['served', 'denied', 'refused'];

function count(counts: ReplyCounts, reply: Reply): void {
  counts[reply] = (counts[reply] ?? 0) + 1;
}

function baseUrlOf({ exchange: { request } }: View): string {
  const { url, path } = request;
  return url.endsWith(path) ? url.slice(0, url.length - path.length) : url;
}
