import type { ErrorObject } from 'ajv';
import { isObject, pointerStep } from '../../wire/json.ts';

/** What stands before the next step of a path that a schema names. */
const STATED = /^(?:\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])/;

/** Of the errors that decided so many are looked at, the last ones: they sum up those before them. */
const MAX_ERRORS = 200;

/** Errors of ajv with JSON pointers in place of paths as a script would write them. */
export function pointedErrors(errors: readonly ErrorObject[], body: unknown): ErrorObject[] {
  return errors
    .slice(-MAX_ERRORS)
    .map((error) => ({ ...error, instancePath: pointerOfScript(error.instancePath, body) }));
}

/**
 * The JSON pointer of a path that ajv wrote as a script would, such as `.data.pools[3]['a key']`. Keys of
 * the body stand in it as they are, without escapes, so the body says where each of them ends.
 */
export function pointerOfScript(path: string, body: unknown): string {
  let pointer = '';
  let at = 0;
  let value = body;
  while (at < path.length) {
    const key = stepAt(path.slice(at), value);
    if (key === undefined) return pointer;
    pointer += pointerStep(key.name);
    at += key.length;
    value = memberOf(value, key.name);
  }
  return pointer;
}

function stepAt(
  rest: string,
  value: unknown,
): { readonly name: string; readonly length: number } | undefined {
  const [text, name, index, quoted] = STATED.exec(rest) ?? [];
  if (text !== undefined) {
    const key = quoted === undefined ? (name ?? index ?? '') : String(JSON.parse(quoted));
    return { name: key, length: text.length };
  }
  if (!isObject(value)) return undefined;
  // Of two keys that fit, the longer one: `a'].b['c` is a key as well.
  let longest: string | undefined;
  for (const key of Object.keys(value)) {
    if (key.length >= (longest?.length ?? 0) && rest.startsWith(`['${key}']`)) longest = key;
  }
  return longest === undefined ? undefined : { name: longest, length: longest.length + 4 };
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[])[Number(name)];
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
