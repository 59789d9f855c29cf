/** A media type as a field or a contract writes it (RFC 9110 section 8.3.1). */
interface MediaType {
  /** In lower case, e.g. `application/json`; a range such as `text/*` in a contract. */
  readonly essence: string;
  /** Names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = String.raw`[!#$%&'*+.^_\`|~0-9A-Za-z-]+`;
const ESSENCE = new RegExp(`^${TOKEN}/${TOKEN}$`);
/** A quoted value may hold semicolons and escaped quotes (RFC 9110 sections 5.6.4 and 5.6.6). */
const PARAMETERS = /;([^;=]*)(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*)))?[^;]*/gs;
/** No field is longer that means a media type. */
const MAX_CHARACTERS = 1_000;

/** What was read last, by its text: a service sends few, and each answer is held to what is stated. */
const READ = new Map<string, MediaType | undefined>();
const MOST_READ = 500;

/** Undefined for what is none. A parameter that is no `name=value` is passed over. */
function mediaTypeOf(text: string): MediaType | undefined {
  const field = text.slice(0, MAX_CHARACTERS);
  if (READ.has(field)) return READ.get(field);
  if (READ.size >= MOST_READ) READ.clear();
  const type = parsedType(field);
  READ.set(field, type);
  return type;
}

function parsedType(field: string): MediaType | undefined {
  const [first = ''] = field.split(';', 1);
  const essence = first.trim().toLowerCase();
  if (!ESSENCE.test(essence)) return undefined;
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain] of field.slice(first.length).matchAll(PARAMETERS)) {
    const value = quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain?.trim();
    if (value !== undefined) parameters.set(name.trim().toLowerCase(), value.toLowerCase());
  }
  return { essence, parameters };
}

/** Whether a text is a media type or a range. */
export function isMediaType(text: string): boolean {
  return mediaTypeOf(text) !== undefined;
}

/** Of a suffix that says JSON, and of several texts one after another all the same. */
const STREAMS: readonly string[] = ['application/stream+json'];

/** Whether content of a media type is one JSON text: `application/json`, `text/json`, `…+json`. */
export function isJsonType(text: string): boolean {
  const essence = mediaTypeOf(text)?.essence ?? '';
  return /^(?:application|text)\/json$|\+json$/.test(essence) && !STREAMS.includes(essence);
}

/** Whether a stated type is a range that JSON is within: `*\/*`, `application/*`. */
export function isJsonRange(text: string): boolean {
  return isJsonType(text) || /^(?:\*|application)\/\*$/.test(mediaTypeOf(text)?.essence ?? '');
}

/**
 * The one among stated media types that says most of content of the sent one: `application/json`
 * before `application/*` before `*\/*`, and of equal ones that which has most of its parameters and
 * then fewest others. A parameter excludes nothing, but for another charset than a stated one. Undefined
 * where none holds, or two do alike.
 */
export function bestStated<T extends { readonly type: string }>(
  stated: readonly T[],
  sent: string,
): T | undefined {
  const type = mediaTypeOf(sent);
  if (type === undefined) return undefined;
  let best: { readonly one: T | undefined; readonly rank: number } = { one: undefined, rank: 0 };
  for (const one of stated) {
    const rank = rankOf(mediaTypeOf(one.type), type);
    if (rank > best.rank) best = { one, rank };
    else if (rank > 0 && rank === best.rank) best = { one: undefined, rank };
  }
  return best.one;
}

/** How much a range says of a type, in parameters and, above these, in names; 0 for nothing. */
function rankOf(range: MediaType | undefined, type: MediaType): number {
  if (range === undefined) return 0;
  const [kind = '', name = ''] = type.essence.split('/');
  const suffix = name.slice(name.lastIndexOf('+'));
  const ranges = ['*/*', `${kind}/*`, `${kind}/*${suffix}`, type.essence];
  const names = ranges.lastIndexOf(range.essence) + 1;
  if (names === 0) return 0;
  const { parameters } = range;
  const charset = parameters.get('charset');
  const sentCharset = type.parameters.get('charset');
  if (charset !== undefined && sentCharset !== undefined) {
    if (charset.replace('-', '') !== sentCharset.replace('-', '')) return 0;
  }
  const shared = [...parameters].filter(([name, value]) => type.parameters.get(name) === value);
  const others = parameters.size - shared.length;
  return (names * MAX_CHARACTERS + shared.length) * MAX_CHARACTERS - others;
}

/**
 * The stated media type by which content is read: the best that holds for the sent one. Where none
 * does, or none was sent, the only one that is stated; for JSON of another name the only JSON.
 */
export function readAs<T extends { readonly type: string }>(
  stated: readonly T[],
  sent: string | undefined,
): T | undefined {
  const best = sent === undefined ? undefined : bestStated(stated, sent);
  return best ?? onlyOne(stated, sent);
}

/** The only stated one, where the sent media type is not among them. */
function onlyOne<T extends { readonly type: string }>(
  stated: readonly T[],
  sent: string | undefined,
): T | undefined {
  const isJson = sent !== undefined && isJsonType(sent);
  const left = isJson ? stated.filter(({ type }) => isJsonRange(type)) : stated;
  return left.length === 1 ? left[0] : undefined;
}
