import { moveDigits } from '../stated-digits.ts';
import { APPLICATORS } from './schema-keywords.ts';

/** Keywords of OpenAPI 3.0 that say nothing of what is valid (OpenAPI 3.0.3, section 4.7.24). */
const ANNOTATIONS = [
  ...['title', 'description', 'default', 'example', 'externalDocs', 'deprecated', 'xml'],
  ...['discriminator', 'readOnly', 'writeOnly'],
];

/** Keywords for the same value that null need not satisfy if it is allowed. */
const IN_PLACE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not'];

/** All keywords of schemas in OpenAPI 3.0; what any other one says is no promise. */
export const KNOWN_IN_3_0: ReadonlySet<string> = new Set([
  ...ANNOTATIONS,
  ...IN_PLACE,
  ...['type', 'nullable', 'enum', 'format', 'multipleOf', 'maxLength', 'minLength', 'pattern'],
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'items', 'maxItems'],
  ...['minItems', 'uniqueItems', 'properties', 'additionalProperties', 'required'],
  ...['maxProperties', 'minProperties'],
]);

/** Keywords of JSON Schema that OpenAPI 3.0 does not know: a compiler would do what they say. */
const LATER: ReadonlySet<string> = new Set([
  ...['const', 'minContains', 'maxContains', 'dependentRequired', '$dynamicRef', '$recursiveRef'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema', ...Object.keys(APPLICATORS)],
  ...['$schema', '$vocabulary', '$id', '$anchor', '$dynamicAnchor'],
]);

const BESIDE_REFERENCES: ReadonlySet<string> = new Set([...ANNOTATIONS, '$ref', 'nullable']);

/**
 * Rewrites one schema of OpenAPI 3.0, not those in it, to JSON Schema 2020-12: `nullable: true`, and the
 * boolean `exclusiveMinimum` and `exclusiveMaximum` (OpenAPI 3.0.3, section 4.7.24). What judges goes
 * where that version does not know it, and beside a `$ref`. Other members stay: references may lead there.
 *
 * Null is allowed wherever an author wrote `nullable: true`. By the letter of 3.0.3 it is not without a
 * `type`, beside a `$ref`, or if an `enum` lacks it. Most authors mean it all the same. So they do with
 * `readOnly` and `writeOnly` beside a `$ref`.
 *
 * @returns the keywords that stand under `else` afterwards
 */
export function rewriteSchema30(schema: Record<string, unknown>): readonly string[] {
  const known = typeof schema.$ref === 'string' ? BESIDE_REFERENCES : KNOWN_IN_3_0;
  for (const keyword of Object.keys(schema)) {
    const mayJudge = KNOWN_IN_3_0.has(keyword) || LATER.has(keyword);
    if (mayJudge && !known.has(keyword)) Reflect.deleteProperty(schema, keyword);
  }
  rewriteBound(schema, 'exclusiveMinimum', 'minimum');
  rewriteBound(schema, 'exclusiveMaximum', 'maximum');
  const isNullable = schema.nullable === true;
  Reflect.deleteProperty(schema, 'nullable');
  return isNullable ? allowNull(schema) : [];
}

function rewriteBound(schema: Record<string, unknown>, exclusive: string, inclusive: string): void {
  const flag = schema[exclusive];
  if (typeof flag !== 'boolean') return;
  Reflect.deleteProperty(schema, exclusive);
  if (!flag || typeof schema[inclusive] !== 'number') return;
  schema[exclusive] = schema[inclusive];
  Reflect.deleteProperty(schema, inclusive);
  moveDigits(schema, inclusive, exclusive);
}

function allowNull(schema: Record<string, unknown>): readonly string[] {
  if (typeof schema.type === 'string') schema.type = [schema.type, 'null'];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) {
    schema.enum = [...(schema.enum as unknown[]), null];
  }
  const moved = IN_PLACE.filter((keyword) => Object.hasOwn(schema, keyword));
  if (moved.length === 0) return [];
  const others: Record<string, unknown> = {};
  for (const keyword of moved) {
    others[keyword] = schema[keyword];
    Reflect.deleteProperty(schema, keyword);
  }
  schema.if = { type: 'null' };
  schema.else = others;
  return moved;
}
