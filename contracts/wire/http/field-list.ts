/**
 * Comma-separated members with parameters, as the rate-limit fields write them: `"a";q=1, "b";q=2`
 * (RFC 9651 list), `limit=1, reset=2` (RFC 9651 dictionary), `10, 10;w=1` (drafts before those).
 */

/** A value in its written form. */
export type FieldValue =
  | { readonly kind: 'string'; readonly text: string }
  /** An integer or decimal; `text` as written. */
  | { readonly kind: 'number'; readonly text: string }
  /** A token, byte sequence, boolean or whatever else; `text` as written. */
  | { readonly kind: 'other'; readonly text: string };

/** One member; `key` is there in `key=value`. */
export interface FieldMember {
  readonly key?: string;
  readonly value: FieldValue;
  /** Parameters by lower-case key; one without a value is the boolean `?1`. */
  readonly parameters: ReadonlyMap<string, FieldValue>;
}

const KEYED = /^([A-Za-z*][A-Za-z0-9_.*-]*)\s*=\s*(.*)$/;
const STRING = /^"((?:[^"\\]|\\["\\])*)"$/;
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** The members of a field value, empty ones left out. Reads what it can and refuses nothing. */
export function parseFieldList(text: string): readonly FieldMember[] {
  return splitOutsideQuotes(text, ',')
    .filter((member) => member !== '')
    .map((member) => {
      const [first = '', ...rest] = splitOutsideQuotes(member, ';');
      return { ...keyed(first), parameters: new Map(rest.flatMap(parameterOf)) };
    });
}

function parameterOf(text: string): [string, FieldValue][] {
  if (text === '') return [];
  const { key, value } = keyed(text);
  if (key !== undefined) return [[key, value]];
  return [[text.toLowerCase(), { kind: 'other', text: '?1' }]];
}

function keyed(text: string): { key?: string; value: FieldValue } {
  const [, key, value = ''] = KEYED.exec(text) ?? [];
  if (key === undefined) return { value: valueOf(text) };
  return { key: key.toLowerCase(), value: valueOf(value) };
}

function valueOf(text: string): FieldValue {
  const quoted = STRING.exec(text)?.[1];
  if (quoted !== undefined) return { kind: 'string', text: quoted.replace(/\\(.)/g, '$1') };
  return { kind: NUMBER.test(text) ? 'number' : 'other', text };
}

/** The trimmed parts between separators that stand in no quoted string. */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (quoted && text[at] === '\\') at += 1;
    else if (text[at] === '"') quoted = !quoted;
    else if (!quoted && text[at] === separator) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}
