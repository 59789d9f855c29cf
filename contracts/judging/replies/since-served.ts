import type { RecordedRequest } from '../../wire/exchange.ts';
import { asksForDeleted } from './deleted.ts';
import { OF_THE_WORLD, type Reply, SAFE, type Said } from './reply.ts';
import type { View } from '../view.ts';

/** What a valid request was given in place of service; `pages` are web pages if none is stated. */
export type NotServed = Exclude<Reply, 'served'> | 'pages';

/** Valid requests in a row that were not served, after others that were. */
export interface NotServedRow {
  /** Id of the first exchange. */
  readonly from: string;
  /** Id of the last exchange. */
  readonly until: string;
  readonly replies: Partial<Record<NotServed, number>>;
  readonly count: number;
  /** How many of them had been served before, as the same requests. */
  readonly again: number;
  /** The operation of all of them; undefined if they are of several. */
  readonly operation: string | undefined;
  readonly last: Said;
}

/** What was served before must be refused so often: a service that refuses one in six does so in 1 of 10⁶. */
export const AGAIN = 8;
/** So many in a row, if something other than an error of the service may have its reason. */
export const IN_A_ROW = 20;

/** All that a service that is out gives. */
const OF_AN_OUTAGE: readonly string[] = ['failed', 'unanswered'] satisfies NotServed[];

/** Whether there is no service any more, be it by outages at random, or since what was asked for is refused. */
export function isCertain(row: NotServedRow): boolean {
  return row.again >= AGAIN && (isOutage(row) || row.count >= IN_A_ROW);
}

/** Whether a row is of errors of the service and of silence alone. */
export function isOutage({ replies }: NotServedRow): boolean {
  return Object.keys(replies).every((kind) => OF_AN_OUTAGE.includes(kind));
}

/** What a request was given. */
export interface Answered {
  readonly reply: Reply;
  /** Whether it is a web page if the contract states none. */
  readonly isPage: boolean;
  /** Whether the request is valid, or keeps to the contract of its operation. */
  readonly isValid: boolean;
  /** Nothing if it was served. */
  readonly said: Said | undefined;
}

/** What web pages are given in place of: the status of any other says more. */
const MAY_BE_PAGES: readonly Reply[] = ['served', 'refused'];

/** Of one operation or API so many served requests are known again at the most. */
const MOST_KNOWN = 500;

/** Follows what becomes of valid requests after others were served. Bounded. */
export class SinceServed {
  readonly #served = new Set<string>();
  #hasServed = false;
  #row: NotServedRow | undefined;
  #longest: NotServedRow | undefined;

  /** Requests that were not served since the last that was, if one was. */
  get row(): NotServedRow | undefined {
    return this.#row;
  }

  /** The longest row of errors of the service that ended with a served request, from {@link IN_A_ROW} on. */
  get longestOutage(): NotServedRow | undefined {
    return this.#longest;
  }

  /**
   * Counts one more request.
   *
   * @param said what it was given in place of service
   */
  add(view: View, { reply, isPage, isValid, said }: Answered): void {
    const { exchange } = view;
    if (said === undefined) {
      this.#endRow();
      this.#hasServed ||= isValid;
      if (isValid) this.#know(nameOf(exchange.request));
      return;
    }
    if (!isValid || !this.#hasServed || mayHaveChanged(view, reply)) return;
    const kind = isPage && MAY_BE_PAGES.includes(reply) ? 'pages' : (reply as NotServed);
    const before = this.#row;
    const operation = view.operation?.id;
    this.#row = {
      operation: before === undefined || before.operation === operation ? operation : undefined,
      from: before?.from ?? exchange.id,
      until: exchange.id,
      replies: { ...before?.replies, [kind]: (before?.replies[kind] ?? 0) + 1 },
      count: (before?.count ?? 0) + 1,
      again: (before?.again ?? 0) + (this.#served.has(nameOf(exchange.request)) ? 1 : 0),
      last: said,
    };
  }

  /** Knows no request any more for a thing that was deleted, or for what is below it. */
  forget(path: string): void {
    for (const name of this.#served) {
      const [, asked = ''] = name.split(' ');
      if (asksForDeleted(asked, path)) this.#served.delete(name);
    }
  }

  /** The last are known: one of them is sent again. */
  #know(name: string): void {
    this.#served.delete(name);
    this.#served.add(name);
    if (this.#served.size <= MOST_KNOWN) return;
    for (const oldest of this.#served) {
      this.#served.delete(oldest);
      return;
    }
  }

  #endRow(): void {
    const row = this.#row;
    this.#row = undefined;
    if (row === undefined || row.count < IN_A_ROW || !isOutage(row)) return;
    if (row.count > (this.#longest?.count ?? 0)) this.#longest = row;
  }
}

/** Whether an answer speaks of what is there now, or of a rate, and so neither of service nor of its end. */
function mayHaveChanged({ status, operation, exchange }: View, reply: Reply): boolean {
  if (reply === 'throttled') return true;
  // What is made or changed by a contract of others may be possible once, or so often.
  const { request, purpose } = exchange;
  const mayChange = purpose.kind !== 'valid' && !SAFE.includes(request.method.toUpperCase());
  if (mayChange && (reply === 'refused' || status === 403)) return true;
  // If no thing is named, none can be gone.
  const namesNoThing = operation?.pathTemplate.includes('{') === false;
  return OF_THE_WORLD.includes(status) && !(namesNoThing && (status === 404 || status === 410));
}

function nameOf({ method, path, body }: RecordedRequest): string {
  return `${method} ${path} ${body?.text.slice(0, 2_000) ?? ''}`;
}
