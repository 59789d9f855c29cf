import type { HeaderList } from '../../contracts/wire/exchange.ts';

/** A token of HTTP (RFC 9110 section 5.6.2): what methods and field names are made of. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** What a request target may hold: visible ASCII, and no fragment. */
const PATH = /^\/[\x21\x22\x24-\x7e]*$/;
/** A field value without line breaks and other control characters (RFC 9110 section 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Methods that no client library sends. */
const NOT_SENT: ReadonlySet<string> = new Set(['TRACE', 'CONNECT']);

/**
 * Fields that belong to the connection and the framing of a message, which a client library writes
 * itself (RFC 9110 sections 7.2, 7.6.1, 8.6, 10.1.1; RFC 9112 sections 3.2, 6.1, 6.2).
 */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade'],
  ...['expect', 'te', 'trailer', 'proxy-connection', 'http2-settings'],
]);

/** Why a field cannot be set freely in a request, as a clause; undefined if it can. */
export function fieldProblem(name: string): string | undefined {
  if (!TOKEN.test(name)) return `${shown(name)} is no name of a field`;
  return OWN_FIELDS.has(name.toLowerCase()) ? `HTTP itself writes the field ${name}` : undefined;
}

/** Why a request can have no such path, as a clause; undefined if it can. */
export function pathProblem(path: string): string | undefined {
  return PATH.test(path) ? undefined : `HTTP takes no path such as ${shown(path)}`;
}

/** How often a gateway and what is behind it may decode a path. */
const MOST_DECODED = 3;

/**
 * Whether a path may lead out of the API that it is below. A segment is `..` (RFC 3986 section 5.2.4), as it is, escaped,
 * or with parameters.
 */
export function leadsOut(path: string): boolean {
  let [text = ''] = path.split('?');
  for (let times = 0; times < MOST_DECODED; times += 1) {
    text = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return text.split(/[/\\]/).some((segment) => /^\s*\.\.\s*(?:;|$)/.test(segment));
}

/** Why a request cannot be sent as it is, as a clause; undefined if it can. */
export function requestProblem({
  method,
  path,
  headers = [],
}: {
  readonly method: string;
  readonly path: string;
  readonly headers?: HeaderList;
}): string | undefined {
  if (!TOKEN.test(method) || NOT_SENT.has(method.toUpperCase())) {
    return `${shown(method)} is no method that can be sent`;
  }
  const problems = headers.map(
    ([name, value]) =>
      fieldProblem(name) ??
      (FIELD_VALUE.test(value)
        ? undefined
        : `the field ${name} has a value with control characters`),
  );
  return pathProblem(path) ?? problems.find((problem) => problem !== undefined);
}

const MAX_SHOWN = 60;

function shown(text: string): string {
  const plain = text.slice(0, MAX_SHOWN).replaceAll(/\p{Cc}/gu, '?');
  return JSON.stringify(text.length > MAX_SHOWN ? `${plain}…` : plain);
}
