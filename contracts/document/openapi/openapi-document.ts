import { createHash } from 'node:crypto';
import { ContractError } from '../contract-error.ts';
import type { ReadContract } from '../contract-files.ts';
import { documentLimits } from '../contract-limits.ts';
import type { JsonObject } from '../../wire/json.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import { requireValid } from './openapi-validity.ts';
import { settledFiles } from './settled-files.ts';
import { parsedOf } from '../parsed-file.ts';

/**
 * An OpenAPI 3.0 or 3.1 document from the files that were read of it. References stay references, so
 * circular ones do no harm.
 *
 * @param validate whether to check it against the meta-schema of OpenAPI
 * @throws ContractError when it is not YAML or JSON, or is not OpenAPI
 */
export function openApiOf(
  { source, url, files: read }: ReadContract,
  validate: boolean,
): OpenApiDocument {
  const parsed = read.map((file) => [file.url, parsedOf(source, file)] as const);
  const originals = new Map(parsed.map(([at, { value }]) => [at, value]));
  const numbers = new Map(parsed.flatMap(([, { longNumbers }]) => [...longNumbers]));
  requireOpenApi(source, originals.get(url));
  const texts = read.map(({ text }) => text.replaceAll('\r\n', '\n'));
  const sha256s = texts.map((text) => createHash('sha256').update(text).digest('hex')).sort();
  const limits = documentLimits(read);
  if (validate) {
    const rest = { hasDirections: false, statedDigits: 'none' as const, sha256s, limits };
    requireValid({ source, url, files: originals, ...rest });
  }
  return { source, url, ...settledFiles(source, url, originals, numbers), sha256s, limits };
}

function requireOpenApi(source: string, value: unknown): void {
  const root = typeof value === 'object' && value !== null ? (value as JsonObject) : {};
  if (typeof root.swagger === 'string') {
    throw new ContractError(source, `is Swagger ${root.swagger}; give OpenAPI 3.0 or 3.1.`);
  }
  const version = root.openapi;
  if (version === undefined) {
    throw new ContractError(source, 'is not OpenAPI: it has no `openapi` at its top level.');
  }
  if (typeof version === 'number') {
    const problem = `has openapi: ${version}, which is a number; it is a text such as "3.1.0".`;
    throw new ContractError(source, problem);
  }
  if (typeof version !== 'string' || !/^3\.[01]\./.test(version)) {
    throw new ContractError(
      source,
      `is OpenAPI ${JSON.stringify(version)}; give OpenAPI 3.0 or 3.1, as in "3.1.0".`,
    );
  }
}
