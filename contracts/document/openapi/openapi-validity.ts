import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvDraft4 from 'ajv-draft-04';
import { ContractError } from '../contract-error.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import { metaSchema30, metaSchema31 } from './openapi-meta-schemas.ts';
import { objectOf } from './openapi-place.ts';
import { structureOf } from './openapi-structure.ts';

/** `validateFormats` is off: what is no URL in a license says nothing of an API. */
const OPTIONS = { allErrors: true, verbose: true, strict: false, validateFormats: false } as const;

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
  const problem =
    deepest === undefined
      ? 'is not valid OpenAPI.'
      : `is not valid OpenAPI at #${deepest.instancePath}: it ${mistakeOf(deepest)}.`;
  throw new ContractError(document.source, problem);
}

/** The deepest first; of several, one that says which fields exclude each other, and last what says nothing. */
function byDepth(one: ErrorObject, other: ErrorObject): number {
  const depth = other.instancePath.length - one.instancePath.length;
  return depth === 0 ? wordsOf(other) - wordsOf(one) : depth;
}

function wordsOf(error: ErrorObject): number {
  const { missingProperty } = error.params as Readonly<Record<string, unknown>>;
  // References are followed, so that none is missing.
  const isMute = ['not', 'oneOf', 'if'].includes(error.keyword) || missingProperty === '$ref';
  // What is no object has none of the fields of which others speak.
  if (error.keyword === 'type') return Infinity;
  return fieldsOf(error).length - (isMute ? 1 : 0);
}

/** What is wrong, with the fields that it is about. */
function mistakeOf(error: ErrorObject): string {
  const { keyword, message = 'is wrong', params } = error;
  const { unevaluatedProperty, additionalProperty } = params as Readonly<Record<string, unknown>>;
  const unknown = unevaluatedProperty ?? additionalProperty;
  if (typeof unknown === 'string') return `must not have the field ${unknown}`;
  if (keyword === 'false schema') return 'must not be there';
  const fields = fieldsOf(error);
  const { propertyName } = error;
  if (propertyName !== undefined) return `must not have the name ${propertyName}: it ${message}`;
  if (fields.length === 0) return message;
  const how = keyword === 'not' ? 'must not have all of' : 'must have exactly one of';
  return `${how} ${fields.join(', ')}`;
}

/** The fields that exclude each other by what was broken, if that is what it says. */
function fieldsOf({ keyword, schema }: ErrorObject): string[] {
  const branches: unknown = keyword === 'not' ? [schema] : schema;
  if (!Array.isArray(branches) || !['not', 'oneOf'].includes(keyword)) return [];
  const fields = branches.flatMap((branch) => objectOf(branch).required);
  return fields.length > 1 && fields.every((field) => typeof field === 'string') ? fields : [];
}
