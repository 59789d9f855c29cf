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

function byDepth(one: ErrorObject, other: ErrorObject): number {
  return other.instancePath.length - one.instancePath.length;
}

/** What is wrong, with the fields that it is about. */
function mistakeOf({ keyword, message = 'is wrong', params, schema }: ErrorObject): string {
  const { unevaluatedProperty, additionalProperty } = params as Readonly<Record<string, unknown>>;
  const unknown = unevaluatedProperty ?? additionalProperty;
  if (typeof unknown === 'string') return `must not have the field ${unknown}`;
  const exclusive = keyword === 'not' ? [schema] : keyword === 'oneOf' ? schema : undefined;
  const fields = Array.isArray(exclusive)
    ? exclusive.flatMap((branch) => objectOf(branch).required)
    : [];
  if (fields.length < 2 || fields.some((field) => typeof field !== 'string')) return message;
  return keyword === 'not'
    ? `must not have all of ${fields.join(', ')}`
    : `must have exactly one of ${fields.join(', ')}`;
}
