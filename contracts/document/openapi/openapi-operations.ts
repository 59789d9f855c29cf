import { ContractError } from '../contract-error.ts';
import { HOW_TO_ALLOW_MORE, MAX_PATH_CHARACTERS } from '../contract-limits.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import type { Place } from './openapi-place.ts';
import { child, follow, keysOf, objectOf, rootOf } from './openapi-place.ts';
import { NO_SERVERS, type OperationServers } from '../paths/operation-servers.ts';
import type { StatedInputs, StatedMedia } from './operation-inputs.ts';
import { statedInputs, statedMedia } from './operation-inputs.ts';
import { statedServers } from './stated-servers.ts';

/** An operation as an OpenAPI document states it. */
export interface StatedOperation {
  readonly operationId: string | undefined;
  /** In capitals. */
  readonly method: string;
  readonly pathTemplate: string;
  readonly servers: OperationServers;
  /** What is stated of request bodies, by their media types. */
  readonly request: readonly StatedMedia[];
  /** What is stated of response bodies, by `200`, `2XX` or `DEFAULT`. */
  readonly responses: ReadonlyMap<string, readonly StatedMedia[]>;
  /** Names of the header fields that responses must have, by the same; those that have any. */
  readonly requiredHeaders: ReadonlyMap<string, readonly string[]>;
  /** What a request is made of. */
  readonly inputs: StatedInputs;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Names of responses; others in their place are fields of the author's own, `x-…`. */
const STATUS = /^(?:[1-5](?:\d\d|XX)|default)$/i;

/** The operations of a document. */
export interface StatedOperations {
  readonly operations: readonly StatedOperation[];
  /** Sentences on those that are left out. */
  readonly notices: readonly string[];
}

/**
 * All operations of a document, references to path items and responses followed, except for those under
 * a path that no request can have, or that has a query.
 * @throws ContractError when a reference leads nowhere, or there are too many
 */
export function statedOperations(document: OpenApiDocument): StatedOperations {
  const notices: string[] = [];
  const found: FoundOperation[] = [];
  const withQueries: string[] = [];
  const paths = child(document, rootOf(document), 'paths');
  for (const pathTemplate of keysOf(paths)) {
    if (!pathTemplate.startsWith('/')) continue;
    if (/[?#]/.test(pathTemplate)) {
      withQueries.push(pathTemplate);
      continue;
    }
    const problem = problemOf(pathTemplate);
    if (problem === undefined) found.push(...operationsAt(document, paths, pathTemplate));
    else {
      const left = `The operations of a path of the contract ${document.source} are left out`;
      notices.push(`${left}: ${problem}.`);
    }
    requireAtMost(document, found.length, document.limits.mostOperations, 'operations');
  }
  if (withQueries.length > 0) notices.push(withQueriesNotice(document, withQueries));
  const servers = statedServers(
    document,
    found.map(({ place, items }) => [place, ...items]),
  );
  let parts = 0;
  const operations = found.map((one, index) => {
    const operation = statedOperation(document, one, servers[index] ?? NO_SERVERS);
    parts += operation.responses.size + operation.inputs.parameters.length;
    requireAtMost(
      document,
      parts,
      document.limits.mostParts,
      'parameters and responses of operations',
    );
    return operation;
  });
  return { operations, notices };
}

/** Where an operation is stated. */
interface FoundOperation {
  readonly method: string;
  readonly pathTemplate: string;
  readonly place: Place;
  /** Its path item; before that one what stands beside a reference to it. */
  readonly items: readonly Place[];
}

function operationsAt(
  document: OpenApiDocument,
  paths: Place,
  pathTemplate: string,
): FoundOperation[] {
  const { file, pointer } = paths;
  const beside: Place = {
    file,
    pointer: [...pointer, pathTemplate],
    value: objectOf(paths.value)[pathTemplate],
  };
  const item = child(document, paths, pathTemplate);
  const items = item.value === beside.value ? [item] : [beside, item];
  return METHODS.flatMap((method) => {
    const holder = items.find(({ value }) => Object.hasOwn(objectOf(value), method));
    if (holder === undefined) return [];
    return [{ method, pathTemplate, place: child(document, holder, method), items }];
  });
}

/** Why no request can have a path; undefined if one can. */
function problemOf(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS) {
    return `it has more than ${MAX_PATH_CHARACTERS} characters`;
  }
  return /\p{Cc}/u.test(path)
    ? `it has control characters, ${path.slice(0, 80).replaceAll(/\p{Cc}/gu, '?')}`
    : undefined;
}

const MAX_NAMED = 3;

/** Of paths with `?` or `#`, which OpenAPI excludes: a path alone does not identify such an operation. */
function withQueriesNotice({ source }: OpenApiDocument, paths: readonly string[]): string {
  const named = paths
    .slice(0, MAX_NAMED)
    .map((path) => path.slice(0, 80).replaceAll(/\p{Cc}/gu, '?'));
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : '';
  return `The operations of paths of the contract ${source} with a query or a fragment are left out, since OpenAPI allows neither in a path: ${named.join(', ')}${more}.`;
}

function requireAtMost(
  { source }: OpenApiDocument,
  count: number,
  most: number,
  what: string,
): void {
  if (count <= most) return;
  throw new ContractError(source, `has more than ${most} ${what}. ${HOW_TO_ALLOW_MORE}.`);
}

/** The URLs of all schemas of requests. */
export function requestUrlsOf({ request, inputs }: StatedOperation): string[] {
  const parameters = inputs.parameters.map(({ schema }) => schema);
  const media = request.map(({ schema }) => schema);
  return [...media, inputs.body?.schema, ...parameters].filter((url) => url !== undefined);
}

/** The URLs of all schemas of answers. */
export function answerUrlsOf({ responses }: StatedOperation): string[] {
  const media = [...responses.values()].flat().map(({ schema }) => schema);
  return media.filter((url) => url !== undefined);
}

/**
 * Header fields of which an absence says nothing: Content-Type is none of OpenAPI's (3.1, section 4.8.17), others
 * are of the way, or left out of recorded traffic.
 */
const NOT_REQUIRED: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding'],
  ...['connection', 'date', 'set-cookie'],
]);

