import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../service/load-contract.ts';
import { fetchContractFiles } from '../fetch-contract.ts';
import { largeDocument } from './large-contract.testkit.ts';

const TWICE_AS_USUAL = 16_777_216;

test.each([
  ['2,100 operations', { operations: 2_100, schemas: 1 }],
  ['45,000 schemas', { operations: 100, schemas: 450 }],
])('%s are read if the option allows it', async (_, size) => {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-large-'));
  onTestFinished(() => {
    rmSync(cwd, { recursive: true });
  });
  const source = join(cwd, 'openapi.json');
  writeFileSync(source, JSON.stringify(largeDocument(size)));
  const operations = async (limits: { readonly mostFileBytes?: number }): Promise<number> => {
    const files = await fetchContractFiles([{ api: 'ai', source }], {
      ...limits,
      cwd,
    });
    const contract = await loadContract({ files });
    return contract.operations.filter(({ api }) => api === 'ai').length;
  };

  await expect(operations({})).rejects.toThrow('--max-contract-bytes above 8388608 allows more');
  expect(await operations({ mostFileBytes: TWICE_AS_USUAL })).toBe(size.operations);
});
