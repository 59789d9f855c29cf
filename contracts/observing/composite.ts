import { isObject } from '../wire/json.ts';
import type { OpenApiDocument } from '../document/openapi/openapi-files.ts';
import { follow } from '../document/openapi/openapi-place.ts';

/** A schema, and the file whose references it has. */
export interface FiledSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly file: string;
}

/** The files of a document by their URLs. */
export type Files = OpenApiDocument['files'];

/** More schemas never make up one value; a longer chain of references is not followed to its end. */
const MAX_TOGETHER = 500;

/** The schemas that together say what one value is: some, what they refer to, and their `allOf`. */
export function partsOf(files: Files, schemas: readonly FiledSchema[]): FiledSchema[] {
  const parts = new Map<object, FiledSchema>();
  const add = (value: unknown, file: string): void => {
    if (!isObject(value) || parts.has(value) || parts.size >= MAX_TOGETHER) return;
    parts.set(value, { schema: value, file });
    const { $ref, allOf } = value;
    const target = typeof $ref === 'string' ? follow(files, $ref, file) : undefined;
    if (target !== undefined) add(target.value, target.file);
    if (Array.isArray(allOf)) for (const part of allOf) add(part, file);
  };
  for (const { schema, file } of schemas) add(schema, file);
  return [...parts.values()];
}

/** The schemas of each stated member of a value, in their order. */
export function membersIn(parts: readonly FiledSchema[]): ReadonlyMap<string, FiledSchema[]> {
  const members = new Map<string, FiledSchema[]>();
  for (const { schema, file } of parts) {
    if (!isObject(schema.properties)) continue;
    for (const [name, value] of Object.entries(schema.properties)) {
      const known = members.get(name) ?? [];
      members.set(name, isObject(value) ? [...known, { schema: value, file }] : known);
    }
  }
  return members;
}

/** The schemas of the items of a list, or of the members of a map. */
export function itemsIn(
  parts: readonly FiledSchema[],
  keyword: 'items' | 'additionalProperties',
): FiledSchema[] {
  return parts.flatMap(({ schema, file }) => {
    const items = schema[keyword];
    return isObject(items) ? [{ schema: items, file }] : [];
  });
}
