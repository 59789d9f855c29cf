import type { JsonObject } from '../../../wire/json.ts';
import { isObject, listOf, member, pointerStep } from '../../../wire/json.ts';
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

/** An operation of a published contract, and where it stands. */
export interface PublishedOperation {
  readonly item: JsonObject;
  readonly operation: JsonObject;
  /** A JSON pointer. */
  readonly place: string;
}

/** Whether a contract has an endpoint; of one in another file nothing is known, so it may. */
function covers(document: JsonObject, endpoint: Endpoint): boolean {
  return itemsAt(document, endpoint).some(
    ({ item }) => item === undefined || isObject(item[endpoint.method]),
  );
}

/** The operations that a contract has for an endpoint, except for those in other files. */
export function operationsAt(document: JsonObject, endpoint: Endpoint): PublishedOperation[] {
  const { method } = endpoint;
  return itemsAt(document, endpoint).flatMap(({ key, item }): PublishedOperation[] => {
    const operation = item?.[method];
    if (item === undefined || !isObject(operation)) return [];
    return [{ item, operation, place: `/paths${pointerStep(key)}/${method}` }];
  });
}

/**
 * The path items of an endpoint: under its path, under a longer one (where one host serves several
 * APIs), or under its end, where the URL of a server has the beginning.
 */
function itemsAt(
  document: JsonObject,
  { path }: Endpoint,
): { readonly key: string; readonly item: JsonObject | undefined }[] {
  return Object.entries(objectOf(document.paths))
    .filter(([key, value]) => key.endsWith(path) || isEndOf(path, key, document, value))
    .map(([key, value]) => ({ key, item: followed(document, value) }));
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

/** The parameters of the path item, except for the ones that the operation has itself. */
export function parametersOf(
  document: JsonObject,
  item: JsonObject,
  operation: JsonObject,
): unknown[] {
  const byName = new Map<string, unknown>();
  for (const holder of [item, operation]) {
    for (const listed of listOf(holder.parameters)) {
      const parameter = followed(document, listed);
      byName.set(nameOf(parameter), parameter);
    }
  }
  return [...byName.values()];
}

/** What distinguishes a parameter from others. */
export function nameOf(value: unknown): string {
  return `${String(member(value, 'in'))} ${String(member(value, 'name'))}`;
}
