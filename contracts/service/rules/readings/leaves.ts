/** Members of objects whose names the document leaves open, as rules on what they could be see them. */

import { isObject } from '../../../wire/json.ts';

/** A value, or an empty list or object, and where it stands. */
export interface Leaf {
  /** The names of the members that lead to it, joined by dots; positions in lists left out. */
  readonly path: string;
  readonly value: unknown;
  /** Whether it belongs to an object that describes a token: one with a symbol or with decimals. */
  readonly isOfToken: boolean;
}

/** More are not looked at; nor are longer paths. */
const MAX_LEAVES = 20_000;
const MAX_CHARACTERS = 300;

/** The leaves of a JSON value; null if there are more than any service has. */
export function leavesOf(json: unknown): readonly Leaf[] | null {
  const found: Leaf[] = [];
  return collect(json, '', false, found) ? found : null;
}

function collect(json: unknown, path: string, isOfToken: boolean, found: Leaf[]): boolean {
  const names = isObject(json) ? Object.keys(json) : [];
  const items = Array.isArray(json) ? (json as readonly unknown[]) : [];
  if (names.length === 0 && items.length === 0) {
    found.push({ path, value: json, isOfToken });
    return found.length <= MAX_LEAVES;
  }
  for (const item of items) if (!collect(item, path, isOfToken, found)) return false;
  if (!isObject(json)) return true;
  const isToken = isOfToken || names.some((name) => /^(?:symbol|decimals|ticker)$/i.test(name));
  return names.every((name) => {
    // Of a long path its end is kept: it says what the value is.
    const inner = path === '' ? name : `${path}.${name}`;
    return collect(json[name], inner.slice(-MAX_CHARACTERS), isToken, found);
  });
}
