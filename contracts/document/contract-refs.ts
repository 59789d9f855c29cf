import { isObject } from '../wire/json.ts';

/** A reference, and where it stands. */
export interface StatedRef {
  readonly ref: string;
  /** JSON pointer of the object that has it. */
  readonly pointer: string;
}

/** Where plain data stands, in which `$ref` means nothing. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'value']);
/** Whose members are named by the author, so that no name there is a keyword. */
const NAMED: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
  ...['schemas', 'responses', 'parameters', 'requestBodies', 'headers', 'securitySchemes'],
  ...['links', 'callbacks', 'pathItems', 'paths', 'webhooks', 'content', 'encoding', 'mapping'],
]);

/**
 * The references of a parsed OpenAPI document, schemas included, in the order in which they stand.
 *
 * @param document of bounded depth, without circles
 */
export function refsIn(document: unknown): StatedRef[] {
  const refs: StatedRef[] = [];
  const walk = (value: unknown, steps: readonly string[], named: boolean): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(item, [...steps, String(index)], false);
      return;
    }
    if (!isObject(value)) return;
    if (typeof value.$ref === 'string' && !named) {
      refs.push({ ref: value.$ref, pointer: pointerOf(steps) });
    }
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== 'object' || inner === null) continue;
      if (!named && DATA.has(key)) continue;
      // A list of examples is data; a map of them holds example objects or references to such.
      if (!named && key === 'examples' && Array.isArray(inner)) continue;
      walk(inner, [...steps, key], !named && (NAMED.has(key) || key === 'examples'));
    }
  };
  walk(document, [], false);
  return refs;
}

/** A JSON pointer as a fragment that people can read. */
function pointerOf(steps: readonly string[]): string {
  return `#${steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`;
}
