import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ContractError } from './contract-error.ts';
import { ownDocuments } from './own-documents.ts';

const DOCUMENT = "openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths: {}\n";

async function withFile<T>(use: (source: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-own-'));
  const source = join(dir, 'own.yaml');
  writeFileSync(source, DOCUMENT);
  try {
    return await use(source);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test('the documents of one list are read once, those of another list again', async () => {
  await withFile(async (source) => {
    const documents = [{ api: 'zap', source }] as const;
    const [first] = await ownDocuments(documents);
    writeFileSync(source, 'no: document');
    expect((await ownDocuments(documents))[0]?.document).toBe(first?.document);
    await expect(ownDocuments([...documents])).rejects.toThrow(ContractError);
  });
});
