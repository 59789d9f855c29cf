import { ContractError } from '../contract-error.ts';
import { MAX_OPERATIONS, MAX_PARTS, MAX_PATH_CHARACTERS } from '../contract-limits.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import type { Place } from './openapi-place.ts';
import { child, keysOf, objectOf, rootOf } from './openapi-place.ts';
import type { OperationServers } from '../operation-servers.ts';
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
 * a path that no request can have.
 * @throws ContractError when a reference leads nowhere, or there are too many
 */
export function statedOperations(document: OpenApiDocument): StatedOperations {
  const paths = child(document, rootOf(document), 'paths');
  const operations: StatedOperation[] = [];
  const notices: string[] = [];
  let parts = 0;
  for (const pathTemplate of keysOf(paths)) {
    if (!pathTemplate.startsWith('/')) continue;
    const problem = problemOf(pathTemplate);
    if (problem !== undefined) {
      notices.push(
        `The operations of a path of the contract ${document.source} are left out: ${problem}.`,
      );
      continue;
    }
    const item = child(document, paths, pathTemplate);
    for (const method of METHODS) {
      if (!Object.hasOwn(objectOf(item.value), method)) continue;
      const operation = statedOperation(document, method, pathTemplate, item);
      parts += operation.responses.size + operation.inputs.parameters.length;
      requireFew(document, operations.push(operation), parts);
    }
  }
  return { operations, notices };
}

/** Why no request can have a path; undefined where one can. */
function problemOf(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS) {
    return `it has more than ${MAX_PATH_CHARACTERS} characters`;
  }
  return /\p{Cc}/u.test(path)
    ? `it has control characters, ${path.slice(0, 80).replaceAll(/\p{Cc}/gu, '?')}`
    : undefined;
}

function requireFew({ source }: OpenApiDocument, operations: number, parts: number): void {
  if (operations > MAX_OPERATIONS) {
    throw new ContractError(source, `has more than ${MAX_OPERATIONS} operations.`);
  }
  if (parts > MAX_PARTS) {
    const problem = `has more than ${MAX_PARTS} parameters and responses of operations.`;
    throw new ContractError(source, problem);
  }
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

function statedOperation(
  document: OpenApiDocument,
  method: string,
  pathTemplate: string,
  item: Place,
): StatedOperation {
  const place = child(document, item, method);
  const responses = child(document, place, 'responses');
  const { operationId } = objectOf(place.value);
  return {
    operationId: typeof operationId === 'string' ? operationId : undefined,
    method: method.toUpperCase(),
    pathTemplate,
    servers: statedServers(document, [place, item]),
    request: statedMedia(document, child(document, place, 'requestBody')),
    responses: new Map(
      keysOf(responses)
        .filter((status) => STATUS.test(status))
        .map((status) => [
          status.toUpperCase(),
          statedMedia(document, child(document, responses, status)),
        ]),
    ),
    inputs: statedInputs(document, item, place),
  };
}