/** Names of the header fields that a response must have. */
function requiredHeaders(document: OpenApiDocument, response: Place): string[] {
  const { file, pointer, value } = response;
  const headers = Object.entries(objectOf(objectOf(value).headers));
  return headers.flatMap(([name, header]) => {
    const ref = objectOf(header).$ref;
    const at = { file, pointer: [...pointer, 'headers', name], value: header };
    // A reference that leads nowhere requires nothing.
    const place = typeof ref === 'string' ? follow(document.files, ref, file) : at;
    const isRequired = objectOf(place?.value).required === true;
    return isRequired && !NOT_REQUIRED.has(name.toLowerCase()) ? [name] : [];
  });
}

function statedOperation(
  document: OpenApiDocument,
  { method, pathTemplate, place, items }: FoundOperation,
  servers: OperationServers,
): StatedOperation {
  const responses = child(document, place, 'responses');
  const { operationId } = objectOf(place.value);
  const byStatus = keysOf(responses)
    .filter((status) => STATUS.test(status))
    .map((status) => [status.toUpperCase(), child(document, responses, status)] as const);
  return {
    operationId: typeof operationId === 'string' ? operationId : undefined,
    method: method.toUpperCase(),
    pathTemplate,
    servers,
    request: statedMedia(document, child(document, place, 'requestBody')),
    responses: new Map(
      byStatus.map(([status, response]) => [status, statedMedia(document, response)]),
    ),
    requiredHeaders: new Map(
      byStatus
        .map(([status, response]) => [status, requiredHeaders(document, response)] as const)
        .filter(([, names]) => names.length > 0),
    ),
    inputs: statedInputs(document, items, place),
  };
}
