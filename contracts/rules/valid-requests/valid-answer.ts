import { excerpt } from '../../judging/excerpt.ts';
import type { View } from '../../judging/view.ts';
import { type ApiName, type HeaderList, headerOf } from '../../wire/exchange.ts';
import { isPlaceProbe, isWithinContract } from '../../judging/contract-probe.ts';
import { OF_THE_WORLD } from '../../judging/replies/reply.ts';
import { GATEWAY } from '../own-answer.ts';

/** What a service brings to the rules on valid requests; of others HTTP alone is known. */
export interface ValidRequests {
  /** What probes are about that the service has to take although the document is silent. */
  readonly takenProbes?: readonly string[];
  /** Whether no request to an API changes what others are answered; else those of safe methods do not. */
  readonly changesNothing?: (api: ApiName) => boolean;
  /** What an answer to one request says nothing about in another of the same operation. */
  readonly kindOf?: (operation: string, requestJson: unknown) => string | undefined;
  /** Whether an error of status 500 is about the request, and so a refusal. */
  readonly isAboutRequest?: (view: View) => boolean;
  /** Whether a refusal names something that may be otherwise the next moment, such as a market. */
  readonly isOfTheWorld?: (view: View) => boolean;
}

/**
 * What becomes of a valid request: `refused` 4xx · `failed` an error of the service · `stated` the same
 * of a status that the contract states for the operation by itself, which may mean something by it ·
 * `outage` 502 to 504 · `unanswered` · `gone` a thing is not there, which it may not be any more · `other`
 * says nothing of the service or of the request.
 */
export type ValidAnswer =
  'served' | 'refused' | 'failed' | 'stated' | 'outage' | 'unanswered' | 'gone' | 'other';

/** What HTTP has for a method that is known nowhere says nothing of a fault. */
const NOT_IMPLEMENTED = 501;
/** No answer of a service; a body that is too large for Assay is one. */
const UNANSWERED: readonly string[] = ['connect', 'timeout', 'closed', 'encoding'];
/** What an answer to a valid request comes to. */
export function validAnswerOf(view: View, knowledge: ValidRequests): ValidAnswer {
  const { isAboutRequest, isOfTheWorld } = knowledge;
  const { status, operation, exchange } = view;
  if (exchange.outcome.kind === 'failure') {
    return UNANSWERED.includes(exchange.outcome.failure) ? 'unanswered' : 'other';
  }
  if (view.succeeded) return 'served';
  if (GATEWAY.includes(status)) return 'outage';
  if (status >= 500 && status !== NOT_IMPLEMENTED) {
    if (status === 500 && isAboutRequest?.(view) === true) return 'other';
    return isWithinContract(view) && operation?.namesStatus(status) === true ? 'stated' : 'failed';
  }
  if (status < 400 || status > 499) return 'other';
  if (mayBeGone(view, knowledge)) return isThing(view) ? 'gone' : 'other';
  const isForLater = view.throttled || view.header('retry-after') !== undefined;
  return isForLater || isOfTheWorld?.(view) === true ? 'other' : 'refused';
}

/** Statuses by which a thing is gone, or in another state than the request needs. */
const OF_THINGS: readonly number[] = [404, 409, 410, 412];

/**
 * Whether a status speaks of what is there now. It does not of things where no request changes any, nor where
 * the request names none and the contract states no such status.
 */
function mayBeGone(view: View, { changesNothing }: ValidRequests): boolean {
  const { status, operation, exchange } = view;
  if (!OF_THINGS.includes(status)) return OF_THE_WORLD.includes(status);
  if (changesNothing?.(exchange.api) === true) return false;
  const isNamed =
    operation?.pathTemplate.includes('{') !== false || exchange.request.method !== 'GET';
  return isNamed || operation.namesStatus(status);
}

/** Methods that do not make the thing that they are sent for, which may be possible so often. */
const OF_A_THING: readonly string[] = ['GET', 'HEAD', 'PUT', 'PATCH'];

/** Whether a thing is said not to be there that the request names last: what is below it comes and goes. */
function isThing({ status, operation, exchange: { request } }: View): boolean {
  const isNotThere = status === 404 || status === 410;
  const isOfThing = OF_A_THING.includes(request.method);
  return isNotThere && isOfThing && operation?.pathTemplate.endsWith('}') === true;
}

/** Whether the service has to serve the request, as far as the driver knows. */
export function isToBeServed(view: View, { takenProbes = [] }: ValidRequests): boolean {
  const { purpose, request } = view.exchange;
  if (view.operation === undefined) return false;
  // What becomes of keys that were used is for rules on them.
  if (headerOf(request.headers, 'idempotency-key') !== undefined) return false;
  if (purpose.kind === 'probe' && takenProbes.includes(purpose.about)) return true;
  return purpose.kind === 'valid' || (isWithinContract(view) && !isPlaceProbe(view));
}

/** An operation, and what says nothing of its other requests. */
export function kindOfRequest({ operation, requestJson }: View, { kindOf }: ValidRequests): string {
  const id = operation?.id ?? 'none';
  const kind = kindOf?.(id, requestJson);
  return kind === undefined ? id : `${id}, ${kind}`;
}

/** What makes two requests of an API the same. */
export function sameRequest(request: {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: { readonly text: string } | null;
}): string {
  const { method, path, headers, body } = request;
  // The order of fields of different names means nothing (RFC 9110 section 5.3).
  const fields = headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`).sort();
  return `${method} ${path} ${fields.join(', ')} ${body?.text ?? ''}`;
}

/** An answer in a few words. */
export function saidBy({ status, text, exchange: { outcome } }: View): string {
  return outcome.kind === 'failure' ? outcome.message : `${status} ${excerpt(text, 120)}`;
}
