import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadContract } from '../service/load-contract.ts';
import type { Contract } from './schema.ts';

/** The built-in contract with the paths of an AI runtime's contract. */
export async function contractOf(paths: object, components: object = {}): Promise<Contract> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-contract-'));
  const source = join(dir, 'ai.json');
  const info = { title: 'AI runtime', version: '1' };
  writeFileSync(source, JSON.stringify({ openapi: '3.1.0', info, paths, components }));
  try {
    return await loadContract({ overrides: [{ api: 'ai', source }] });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** The responses of an operation that states one success, with a JSON body of a schema. */
export function success(schema: object): object {
  return { 200: { description: 'as stated', content: { 'application/json': { schema } } } };
}
