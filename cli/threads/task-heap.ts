import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import {
  largeBytes,
  moreHeapMb,
  USUAL_FILE_BYTES,
} from '../../contracts/document/contract-limits.ts';
import { readRegularBytes } from '../../contracts/document/regular-file.ts';
import { CONTRACTS_FILE } from '../record/contracts-record.ts';

/**
 * What a thread may have that reads contracts of the usual size; more ends it. One of 4 MiB with 2,000
 * operations and marks for directions takes some 250, what is not collected yet apart.
 */
const USUAL_HEAP_MB = 320;

/** Where the input of a task says that it reads contracts. */
interface ReadsContracts {
  /** That it reads itself. */
  readonly config?: { readonly maxContractBytes?: number };
  /** That were read. */
  readonly contractFiles?: ContractFiles;
  /** Folders of records, which hold their contracts. */
  readonly dir?: string;
  readonly baseline?: string;
  readonly contractsOf?: string;
}

/**
 * Memory in MB of the heap of a task, which leaves the rest of the process as it is: more than usual
 * where its contracts are larger than usual.
 */
export function taskHeapMb(input: object): number {
  const { config, contractFiles = [], dir, baseline, contractsOf } = input as ReadsContracts;
  const asked = config?.maxContractBytes ?? 0;
  const bytes = Math.max(
    asked > USUAL_FILE_BYTES ? asked : 0,
    largeBytes(contractFiles),
    ...[dir, baseline, contractsOf].map(keptBytes),
  );
  return USUAL_HEAP_MB + moreHeapMb(bytes);
}

/** One that was read within larger limits than usual says so, however small it is. */
const SAYS_IT_IS_LARGE = '"mostBytes":';

function keptBytes(dir: string | undefined): number {
  if (dir === undefined) return 0;
  try {
    const file = join(dir, CONTRACTS_FILE);
    const { size } = statSync(file);
    if (size > USUAL_FILE_BYTES) return size;
    const kept = Buffer.from(readRegularBytes(file, USUAL_FILE_BYTES));
    return kept.includes(SAYS_IT_IS_LARGE) ? size : 0;
  } catch {
    // What is wrong with it is said by who reads it.
    return 0;
  }
}
