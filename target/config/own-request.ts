import type { HeaderList } from '../../contracts/wire/exchange.ts';

/** A request as a generator or a relation of a configuration writes it. */
export interface OwnRequest {
  /** In capitals; `GET` when absent. */
  readonly method?: string;
  /** Path with its query below the base URL of the API. */
  readonly path: string;
  readonly headers?: HeaderList;
  /** JSON; no body when absent. */
  readonly body?: unknown;
}

/** A request that was looked at: its body is text. */
export interface ReadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: string | undefined;
}

const MAX_HEADERS = 100;
const MAX_BODY_CHARACTERS = 10_000_000;
const MEMBERS: readonly string[] = ['method', 'path', 'headers', 'body'];

/** @throws TypeError when what a function gave is no request */
export function readRequest(given: unknown): ReadRequest {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (!isObject || given instanceof Promise) {
    throw new TypeError(`a request is { method, path, headers, body }; this is ${shown(given)}`);
  }
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw new TypeError(`a request has no member "${unknown}"`);
  const { method = 'GET', path, headers = [], body } = given as Record<string, unknown>;
  if (typeof method !== 'string' || !/^[A-Z]{1,20}$/.test(method)) {
    throw new TypeError('the method of a request is a word in capitals, such as GET');
  }
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw new TypeError('the path of a request is a text that begins with a slash');
  }
  if (!isHeaderList(headers)) {
    throw new TypeError('the headers of a request are a list of [name, value]');
  }
  const text = body === undefined ? undefined : JSON.stringify(body);
  if (text !== undefined && text.length > MAX_BODY_CHARACTERS) {
    throw new TypeError(`the body of a request has more than ${MAX_BODY_CHARACTERS} characters`);
  }
  return { method, path, headers, body: text };
}

function isHeaderList(value: unknown): value is HeaderList {
  return (
    Array.isArray(value) &&
    value.length <= MAX_HEADERS &&
    value.every(
      (pair: unknown) =>
        Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'),
    )
  );
}

function shown(given: unknown): string {
  if (given instanceof Promise) return 'a promise';
  return given === null ? 'null' : Array.isArray(given) ? 'a list' : typeof given;
}
