import type { JsonObject } from '../../wire/json.ts';
import {
  NO_SERVERS,
  withoutSlashes,
  type OperationServers,
  type StatedServer,
} from '../paths/operation-servers.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import { objectOf, type Place, rootOf } from './openapi-place.ts';

/** More servers of one list are not looked at. */
const MAX_SERVERS = 20;
/** Longer URLs are not read, nor longer values of variables. */
const MAX_CHARACTERS = 1_000;

/**
 * The servers of operations (OpenAPI 3.1, section 4.8.5): the innermost list that is stated and not
 * empty holds. Where the document itself states none and each operation has its own, a base URL can
 * stand for any of these.
 *
 * @param operations of each the places that may state servers, the innermost first
 */
export function statedServers(
  document: OpenApiDocument,
  operations: readonly (readonly Place[])[],
): OperationServers[] {
  const inner = operations.map((holders) => {
    const found = holders.map((holder) => serversIn(document, holder));
    return found.find((servers) => servers !== undefined);
  });
  const main = serversIn(document, rootOf(document)) ?? sharedBy(inner) ?? NO_SERVERS.main;
  return inner.map((own = main) => ({ main, own }));
}

/** All servers, where each operation has some. */
function sharedBy(
  inner: readonly (readonly StatedServer[] | undefined)[],
): readonly StatedServer[] | undefined {
  if (inner.length === 0 || inner.includes(undefined)) return undefined;
  const servers = inner.flatMap((some) => some ?? []);
  const byName = new Map(servers.map((server) => [JSON.stringify(server), server]));
  return [...byName.values()].slice(0, MAX_SERVERS);
}

function serversIn(document: OpenApiDocument, holder: Place): readonly StatedServer[] | undefined {
  const { servers } = objectOf(holder.value);
  if (!Array.isArray(servers) || servers.length === 0) return undefined;
  return servers.slice(0, MAX_SERVERS).map((server) => serverOf(server, document.url));
}

function serverOf(stated: unknown, documentUrl: string): StatedServer {
  const { url, variables } = objectOf(stated);
  const filled = filledBy(objectOf(variables), String(url));
  // The folder of a file on this machine is no part of any URL.
  const from = documentUrl.startsWith('file:') ? 'http://127.0.0.1/' : documentUrl;
  if (filled === undefined || !URL.canParse(filled, from)) return { host: undefined, path: '' };
  const { host, pathname } = new URL(filled, from);
  const isRelative = !/^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(filled);
  return { host: isRelative ? undefined : host, path: withoutSlashes(pathname) };
}

/** A URL with its variables; undefined for one that lacks a default or is too long. */
function filledBy(variables: JsonObject, url: string): string | undefined {
  if (url.length > MAX_CHARACTERS) return undefined;
  const filled = url.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(variables, name) ? objectOf(variables[name]).default : undefined;
    return typeof value === 'string' && value.length <= MAX_CHARACTERS ? value : whole;
  });
  return filled.includes('{') || filled.length > MAX_CHARACTERS ? undefined : filled;
}
