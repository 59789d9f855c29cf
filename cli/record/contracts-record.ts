import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import { isObject, member } from '../../contracts/wire/json.ts';
import { isApiName } from '../../contracts/wire/exchange.ts';
import { RecordCorrupt } from '../../target/record/record-error.ts';
import { isInRecord } from '../../target/record/packed.ts';
import { readRecordJson } from '../../target/record/record-reader.ts';
import { withoutSecrets } from '../safe-text.ts';
import { writeWhole } from './write-whole.ts';

/** The file of a record that holds the contracts which the user named, as they were read. */
export const CONTRACTS_FILE = 'contracts.json';

/** Keeps the contracts of a run, if there are any, so that it can be judged again offline. */
export function keepContracts(dir: string, contracts: ContractFiles): void {
  if (contracts.length === 0) return;
  const kept: ContractFiles = contracts.map(({ api, source, url, files }) => ({
    api,
    source: withoutSecrets(source),
    url: withoutSecrets(url),
    files: files.map((file) => {
      const text = withoutSecrets(file.text);
      return { ...file, url: withoutSecrets(file.url), text, sha256: digestOf(text) };
    }),
  }));
  const text = JSON.stringify({ schemaVersion: 1, contracts: kept });
  writeWhole(join(dir, CONTRACTS_FILE), `${text}\n`);
}

/**
 * The contracts that a record holds, none if the user named none.
 *
 * @throws RecordCorrupt when the file is something else
 */
export function keptContracts(dir: string): ContractFiles {
  const file = join(dir, CONTRACTS_FILE);
  if (!isInRecord(file)) return [];
  const contracts = member(readRecordJson(file), 'contracts');
  if (isContractFiles(contracts)) return contracts;
  throw new RecordCorrupt(file, 1, 'this does not hold contracts as they were read');
}

function isContractFiles(value: unknown): value is ContractFiles {
  return Array.isArray(value) && value.every(isReadContract);
}

function isReadContract(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { api, source, url, files } = value;
  const isNamed = isApiName(api) && typeof source === 'string' && typeof url === 'string';
  return isNamed && Array.isArray(files) && files.length > 0 && files.every(isReadFile);
}

function isReadFile(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { url, text, sha256, bytes, mostBytes } = value;
  return (
    typeof url === 'string' &&
    URL.canParse(url) &&
    typeof text === 'string' &&
    typeof bytes === 'number' &&
    (mostBytes === undefined || typeof mostBytes === 'number') &&
    sha256 === digestOf(text)
  );
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
