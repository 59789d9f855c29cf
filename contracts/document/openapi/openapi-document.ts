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
  const originals = new Map(read.map((file) => [file.url, parsedOf(source, file)]));
  requireOpenApi(source, originals.get(url));
  const texts = read.map(({ text }) => text.replaceAll('\r\n', '\n'));
  const sha256s = texts.map((text) => createHash('sha256').update(text).digest('hex')).sort();
  const limits = documentLimits(read);
  if (validate) {
    const rest = { sha256s, hasDirections: false, longNumbers: [], limits };
    requireValid({ source, url, files: originals, ...rest });
  }
  const longNumbers = texts.flatMap(longNumbersOf);
  return { source, url, ...settledFiles(source, url, originals), longNumbers, sha256s, limits };
}

/** A double holds all numbers of 15 digits. */
const LONG_NUMBER = /(?<![\w.])-?\d[\d.]{15,}(?:[eE][+-]?\d{1,4})?(?![\w.])/g;
const MAX_LONG_NUMBERS = 10_000;

function longNumbersOf(text: string): string[] {
  const found = new Set<string>();
  for (const [number] of text.matchAll(LONG_NUMBER)) {
    found.add(number);
    if (found.size === MAX_LONG_NUMBERS) break;
  }
  return [...found];
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
  if (typeof version !== 'string' || !/^3\.[01]\./.test(version)) {
    throw new ContractError(
      source,
      `is OpenAPI ${JSON.stringify(version)}; give OpenAPI 3.0 or 3.1.`,
    );
  }
}
