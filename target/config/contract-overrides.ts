import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import { fetchContractFiles } from '../../contracts/document/fetch-contract.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { TargetConfig } from './config-types.ts';

/** What a configuration says of contracts. */
export type ContractsOfConfig = Pick<TargetConfig, 'contracts' | 'allowRefs'> &
  Partial<Pick<TargetConfig, 'maxContractBytes'>>;

/**
 * Reads the contracts that a configuration names, once for a run.
 *
 * @param apis those of the service; a contract that names none of them is one of the first
 * @throws ContractError when one cannot be read, or leads where it may not
 */
export function readContracts(
  { contracts, allowRefs, maxContractBytes }: ContractsOfConfig,
  apis: readonly ApiName[],
): Promise<ContractFiles> {
  const [first = ''] = apis;
  const overrides = contracts.map(({ api = first, location }) => ({ api, source: location }));
  return fetchContractFiles(overrides, {
    allowRefs,
    ...(maxContractBytes === undefined ? {} : { mostFileBytes: maxContractBytes }),
  });
}
