import path from 'node:path';
import type { ContractBase, LoadContractOptions } from '../document/load-contract.ts';
import { packageRoot } from '../document/package-root.ts';
import type { Contract } from '../document/schema.ts';
import type { ApiName } from '../wire/exchange.ts';
import { TYPED_ERRORS } from './wire/error-body.ts';

/** The OpenAPI file of an API that Assay brings along. */
export function builtInSource(api: ApiName): string {
  return path.join(packageRoot(import.meta.url), 'contracts', 'service', 'openapi', `${api}.yaml`);
}

/** The APIs for which the document states endpoints; for the AI runtime it shows none. */
const APIS: readonly ApiName[] = ['zap', 'trade', 'docs'];

/** The contract that the document states. */
export const BUILT_IN: ContractBase = {
  documents: APIS.map((api) => ({ api, source: builtInSource(api) })),
  errors: TYPED_ERRORS,
};

/**
 * Loads the built-in contract, then what replaces or extends it, as {@link loadContractOf} does.
 *
 * @throws ContractError when a file cannot be used
 */
export async function loadContract(options: LoadContractOptions = {}): Promise<Contract> {
  // What only names the documents, or lists the rules, starts without the compiler of schemas.
  const { loadContractOf } = await import('../document/load-contract.ts');
  return loadContractOf(BUILT_IN, options);
}
