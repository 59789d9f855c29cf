import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadContract } from '../service/load-contract.ts';
import type { ApiName } from '../wire/exchange.ts';
import type { Contract } from './schema.ts';

/** The built-in contract with the paths of an AI runtime's contract, or of another API's. */
export function contractOf(
  paths: object,
  components: object = {},
  api: ApiName = 'ai',
): Promise<Contract> {
  return contractOfFiles({ 'ai.json': openapi('3.1.0', paths, components) }, ['ai.json'], api);
}

/**
 * The built-in contract with contracts of an API.
 *
 * @param files by their names, relative
 * @param documents names of those that are contracts, by default the first
 */
export async function contractOfFiles(
  files: Readonly<Record<string, object>>,
  documents: readonly string[] = Object.keys(files).slice(0, 1),
  api: ApiName = 'ai',
): Promise<Contract> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-contract-'));
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), JSON.stringify(value));
  }
  const overrides = documents.map((name) => ({ api, source: join(dir, name) }));
  try {
    return await loadContract({ overrides });
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** An OpenAPI document. */
export function openapi(version: string, paths: object, components: object = {}): object {
  const info = { title: 'AI runtime', version: '1' };
  return { openapi: version, info, paths, components };
}

/** The responses of an operation that states one success, with a JSON body of a schema. */
export function success(schema: object): object {
  return { 200: { description: 'as stated', content: { 'application/json': { schema } } } };
}
