import { loadContract } from '../../contracts/service/load-contract.ts';
import {
  type OperationLine,
  operationLines,
} from '../../contracts/document/openapi/operation-lines.ts';
import { keptContracts } from '../record/contracts-record.ts';

/** What looking for the lines of operations takes. */
export interface OperationLinesInput {
  /** Folder of a record, which holds the contracts of its run. */
  readonly dir: string;
  /** Ids. */
  readonly operations: readonly string[];
}

/**
 * The lines of operations in the contracts that the user of a run named.
 *
 * @throws RecordCorrupt and ContractError when these cannot be read
 */
export async function operationLinesTask({
  dir,
  operations,
}: OperationLinesInput): Promise<OperationLine[]> {
  const files = keptContracts(dir);
  if (files.length === 0 || operations.length === 0) return [];
  return operationLines(files, await loadContract({ files, isChecked: true }), operations);
}
