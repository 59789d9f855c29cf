import type { JsonObject, OpenApiDocument } from './openapi-document.ts';
import { ContractError } from './contract-error.ts';

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
}

/** A value and where it stands. */
interface Place {
  readonly file: string;
  readonly pointer: readonly string[];
  readonly value: unknown;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
const MOST_HOPS = 32;

/**
 * All operations of a document, references to path items and responses followed.
 * @throws ContractError when a reference leads nowhere
 */
export function statedOperations(document: OpenApiDocument): StatedOperation[] {
  const paths = child(document, rootOf(document), 'paths');
  return keysOf(paths).flatMap((pathTemplate) => {
    const item = child(document, paths, pathTemplate);
    return METHODS.filter((method) => keysOf(item).includes(method)).map((method) =>
      statedOperation(document, method, pathTemplate, child(document, item, method)),
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
  place: Place,
): StatedOperation {
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
  };
}

/** The URL of the schema of a body's JSON media type; undefined when none is stated. */
function jsonSchemaUrl(document: OpenApiDocument, body: Place): string | undefined {
  const content = child(document, body, 'content');
  const types = keysOf(content);
  const type =
    types.find((name) => /^application\/json\b/i.test(name)) ??
    types.find((name) => /[/+]json\b|^application\/\*|^\*\/\*/i.test(name));
  if (type === undefined) return undefined;
  const media = child(document, content, type);
  if (!keysOf(media).includes('schema')) return undefined;
  return urlOf({ ...media, pointer: [...media.pointer, 'schema'] });
}

function urlOf(place: Place): string {
  const steps = place.pointer.map(
    (step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
  );
  return `${place.file}#${steps.join('')}`;
}

function rootOf(document: OpenApiDocument): Place {
  return { file: document.url, pointer: [], value: document.files.get(document.url) };
}

/** A member of a place, a reference in it followed. */
function child(document: OpenApiDocument, parent: Place, key: string): Place {
  let place: Place = {
    file: parent.file,
    pointer: [...parent.pointer, key],
    value: objectOf(parent.value)[key],
  };
  for (let hops = 0; ; hops += 1) {
    const ref = objectOf(place.value).$ref;
    if (typeof ref !== 'string') return place;
    const next = hops < MOST_HOPS ? follow(document, ref, place.file) : undefined;
    if (next === undefined) {
      const at = `#/${place.pointer.join('/')}`;
      throw new ContractError(document.source, `refers to ${ref} at ${at}, which leads nowhere.`);
    }
    place = next;
  }
}

function follow(document: OpenApiDocument, ref: string, from: string): Place | undefined {
  const target = new URL(ref, from);
  const pointer = decodeURIComponent(target.hash.slice(1))
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  target.hash = '';
  const file = target.href;
  const value = pointer.reduce<unknown>(
    (holder, step) => objectOf(holder)[step],
    document.files.get(file),
  );
  return value === undefined ? undefined : { file, pointer, value };
}

function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

function keysOf(place: Place): string[] {
  return Object.keys(objectOf(place.value));
}
