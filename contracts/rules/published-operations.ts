import type { JsonObject } from '../json.ts';
import { isObject, listOf, member } from '../json.ts';
import { METHODS, resolve } from './published-openapi.ts';

/** An endpoint that the document states. */
export interface Endpoint {
  readonly method: string;
  readonly path: string;
}

/** The endpoints of the two HTTP APIs (sections 4.1 and 4.2). */
export const API_ENDPOINTS: Readonly<Record<'zap' | 'trade', readonly Endpoint[]>> = {
  zap: [
    { method: 'post', path: '/v1/quote' },
    { method: 'post', path: '/v1/buildTx' },
    { method: 'get', path: '/v1/pools' },
    { method: 'post', path: '/v1/pool/details' },
    { method: 'get', path: '/v1/config/chains' },
    { method: 'get', path: '/v1/config/providers' },
  ],
  trade: [
    { method: 'post', path: '/v1/buildTx' },
    { method: 'post', path: '/v1/quotes' },
  ],
};

/** The documented endpoints of an API that a published contract lacks. */
export function lacking(document: JsonObject, api: 'zap' | 'trade'): readonly Endpoint[] {
  return API_ENDPOINTS[api].filter((endpoint) => !covers(document, endpoint));
}

/**
 * Whether a contract has an endpoint: under its path, under a longer one (where one host serves
 * several APIs), or under its end, where the URL of a server has the beginning.
 */
function covers(document: JsonObject, { method, path }: Endpoint): boolean {
  return Object.entries(objectOf(document.paths)).some(([key, value]) => {
    if (!key.endsWith(path) && !isEndOf(path, key, document, value)) return false;
    const item = followed(document, value);
    // Of an item in another file nothing is known.
    return item === undefined || isObject(item[method]);
  });
}

function isEndOf(path: string, key: string, document: JsonObject, item: unknown): boolean {
  if (key.length < 2 || !path.endsWith(key)) return false;
  const beginning = path.slice(0, -key.length);
  const operations = METHODS.map((method) => member(item, method));
  const servers = [document, item, ...operations].flatMap((holder) =>
    listOf(member(holder, 'servers')),
  );
  const urls = [...servers.map((server) => member(server, 'url')), document.basePath];
  return urls.some((url) => {
    if (typeof url !== 'string') return false;
    return url.includes('{') || url.replace(/\/$/, '').endsWith(beginning);
  });
}

/** The object itself, or the one that its local reference names; undefined when that is elsewhere. */
export function followed(document: JsonObject, value: unknown): JsonObject | undefined {
  let current = value;
  for (let hops = 0; hops < 10; hops += 1) {
    const ref = member(current, '$ref');
    if (typeof ref !== 'string') return objectOf(current);
    if (!ref.startsWith('#/')) return undefined;
    current = resolve(document, ref);
  }
  return objectOf(current);
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
