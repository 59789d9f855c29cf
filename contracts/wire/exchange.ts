/**
 * The exchange: one request and what came back. It is the only thing that rules see, whoever caused
 * it (a suite, a property, a load sample, a recorded file). So it is plain data that survives JSON.
 */

/** The name of one API of a service, e.g. `books`: a host of its own, or a base URL. */
export type ApiName = string;

/** More APIs than any service has, so that lists of them stay short. */
export const MAX_APIS = 20;

/**
 * Under this name exchanges with JSON-RPC nodes are recorded, which execute what a service built. It is
 * the name of no API of a service: what a node answers, or fails to, says nothing of one by itself.
 */
export const NODE_API = 'rpc';

const API_NAME = /^(?!constructor$|rpc$)[a-z][a-z0-9-]{0,31}$/;
/** The form of an API's name; what every object of JavaScript has by itself is none, nor is {@link NODE_API}. */
export const API_NAME_PATTERN: string = API_NAME.source;

/** Whether a value can be the name of an API: it stands in ids, keys and names of variables. */
export function isApiName(value: unknown): value is ApiName {
  return typeof value === 'string' && API_NAME.test(value);
}

/** The API of an operation id, its first word. */
export function apiOf(operation: string): ApiName {
  return operation.split('.')[0] ?? '';
}

/** Header fields in the order of the wire; names as sent, repeated names repeated. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A message body: the bytes as text if they are valid UTF-8, else as base64. */
export interface Body {
  readonly encoding: 'utf8' | 'base64';
  readonly text: string;
}

/** The request as it was sent, secrets replaced by the name of their variable. */
export interface RecordedRequest {
  readonly method: string;
  /** Absolute URL without credentials. */
  readonly url: string;
  /** Path and query below the API's base URL, e.g. `/v1/pools?limit=5`. */
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: Body | null;
}

/** What came back. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: HeaderList;
  /** Content after undoing any content-encoding; `Content-Encoding` stays among the headers. */
  readonly body: Body;
}

/**
 * Why no complete response was received:
 * `connect` nothing listens or the name does not resolve · `timeout` no complete answer in time ·
 * `closed` the connection ended early or the bytes were not HTTP · `too-large` the body passed the
 * cap · `encoding` the body does not decode as its Content-Encoding says · `machine` this machine had no
 * file, port or memory for it, which says nothing of the target.
 */
export type FailureKind = 'connect' | 'timeout' | 'closed' | 'too-large' | 'encoding' | 'machine';

/** The result of sending a request. */
export type Outcome =
  | { readonly kind: 'response'; readonly response: RecordedResponse }
  | { readonly kind: 'failure'; readonly failure: FailureKind; readonly message: string };

/** What this machine could not send to a target, in words; undefined of all else. */
export function unsentBecause({
  api,
  outcome,
}: Pick<Exchange, 'api' | 'outcome'>): string | undefined {
  if (api === NODE_API) return undefined;
  return outcome.kind === 'failure' && outcome.failure === 'machine' ? outcome.message : undefined;
}

/**
 * What the driver knows of the request it made. Rules that need none of it also judge exchanges
 * that came from elsewhere, which carry `unknown`.
 *
 * `valid`: the document obliges the service to take it, as far as the target's own listings show ·
 * `invalid`: it has exactly the named defect · `probe`: it asks about something unspecified; nothing is
 * obliged.
 */
export type Purpose =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly defect: string }
  | { readonly kind: 'probe'; readonly about: string }
  | { readonly kind: 'unknown' };

/** The kind of relation of two different requests that are sent at the same moment. */
export const SIMULTANEOUS = 'simultaneous';

/** Membership in a group of exchanges that a relation rule judges together. */
export interface Relation {
  /** The kind of relation, e.g. `quote-build`. */
  readonly kind: string;
  /** Distinguishes the groups of one kind within a run. */
  readonly group: string;
  /** The place in the group, e.g. `A`, `B`, `A2`. */
  readonly role: string;
}

/** One request and what came back. */
export interface Exchange {
  /** Unique in its run and ordered as sent, e.g. `x00017`. */
  readonly id: string;
  readonly api: ApiName;
  readonly purpose: Purpose;
  readonly relations: readonly Relation[];
  readonly request: RecordedRequest;
  readonly outcome: Outcome;
  /** Wall-clock time at which the request was sent, in milliseconds since the epoch. */
  readonly sentAtMs: number;
  /** From sending the request until the last byte of the response, or until the failure. */
  readonly latencyMs: number;
}

/** The first value of a header field, its name compared without case; undefined when absent. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [field, value] of headers) if (isNamed(field, wanted)) return value;
  return undefined;
}

/** All values of a header field, its name compared without case. */
export function headersOf(headers: HeaderList, name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([field]) => isNamed(field, wanted)).map(([, value]) => value);
}

/** Most fields differ in length already. */
function isNamed(field: string, wanted: string): boolean {
  return field.length === wanted.length && field.toLowerCase() === wanted;
}
