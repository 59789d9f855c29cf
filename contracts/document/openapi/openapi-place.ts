import { ContractError } from '../contract-error.ts';
import type { JsonObject } from '../../wire/json.ts';
import { pointerOf } from '../../wire/json-pointer.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import { percentEncoded } from '../../wire/http/percent-encoded.ts';

/** A value of an OpenAPI document and where it stands. */
export interface Place {
  /** Absolute URL of the file. */
  readonly file: string;
  readonly pointer: readonly string[];
  readonly value: unknown;
}

/** The top of the document. */
export function rootOf(document: OpenApiDocument): Place {
  return { file: document.url, pointer: [], value: document.files.get(document.url) };
}

/**
 * A member of a place, a reference in it followed.
 * @throws ContractError when the reference leads nowhere
 */
export function child(document: OpenApiDocument, parent: Place, key: string): Place {
  const { file, pointer, value } = parent;
  return landing(document, { file, pointer: [...pointer, key], value: memberOf(value, key) });
}

/**
 * What stands at a place, or where the references that stand there lead.
 * @throws ContractError when they lead nowhere
 */
export function landing(
  { source, files }: Pick<OpenApiDocument, 'source' | 'files'>,
  start: Place,
): Place {
  let place = start;
  const seen = new Set<unknown>();
  for (;;) {
    const ref = objectOf(place.value).$ref;
    if (typeof ref !== 'string') return place;
    if (seen.has(place.value)) {
      const at = `#${pointerOf(start.pointer)}`;
      throw new ContractError(
        source,
        `has a reference at ${at} that leads to others, ${seen.size} in a row: they lead in a circle.`,
      );
    }
    seen.add(place.value);
    const next = follow(files, ref, place.file);
    if (next === undefined) throw leadsNowhere(source, ref, place.pointer);
    place = next;
  }
}

/**
 * What is thrown where a reference leads nowhere.
 *
 * @param pointer of the object that has it
 * @param file URL of its file, where that is not the first one
 */
export function leadsNowhere(
  source: string,
  ref: string,
  pointer: readonly string[],
  file?: string,
): ContractError {
  const at = `#${pointerOf(pointer)}${file === undefined ? '' : ` of ${file}`}`;
  return new ContractError(source, `refers to ${ref} at ${at}, which leads nowhere.`);
}

/** Where a reference in a file leads; undefined if there is nothing. */
export function follow(
  files: OpenApiDocument['files'],
  ref: string,
  from: string,
): Place | undefined {
  if (!URL.canParse(ref, from)) return undefined;
  const target = new URL(ref, from);
  const pointer = pointerIn(target.hash.slice(1));
  if (pointer === undefined) return undefined;
  return placeAt(files, target.href.replace(/#.*/s, ''), pointer);
}

/** What stands in a file under a JSON pointer; undefined if there is nothing. */
export function placeAt(
  files: OpenApiDocument['files'],
  file: string,
  pointer: readonly string[],
): Place | undefined {
  const value = pointer.reduce<unknown>(memberOf, files.get(file));
  return value === undefined ? undefined : { file, pointer, value };
}

/** The steps of a JSON pointer in a fragment (RFC 6901 section 6); undefined if it is none. */
export function pointerIn(fragment: string): string[] | undefined {
  let text: string;
  try {
    text = decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
  if (text !== '' && !text.startsWith('/')) return undefined;
  return text
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A member that the value has itself: every object also has a `constructor`. */
export function memberOf(value: unknown, name: string): unknown {
  const holder = objectOf(value);
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** The URL of a place: its file, and its JSON pointer as fragment. */
export function urlOf(place: Place): string {
  const steps = place.pointer.map(
    (step) => `/${percentEncoded(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
  );
  return `${place.file}#${steps.join('')}`;
}

/** The value as an object; an empty one when it is none. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

/** The names of the members of a place. */
export function keysOf(place: Place): string[] {
  return Object.keys(objectOf(place.value));
}
