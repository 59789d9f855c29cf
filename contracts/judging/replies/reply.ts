import { bestStated } from '../../document/openapi/media-type.ts';
import { isWebPage } from '../../wire/web-page.ts';
import { isObject } from '../../wire/json.ts';
import { headerOf } from '../../wire/exchange.ts';
import { excerpt } from '../excerpt.ts';
import type { View } from '../view.ts';

/**
 * What an exchange says of whether its operation serves: `moved` redirects if the contract states no such status,
 * `denied` asks for a credential or forbids,
 * `missing` knows no such place, method or thing, `refused` is any other 4xx, `failed` is 5xx,
 * `unanswered` gave no answer, `unreadable` one that cannot be read.
 */
export type Reply =
  | 'served'
  | 'moved'
  | 'denied'
  | 'missing'
  | 'refused'
  | 'failed'
  | 'unanswered'
  | 'unreadable'
  | 'throttled';

const DENIED: readonly number[] = [401, 403];
/** RFC 9110 sections 15.5.5, 15.5.6, 15.5.11, 15.6.2: all that a host answers that has no such operation. */
const MISSING: readonly number[] = [404, 405, 410, 501];
/** Failures by which nobody answered at all. */
const SILENCE: readonly string[] = ['connect', 'timeout', 'closed'];

/** What an exchange says of whether its operation serves. */
export function replyOf(view: View): Reply {
  const { status, throttled, succeeded, operation } = view;
  const { outcome } = view.exchange;
  if (outcome.kind === 'failure') {
    return SILENCE.includes(outcome.failure) ? 'unanswered' : 'unreadable';
  }
  if (throttled) return 'throttled';
  if (succeeded) return 'served';
  // An operation may be there to redirect, such as a short link.
  if (status < 400) return operation?.namesStatus(status) === true ? 'served' : 'moved';
  if (DENIED.includes(status)) return 'denied';
  if (MISSING.includes(status)) return 'missing';
  return status < 500 ? 'refused' : 'failed';
}

/**
 * Statuses that speak of the moment or of what is there now: payment, absence, conflict, a
 * precondition, a lock, time (RFC 9110 section 15.5, RFC 4918 section 11.3, RFC 6585 section 3,
 * RFC 8470 section 5.2).
 */
export const OF_THE_WORLD: readonly number[] = [402, 404, 408, 409, 410, 412, 423, 425, 428];

/** Methods that change nothing (RFC 9110 section 9.2.1). */
export const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** What a page may be stated as. */
const PAGES: readonly string[] = ['text/html', 'application/xhtml+xml', 'application/octet-stream'];

/** Whether the answer is a web page if the contract states other content for its status, or no such status. */
export function isStrayPage({ text, operation, status }: View): boolean {
  if (!isWebPage(text)) return false;
  const stated = operation?.mediaTypesOf(status);
  if (stated === undefined) return true;
  // Many frameworks state `*/*` for all that they answer.
  const types = stated.filter((type) => !type.startsWith('*/')).map((type) => ({ type }));
  return stated.length > 0 && PAGES.every((page) => bestStated(types, page) === undefined);
}

/** What nginx, Go and Apache say to plain HTTP at a port of TLS. */
const PLAIN_AT_TLS =
  /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|speaking plain HTTP to an SSL/i;

/** Whether a server of TLS says that it was asked in plain HTTP. */
export function isPlainAtTls({ status, text }: View): boolean {
  return status === 400 && PLAIN_AT_TLS.test(text.slice(0, 2_000));
}

/** Statuses by which a server in front refuses the size of a request before anybody sees it. */
const OF_SIZE: readonly number[] = [413, 414, 431];

/** Whether what stands before a service gives the answer, be there a service or not. */
export function isOfTheFront({ status, exchange: { request } }: View): boolean {
  return request.method === 'OPTIONS' || OF_SIZE.includes(status);
}

const WITH_BODY: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** Whether a request has all that a router or parser asks for before the operation is reached. */
export function reachesItsOperation(view: View): boolean {
  const { operation, exchange } = view;
  const { headers, body } = exchange.request;
  if (operation === undefined) return false;
  if (body === null) return !WITH_BODY.includes(operation.method);
  const type = headerOf(headers, 'content-type');
  return (type === undefined || /json/i.test(type)) && isObject(view.requestJson);
}

/** One exchange as a sentence names it. */
export interface Said {
  /** Method and URL. */
  readonly asked: string;
  /** 0 if there was no answer. */
  readonly status: number;
  /** The beginning of the body, or why there was no answer. */
  readonly words: string;
  /** Where a redirect leads. */
  readonly location?: string;
}

const MOST_CHARACTERS = 120;
/** Assay's own words on a failure, which end in what to do. */
const MOST_OF_A_FAILURE = 300;
const MOST_OF_A_URL = 300;

/** What is kept of an exchange; bounded. */
export function saidBy(view: View): Said {
  const { request, outcome } = view.exchange;
  const location = view.status >= 300 && view.status < 400 ? view.header('location') : undefined;
  return {
    asked: `${excerpt(request.method, 20)} ${excerpt(request.url, MOST_OF_A_URL)}`,
    status: view.status,
    words:
      outcome.kind === 'failure'
        ? excerpt(outcome.message, MOST_OF_A_FAILURE)
        : excerpt(view.text, MOST_CHARACTERS),
    ...(location === undefined ? {} : { location: excerpt(location, MOST_OF_A_URL) }),
  };
}
