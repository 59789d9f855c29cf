import { lostNumber } from '../../contracts/document/decimal.ts';
import { isObject, listOf } from '../../contracts/wire/json.ts';
import { walkJson } from '../../contracts/wire/json-walk.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { Known } from '../../fixtures/arbitraries/schema/operation.ts';

/** Values that a target stated of itself, to ask its further operations with. */
export interface KnownValues {
  /** Takes note of the scalars in an answer, by their names and by the collection asked for. */
  note(pathTemplate: string, text: string): void;
  readonly valuesOf: Known;
}

/** More values of one name show nothing new. */
const MAX_VALUES = 3;
/** Of a large answer no more members are looked at. */
const MAX_MEMBERS = 500;
const LONGEST_TEXT = 100;
/** Nor any deeper ones. */
const MAX_LEVELS = 64;

/**
 * Values known so far: what the listings stated, and nothing else yet.
 *
 * @param listed what the listings stated, by the name of a parameter without spaces, in lower case
 */
export function knownValues(listed: (name: string) => readonly unknown[]): KnownValues {
  const byName = new Map<string, Set<string | number>>();

  function add(name: string, value: unknown): void {
    const isText = typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT;
    if (!isText && typeof value !== 'number') return;
    const values = byName.get(name) ?? new Set();
    if (values.size < MAX_VALUES) values.add(value);
    byName.set(name, values);
  }

  function note(pathTemplate: string, text: string): void {
    const collection = plainName(pathTemplate.split('/').findLast((part) => isLiteral(part)) ?? '');
    let left = MAX_MEMBERS;
    const walk = (value: unknown, levels: number): void => {
      if (left <= 0 || levels <= 0) return;
      for (const item of listOf(value)) walk(item, levels - 1);
      if (!isObject(value)) return;
      for (const [name, inner] of Object.entries(value)) {
        left -= 1;
        if (name.length > LONGEST_TEXT) continue;
        const plain = plainName(name);
        // An id alone says nothing of whose it is except for the collection that was asked for.
        add(plain === 'id' ? idsOf(collection) : plain, inner);
        walk(inner, levels - 1);
      }
    };
    walk(jsonOrUndefined(withLongIntegers(text)), MAX_LEVELS);
  }

  function valuesOf(name: string, collection: string | undefined): unknown[] {
    const plain = plainName(name);
    const ofCollection = collection === undefined ? undefined : idsOf(plainName(collection));
    const ids = plain.endsWith('id') && ofCollection !== undefined ? byName.get(ofCollection) : [];
    return [...(ids ?? []), ...(byName.get(plain) ?? []), ...listed(plain)];
  }

  return { note, valuesOf };
}

/** A JSON text in which integers that no double holds are texts. */
function withLongIntegers(text: string): string {
  if (!LONG.test(text)) return text;
  const parts: string[] = [];
  let end = 0;
  walkJson(text, {
    leave: (_, from, to) => {
      const token = text.slice(from, Math.min(to, from + LONGEST_TEXT));
      if (!LONG_INTEGER.test(token) || lostNumber(token) === undefined) return;
      parts.push(text.slice(end, from), `"${token}"`);
      end = to;
    },
  });
  return parts.join('') + text.slice(end);
}

const LONG = /\d{16}/;
const LONG_INTEGER = /^-?\d+$/;

/** The name under which ids of a collection are kept; no member of an answer has it. */
function idsOf(collection: string): string {
  return `${collection}/id`;
}

/** A name without what spellings differ in: `agent_id`, `agentId`. */
function plainName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

function isLiteral(segment: string): boolean {
  return segment !== '' && !segment.includes('{');
}
