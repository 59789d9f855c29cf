import { isObject, listOf, omit } from '../../contracts/wire/json.ts';
import { bodyTextOf, objectIn, type TriedRequest } from '../drive/tried-request.ts';

/**
 * The fields of a request by name, each with its value as text: `method`, `path`, `query/limit`,
 * `header/idempotency-key`, `credential`, `body/slippage`, `body/data/0/amount`; `body` alone if
 * the body is no JSON object.
 */
export type Fields = ReadonlyMap<string, string>;

const JSON_TYPE = 'application/json';

/** The fields of a request. */
export function fieldsOf(request: TriedRequest): Fields {
  const [path = '', query = ''] = splitOnce(request.path, '?');
  const fields = new Map([
    ['method', request.method],
    ['path', path],
  ]);
  for (const [name, value] of new URLSearchParams(query)) fields.set(`query/${name}`, value);
  for (const [name, value] of request.headers ?? []) {
    const isPlainType = name.toLowerCase() === 'content-type' && value === JSON_TYPE;
    if (!isPlainType) fields.set(`header/${name.toLowerCase()}`, value);
  }
  const { credential = 'none' } = request;
  if (credential !== 'none') fields.set('credential', JSON.stringify(credential));
  const body = bodyTextOf(request);
  if (body !== undefined) addBody(fields, body);
  return fields;
}

function addBody(fields: Map<string, string>, text: string): void {
  const json = objectIn(text);
  if (json === undefined) {
    fields.set('body', text);
    return;
  }
  for (const [name, value] of Object.entries(json)) {
    const at = `body/${escaped(name)}`;
    if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) {
      fields.set(at, JSON.stringify(value));
      continue;
    }
    for (const [index, entry] of value.entries()) {
      for (const [inner, innermost] of Object.entries(entry)) {
        fields.set(`${at}/${index}/${escaped(inner)}`, JSON.stringify(innermost));
      }
    }
  }
}

/**
 * Names of the fields in which two requests differ, in the order of the first, then the second. An
 * entry of a list that only one of them has is one field, e.g. `body/data/1`.
 */
export function differences(one: TriedRequest, other: TriedRequest): string[] {
  const [ours, theirs] = [fieldsOf(one), fieldsOf(other)];
  // What is no object has no fields to compare.
  const isOpaque = ours.has('body') !== theirs.has('body');
  const names = [...new Set([...ours.keys(), ...theirs.keys()])]
    .filter((name) => ours.get(name) !== theirs.get(name))
    .map((name) => {
      const entry = entryOf(name);
      const inBoth = [ours, theirs].every((fields) => hasEntry(fields, entry));
      if (isOpaque && name.startsWith('body/')) return 'body';
      return entry === undefined || inBoth ? name : entry;
    });
  return [...new Set(names)];
}

/** `body/data/1` of `body/data/1/amount`; undefined of other names. */
function entryOf(name: string): string | undefined {
  return /^(body\/[^/]+\/\d+)\/[^/]+$/.exec(name)?.[1];
}

function hasEntry(fields: Fields, entry: string | undefined): boolean {
  if (entry === undefined) return true;
  return [...fields.keys()].some((name) => name.startsWith(`${entry}/`));
}

/** The request with the named fields as they are in another one: set, changed or taken away. */
export function withFieldsOf(
  request: TriedRequest,
  other: TriedRequest,
  names: readonly string[],
): TriedRequest {
  const taken = new Set(names);
  const bodyNames = names.filter((name) => name === 'body' || name.startsWith('body/'));
  let changed: TriedRequest = {
    ...request,
    ...(taken.has('method') ? { method: other.method } : {}),
    path: pathOf(request, other, taken),
  };
  if (names.some((name) => name.startsWith('header/'))) {
    const rest = omit(changed, 'headers');
    const headers = (request.headers ?? []).filter(
      ([name]) => !taken.has(`header/${name.toLowerCase()}`),
    );
    changed = headers.length === 0 ? rest : { ...rest, headers };
  }
  if (taken.has('credential')) {
    const rest = omit(changed, 'credential');
    const { credential } = other;
    changed = credential === undefined ? rest : { ...rest, credential };
  }
  return bodyNames.length === 0 ? changed : withBody(changed, bodyOf(request, other, bodyNames));
}

function pathOf(request: TriedRequest, other: TriedRequest, taken: ReadonlySet<string>): string {
  const [path = '', query = ''] = splitOnce(request.path, '?');
  const [otherPath = '', otherQuery = ''] = splitOnce(other.path, '?');
  const kept = new URLSearchParams(query);
  const theirs = new URLSearchParams(otherQuery);
  let isChanged = false;
  for (const name of [...taken].filter((field) => field.startsWith('query/'))) {
    const key = name.slice('query/'.length);
    const value = theirs.get(key);
    isChanged = true;
    if (value === null) kept.delete(key);
    else kept.set(key, value);
  }
  const newQuery = isChanged ? kept.toString() : query;
  const newPath = taken.has('path') ? otherPath : path;
  return newQuery === '' ? newPath : `${newPath}?${newQuery}`;
}

function bodyOf(
  request: TriedRequest,
  other: TriedRequest,
  names: readonly string[],
): string | undefined {
  const [text, otherText] = [bodyTextOf(request), bodyTextOf(other)];
  const [ours, theirs] = [objectIn(text), objectIn(otherText)];
  if (names.includes('body') || ours === undefined || theirs === undefined) return otherText;
  // Entries are dropped from the end, so that the places of the others hold.
  for (const name of [...names].sort(byPlaceFromTheEnd)) {
    const [, key = '', index, inner] = name.split('/').map(unescaped);
    if (index === undefined) assign(ours, theirs, key);
    else assignEntry(ours, theirs[key], { key, index: Number(index), inner });
  }
  return JSON.stringify(ours);
}

function byPlaceFromTheEnd(one: string, other: string): number {
  const place = (name: string): number => Number(name.split('/')[2] ?? -1);
  return place(other) - place(one);
}

/** Gives `to` a key as `from` has it: set, or not there. */
function assign(to: Record<string, unknown>, from: object, key: string): void {
  if (key in from) to[key] = (from as Record<string, unknown>)[key];
  else Reflect.deleteProperty(to, key);
}

function assignEntry(
  to: Record<string, unknown>,
  from: unknown,
  { key, index, inner }: { key: string; index: number; inner: string | undefined },
): void {
  const entries = [...listOf(to[key])];
  const model = listOf(from)[index];
  const entry = entries[index];
  if (!isObject(model)) entries.splice(index, 1);
  else if (inner === undefined || !isObject(entry)) entries[index] = model;
  else {
    const changed = { ...entry };
    assign(changed, model, inner);
    entries[index] = changed;
  }
  to[key] = entries;
}

/** The request with another body text; its form as JSON is kept if it had one. */
export function withBody(request: TriedRequest, text: string | undefined): TriedRequest {
  const rest = omit(omit(request, 'json'), 'rawBody');
  if (text === undefined) return rest;
  const json = objectIn(text);
  const isJson = request.json !== undefined || request.rawBody === undefined;
  return isJson && json !== undefined ? { ...rest, json } : { ...rest, rawBody: text };
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function splitOnce(text: string, at: string): string[] {
  const index = text.indexOf(at);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}
