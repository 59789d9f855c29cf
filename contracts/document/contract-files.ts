import type { ApiName } from '../wire/exchange.ts';

/** A file of a contract as it was read, once. */
export interface ContractFile {
  /** Absolute, `file:` or `http(s):`. */
  readonly url: string;
  readonly text: string;
  /** Digest in hex of the text as UTF-8, which is what was read. */
  readonly sha256: string;
  readonly bytes: number;
  /** What a file may have by what the user asked for, if that is more than usual. */
  readonly mostBytes?: number;
}

/** A contract that was named, with all the files that it refers to: plain data, fit for a record. */
export interface ReadContract {
  readonly api: ApiName;
  /** As the user named it. */
  readonly source: string;
  /** URL of the first file. */
  readonly url: string;
  /** The first file first. */
  readonly files: readonly ContractFile[];
}

/** All contracts of a run, in the order in which they were named. */
export type ContractFiles = readonly ReadContract[];

/** A file of a contract without its text, for a run record. */
export interface ContractFileSummary {
  readonly api: ApiName;
  readonly url: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** What was read, file by file, without the texts. */
export function describeContractFiles(contracts: ContractFiles): ContractFileSummary[] {
  return contracts.flatMap(({ api, files }) =>
    files.map(({ url, sha256, bytes }) => ({ api, url, sha256, bytes })),
  );
}
