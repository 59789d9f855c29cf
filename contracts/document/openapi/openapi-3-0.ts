/** Where plain data stands, which may look like a schema but is none. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set([
  'const',
  'default',
  'enum',
  'example',
  'examples',
]);

/** Whose members are named by the author, so that no name there is a keyword. */
const NAMED_MEMBERS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'schemas']);

/**
 * A copy of an OpenAPI document in which the schema dialect of OpenAPI 3.0 is written in JSON Schema
 * 2020-12: `nullable: true` and the boolean `exclusiveMinimum` and `exclusiveMaximum` (OpenAPI 3.0.3,
 * section 4.7.24). What is already 2020-12 stays as it is.
 */
export function asJsonSchema2020(node: unknown, named = false): unknown {
  if (Array.isArray(node)) return node.map((item) => asJsonSchema2020(item));
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    copy[key] =
      !named && DATA_KEYWORDS.has(key)
        ? value
        : asJsonSchema2020(value, !named && NAMED_MEMBERS.has(key));
  }
  if (named) return copy;
  adaptBound(copy, 'exclusiveMinimum', 'minimum');
  adaptBound(copy, 'exclusiveMaximum', 'maximum');
  return adaptNullable(copy);
}

function adaptBound(schema: Record<string, unknown>, exclusive: string, inclusive: string): void {
  const flag = schema[exclusive];
  if (typeof flag !== 'boolean') return;
  Reflect.deleteProperty(schema, exclusive);
  if (!flag || typeof schema[inclusive] !== 'number') return;
  schema[exclusive] = schema[inclusive];
  Reflect.deleteProperty(schema, inclusive);
}

function adaptNullable(schema: Record<string, unknown>): Record<string, unknown> {
  const { nullable, ...rest } = schema;
  if (typeof nullable !== 'boolean') return schema;
  if (!nullable) return rest;
  if (typeof rest.type !== 'string') return { anyOf: [{ type: 'null' }, rest] };
  const values: unknown = rest.enum;
  return {
    ...rest,
    type: [rest.type, 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}
