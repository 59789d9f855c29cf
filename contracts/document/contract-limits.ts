import type { ContractFile, ContractFiles } from './contract-files.ts';
import { CONTRACT_YAML, type YamlLimits } from './yaml/yaml-limits.ts';

/** What the contracts of a run may take. */
export interface ContractLimits {
  /** For all that is fetched. */
  readonly mostMs: number;
  readonly mostFiles: number;
  /** Of all files. */
  readonly mostBytes: number;
  readonly mostFileBytes: number;
}

/** What one document may hold; references outside of schemas count for what they lead to. */
export interface DocumentLimits {
  /** Of each of its files. */
  readonly yaml: YamlLimits;
  /** Public documents have some 1,000. */
  readonly mostOperations: number;
  /** Parameters and responses of all operations. */
  readonly mostParts: number;
  /** Schemas, at any depth, that operations lead to. */
  readonly mostSchemas: number;
  /** Values outside of schemas. */
  readonly mostStructure: number;
}

/** Of one file of a contract, if nobody asks for more. */
export const USUAL_FILE_BYTES: number = CONTRACT_YAML.mostBytes;
/** Of one file, whatever is asked for. */
export const MAX_FILE_BYTES = 67_108_864;
/** The option that allows more, as a sentence without its end. */
export const HOW_TO_ALLOW_MORE = '--max-contract-bytes above 8388608 allows more';

const USUAL_FILES = 64;
const USUAL_MS = 20_000;
const USUAL: DocumentLimits = {
  yaml: CONTRACT_YAML,
  mostOperations: 2_000,
  mostParts: 30_000,
  mostSchemas: 40_000,
  mostStructure: 400_000,
};
/** Larger documents are also denser than a service of the usual size has need of. */
const DENSER = 4;

/** Patterns of names of one schema: each is tried on each name. */
export const MAX_NAME_PATTERNS = 200;
/** Longer paths are not read. */
export const MAX_PATH_CHARACTERS = 1_000;

/** @param mostFileBytes of one file; all other limits follow from it */
export function contractLimits(mostFileBytes: number = USUAL_FILE_BYTES): ContractLimits {
  const times = timesOf(mostFileBytes);
  return {
    mostMs: Math.floor(times * USUAL_MS),
    mostFiles: Math.floor((times > 1 ? DENSER : 1) * times * USUAL_FILES),
    mostBytes: 2 * mostFileBytes,
    mostFileBytes,
  };
}

/** The limits on a document of such files, which were read within limits on contracts. */
export function documentLimits(files: readonly Pick<ContractFile, 'mostBytes'>[]): DocumentLimits {
  const times = timesOf(files.reduce((most, file) => Math.max(most, file.mostBytes ?? 0), 0));
  if (times === 1) return USUAL;
  const more = (usual: number): number => Math.floor(DENSER * times * usual);
  return {
    yaml: {
      ...USUAL.yaml,
      mostBytes: times * USUAL_FILE_BYTES,
      mostNodes: more(USUAL.yaml.mostNodes),
      mostMarks: more(USUAL.yaml.mostMarks),
      mostExpandedNodes: more(USUAL.yaml.mostExpandedNodes),
    },
    mostOperations: more(USUAL.mostOperations),
    mostParts: more(USUAL.mostParts),
    mostSchemas: more(USUAL.mostSchemas),
    mostStructure: more(USUAL.mostStructure),
  };
}

/** For each MiB of contracts that are larger than usual; most of it takes reading YAML. */
const HEAP_MB_OF_A_MIB = 64;
/** However much is asked for. */
const MAX_MORE_HEAP_MB = 2_048;

/**
 * The heap in MB, beyond what reading contracts of the usual size takes.
 *
 * @param bytes of contracts that are larger, 0 for none
 */
export function moreHeapMb(bytes: number): number {
  return Math.min(Math.ceil((HEAP_MB_OF_A_MIB * bytes) / 1_048_576), MAX_MORE_HEAP_MB);
}

/** The bytes of contracts if one was read within larger limits than usual; else 0. */
export function largeBytes(contracts: ContractFiles): number {
  const files = contracts.flatMap((contract) => contract.files);
  const isLarge = files.some(({ mostBytes }) => mostBytes !== undefined);
  return isLarge ? files.reduce((sum, { bytes }) => sum + bytes, 0) : 0;
}

/** How many times as much as usual. A record is no proof that it was read within any limit. */
function timesOf(mostFileBytes: number): number {
  return Math.min(Math.max(mostFileBytes, USUAL_FILE_BYTES), MAX_FILE_BYTES) / USUAL_FILE_BYTES;
}
