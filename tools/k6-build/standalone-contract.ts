import path from 'node:path';
import { _, type ValidateFunction } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { fetchContractFiles } from '../../contracts/document/fetch-contract.ts';
import { packageRoot } from '../../contracts/document/package-root.ts';
import { openApiOf } from '../../contracts/document/openapi/openapi-document.ts';
import { statedOperations } from '../../contracts/document/openapi/openapi-operations.ts';
import type { StatedMedia } from '../../contracts/document/openapi/operation-inputs.ts';
import { FORMATS } from '../../contracts/document/formats.ts';
import { addFile, newAjv } from '../../contracts/document/validation/json-schema.ts';
import type { ContractOverride } from '../../contracts/document/schema.ts';
import type { GeneratedOperation } from '../../load/k6-judge/generated-contract.ts';

/** The contract of a service as source code that needs no compiler. */
export interface StandaloneContract {
  /** A module of its own for each schema: many in one declare the same functions twice. */
  readonly validators: readonly string[];
  /** Validators are named by their place among them. */
  readonly operations: readonly GeneratedOperation<number>[];
}

/**
 * Compiles the schemas of responses and requests of a contract ahead of time.
 *
 * @param documents the OpenAPI documents of the APIs that load is made on
 * @throws ContractError when the contract cannot be read
 */
export async function standaloneContract(
  documents: readonly ContractOverride[],
): Promise<StandaloneContract> {
  const formats = path.join(packageRoot(import.meta.url), 'contracts/document/formats.ts');
  const ajv = newAjv({
    errors: 'first',
    places: 'script',
    formats: FORMATS,
    code: { source: true, esm: true, formats: _`require(${formats}).FORMATS` },
  });
  const validators: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (url: string): number => {
    const known = places.get(url);
    if (known !== undefined) return known;
    const validate = ajv.getSchema(url);
    if (validate === undefined) throw new Error(`the contract has no schema at ${url}`);
    // Typings take it for a namespace where it is the function.
    const print = standaloneCode as unknown as (
      instance: typeof ajv,
      it: ValidateFunction,
    ) => string;
    places.set(url, validators.push(print(ajv, validate)) - 1);
    return validators.length - 1;
  };
  // The documents of a service state one media type of a body.
  const validatorOf = ([only]: readonly StatedMedia[]): number | null =>
    only?.schema === undefined ? null : placeOf(only.schema);
  const read = await fetchContractFiles(documents);
  const added = new Set<string>();
  const operations = read.flatMap((contract) => {
    const document = openApiOf(contract, false);
    for (const [url, value] of document.files) {
      if (!added.has(url)) addFile(ajv, value as object, url);
      added.add(url);
    }
    return statedOperations(document).operations.map((stated): GeneratedOperation<number> => {
      const { operationId, method, pathTemplate, request, responses } = stated;
      if (operationId === undefined) throw new Error(`${method} ${pathTemplate} has no id`);
      return {
        id: operationId,
        api: contract.api,
        method,
        pathTemplate,
        mediaTypes: [...responses].map(([status, media]) => [
          status,
          media.map(({ type }) => type),
        ]),
        responses: [...responses].map(([status, media]) => [status, validatorOf(media)]),
        request: validatorOf(request),
      };
    });
  });
  return { validators, operations };
}
