import { fetchContractFiles } from './fetch-contract.ts';
import type { OpenApiDocument } from './openapi/openapi-files.ts';
import { openApiOf } from './openapi/openapi-document.ts';
import type { ContractOverride } from './schema.ts';
import type { ApiName } from '../wire/exchange.ts';

/** A document that a service brings along. */
export interface OwnDocument {
  readonly api: ApiName;
  /** Not to be changed: whoever asks gets the same. */
  readonly document: OpenApiDocument;
}

/** By the list itself, which is one and the same as long as the process lives. */
const read = new WeakMap<readonly ContractOverride[], Promise<readonly OwnDocument[]>>();

/**
 * The documents of a service, read and parsed once: its contract is made of them, and its observers.
 *
 * @throws ContractError when one cannot be used
 */
export function ownDocuments(
  documents: readonly ContractOverride[],
): Promise<readonly OwnDocument[]> {
  let own = read.get(documents);
  if (own === undefined) {
    own = readAll(documents);
    read.set(documents, own);
  }
  return own;
}

async function readAll(documents: readonly ContractOverride[]): Promise<readonly OwnDocument[]> {
  const files = await fetchContractFiles(documents);
  return files.map((contract) => ({ api: contract.api, document: openApiOf(contract, false) }));
}
