import type { OpenApiDocument } from './openapi-document.ts';
import type { Place } from './openapi-place.ts';
import { child, keysOf, objectOf, rootOf } from './openapi-place.ts';
import type { StatedInputs } from './operation-inputs.ts';
import { jsonMedia, schemaUrl, statedInputs } from './operation-inputs.ts';

/** An operation as an OpenAPI document states it. */
export interface StatedOperation {
  readonly operationId: string | undefined;
  /** In capitals. */
  readonly method: string;
  readonly pathTemplate: string;
  /** URL of the schema of JSON request bodies. */
  readonly request: string | undefined;
  /** URLs of the schemas of JSON response bodies, if stated, by `200`, `2XX` or `DEFAULT`. */
  readonly responses: ReadonlyMap<string, string | undefined>;
  /** Media types of response bodies, if stated, by the same keys. */
  readonly mediaTypes: ReadonlyMap<string, readonly string[]>;
  /** What a request is made of. */
  readonly inputs: StatedInputs;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/**
 * All operations of a document, references to path items and responses followed.
 * @throws ContractError when a reference leads nowhere
 */
export function statedOperations(document: OpenApiDocument): StatedOperation[] {
  const paths = child(document, rootOf(document), 'paths');
  return keysOf(paths).flatMap((pathTemplate) => {
    const item = child(document, paths, pathTemplate);
    return METHODS.filter((method) => keysOf(item).includes(method)).map((method) =>
      statedOperation(document, method, pathTemplate, item),
    );
  });
}

/** The path of the first server's URL without a trailing slash, e.g. `/v1`; often empty. */
export function serverPath(document: OpenApiDocument): string {
  const servers = objectOf(rootOf(document).value).servers;
  const first = Array.isArray(servers) ? objectOf(servers[0]).url : undefined;
  if (typeof first !== 'string' || first.includes('{')) return '';
  return URL.canParse(first, document.url) && !first.startsWith('.')
    ? new URL(first, 'http://127.0.0.1').pathname.replace(/\/$/, '')
    : '';
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
    request: jsonSchemaUrl(document, child(document, place, 'requestBody')),
    responses: new Map(
      keysOf(responses).map((status) => [
        status.toUpperCase(),
        jsonSchemaUrl(document, child(document, responses, status)),
      ]),
    ),
    mediaTypes: new Map(
      keysOf(responses).map((status) => [
        status.toUpperCase(),
        keysOf(child(document, child(document, responses, status), 'content')),
      ]),
    ),
    inputs: statedInputs(document, item, place),
  };
}

/** The URL of the schema of a body's JSON media type; undefined when none is stated. */
function jsonSchemaUrl(document: OpenApiDocument, body: Place): string | undefined {
  const media = jsonMedia(document, body);
  return media === undefined ? undefined : schemaUrl(media.place);
}
