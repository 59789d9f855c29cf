import type { OpenApiDocument } from './openapi-files.ts';
import type { Place } from './openapi-place.ts';
import { child, follow, keysOf, objectOf, urlOf } from './openapi-place.ts';
import { isJsonRange, isJsonType } from './media-type.ts';

/** Where a parameter stands in a request (OpenAPI 3.1, section 4.8.12). */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

const PLACES: readonly string[] = ['path', 'query', 'header', 'cookie'] satisfies ParameterPlace[];

/** A parameter as a document states it. */
export interface StatedParameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  /** e.g. `form`, `simple`; `json` where its value is written as JSON. */
  readonly style: string;
  readonly explode: boolean;
  /** URL of its schema; undefined if none is stated. */
  readonly schema: string | undefined;
  /** What the document gives as examples. */
  readonly examples: readonly unknown[];
}

/** A request body as a document states it. */
export interface StatedBody {
  readonly required: boolean;
  /** The media type to send; undefined if none is JSON. */
  readonly mediaType: string | undefined;
  readonly schema: string | undefined;
  readonly examples: readonly unknown[];
}

/** What a request of an operation is made of. */
export interface StatedInputs {
  readonly parameters: readonly StatedParameter[];
  readonly body: StatedBody | undefined;
}

/** Fields that are no parameters whatever a document says (OpenAPI 3.1, section 4.8.12.1). */
const NO_PARAMETERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/**
 * Parameters and body of an operation. Its own parameters replace those of its path item that have
 * the same name and place.
 *
 * @param items its path item, before that one what stands beside a reference to it
 * @throws ContractError when a reference leads nowhere
 */
export function statedInputs(
  document: OpenApiDocument,
  items: readonly Place[],
  operation: Place,
): StatedInputs {
  const byKey = new Map<string, StatedParameter>();
  for (const holder of [...items.toReversed(), operation]) {
    const list = child(document, holder, 'parameters');
    for (const index of keysOf(list)) {
      const parameter = statedParameter(document, child(document, list, index));
      if (parameter !== undefined) byKey.set(`${parameter.in} ${parameter.name}`, parameter);
    }
  }
  const parameters = [...byKey.values()];
  return { parameters, body: statedBody(document, child(document, operation, 'requestBody')) };
}

function statedParameter(document: OpenApiDocument, place: Place): StatedParameter | undefined {
  const { name, in: where, required, style, explode } = objectOf(place.value);
  if (typeof name !== 'string' || !isPlace(where)) return undefined;
  if (where === 'header' && NO_PARAMETERS.has(name.toLowerCase())) return undefined;
  const media = jsonMedia(document, place);
  const named =
    typeof style === 'string' ? style : where === 'query' || where === 'cookie' ? 'form' : 'simple';
  return {
    name,
    in: where,
    required: required === true || where === 'path',
    style: media === undefined ? named : 'json',
    explode: typeof explode === 'boolean' ? explode : named === 'form',
    schema: schemaUrl(media?.place ?? place),
    examples: examplesOf(document, media?.place ?? place),
  };
}

function isPlace(value: unknown): value is ParameterPlace {
  return typeof value === 'string' && PLACES.includes(value);
}

function statedBody(document: OpenApiDocument, place: Place): StatedBody | undefined {
  if (place.value === undefined) return undefined;
  const media = jsonMedia(document, place);
  return {
    required: objectOf(place.value).required === true,
    mediaType: media?.type,
    schema: media === undefined ? undefined : schemaUrl(media.place),
    examples: media === undefined ? [] : examplesOf(document, media.place),
  };
}

/** The JSON media type of a body's content that is best sent, and what is stated of it. */
function jsonMedia(
  document: OpenApiDocument,
  body: Place,
): { readonly type: string; readonly place: Place } | undefined {
  const content = child(document, body, 'content');
  const types = keysOf(content);
  const type =
    types.find((name) => /^application\/json\s*(?:;|$)/i.test(name)) ??
    types.find((name) => isJsonType(name)) ??
    types.find((name) => isJsonRange(name));
  if (type === undefined) return undefined;
  return { type, place: child(document, content, type) };
}

/** A media type of a body as a document states it. */
export interface StatedMedia {
  /** As written, e.g. `application/json`, `text/*`. */
  readonly type: string;
  /** URL of the schema of a JSON text of this type; undefined if none is stated. */
  readonly schema: string | undefined;
  /** Whether the body is stated to be raw octets, whatever they say. */
  readonly isRaw: boolean;
}

/** All media types of a body's content, in their order. */
export function statedMedia(document: OpenApiDocument, body: Place): StatedMedia[] {
  const content = child(document, body, 'content');
  return keysOf(content).map((type) => {
    const media = child(document, content, type);
    const isRaw = isJsonRange(type) && statesOctets(document, media, type);
    return { type, schema: isJsonRange(type) && !isRaw ? schemaUrl(media) : undefined, isRaw };
  });
}

/**
 * Whether a schema of a body stands for any sequence of octets (OpenAPI 3.0.3, sections 4.4 and 4.7.14).
 * For 3.1 that format says nothing of JSON, but what is stated of all media types is no promise of JSON.
 */
function statesOctets(document: OpenApiDocument, media: Place, type: string): boolean {
  const { openapi } = objectOf(document.files.get(document.url));
  if (isJsonType(type) && !String(openapi).startsWith('3.0')) return false;
  let schema: Place | undefined = { ...media, value: objectOf(media.value).schema };
  for (let hops = 0; schema !== undefined && hops < 32; hops += 1) {
    const { $ref, format, type: stated } = objectOf(schema.value);
    if (format === 'binary') return [stated].flat().includes('string');
    schema = typeof $ref === 'string' ? follow(document.files, $ref, schema.file) : undefined;
  }
  return false;
}

/** The URL of the schema of a media type or a parameter; undefined when none is stated. */
function schemaUrl(place: Place): string | undefined {
  if (!keysOf(place).includes('schema')) return undefined;
  return urlOf({ ...place, pointer: [...place.pointer, 'schema'] });
}

function examplesOf(document: OpenApiDocument, place: Place): unknown[] {
  const { example } = objectOf(place.value);
  const examples = child(document, place, 'examples');
  const named = keysOf(examples).map(
    (name) => objectOf(child(document, examples, name).value).value,
  );
  return [example, ...named].filter((value) => value !== undefined);
}
