import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadContract } from '../../service/load-contract.ts';
import type { ContractFiles } from '../contract-files.ts';
import { contractLimits, documentLimits, MAX_FILE_BYTES } from '../contract-limits.ts';
import { fetchContractFiles } from '../fetch-contract.ts';
import { largeDocument } from './large-contract.testkit.ts';

const MIB = 1_048_576;
const OPTION = '--max-contract-bytes above 8388608 allows more';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-large-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

/** Writes files, and reads the contract that the first one is. */
function read(
  files: Readonly<Record<string, string>>,
  mostFileBytes?: number,
): Promise<ContractFiles> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const [first = ''] = Object.keys(files);
  const source = join(dir, first);
  const limits = mostFileBytes === undefined ? {} : { mostFileBytes };
  return fetchContractFiles([{ api: 'ai', source }], { ...limits, cwd: dir });
}

/** The operations of a contract, as the thread of another process, or a record, gives its files. */
async function operationsOf(files: ContractFiles): Promise<number> {
  const kept = JSON.parse(JSON.stringify(files)) as ContractFiles;
  const { operations } = await loadContract({ files: kept });
  return operations.filter(({ api }) => api === 'ai').length;
}

const SMALL = { operations: 2, schemas: 5 };

/** A document that refers to so many files, each with a text of so many bytes. */
function inFiles(count: number, bytes: number): Record<string, string> {
  const document = largeDocument(SMALL) as { readonly paths: Record<string, object> };
  const names = Array.from({ length: count }, (_, index) => `part-${index}.json`);
  const parts = names.map((name) => [
    name,
    JSON.stringify({ get: { description: 'x'.repeat(bytes), responses: {} } }),
  ]);
  const paths = Object.fromEntries(names.map((name, index) => [`/p${index}`, { $ref: name }]));
  return {
    'openapi.json': JSON.stringify({ ...document, paths }),
    ...(Object.fromEntries(parts) as Record<string, string>),
  };
}

describe('a contract that is larger than usual is read if the option allows it', () => {
  const padded = { ...largeDocument(SMALL), 'x-pad': 'x'.repeat(9 * MIB) };
  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['a file of 9 MiB', { 'openapi.json': JSON.stringify(padded) }, 2],
    ['three files of 6 MiB', inFiles(3, 6 * MIB), 3],
    ['70 files', inFiles(70, 10), 70],
  ])('%s', async (_, files, operations) => {
    await expect(read(files)).rejects.toThrow(OPTION);
    expect(await operationsOf(await read(files, 16 * MIB))).toBe(operations);
  });
});

test('a record that claims larger limits than there are is read within the largest', () => {
  const [claimed, largest] = [Number.MAX_VALUE, MAX_FILE_BYTES].map((mostBytes) =>
    documentLimits([{ mostBytes }]),
  );
  expect(claimed).toEqual(largest);
});

test('limits are whole numbers, whatever is asked for', () => {
  for (const bytes of [8_388_609, 10_000_000, 33_333_333]) {
    expect(Object.values(contractLimits(bytes)).every(Number.isInteger)).toBe(true);
  }
});

test('limits on fetching grow with the option, and less than usual lowers bytes alone', () => {
  expect(contractLimits(2 * 8 * MIB)).toEqual({
    mostMs: 40_000,
    mostFiles: 512,
    mostBytes: 32 * MIB,
    mostFileBytes: 16 * MIB,
  });
  const { mostFiles, mostBytes } = contractLimits(MIB);
  expect([mostFiles, mostBytes]).toEqual([64, 2 * MIB]);
});
