import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ContractError } from './contract-error.ts';
import type { ContractFile } from './contract-files.ts';
import { documentLimits, HOW_TO_ALLOW_MORE } from './contract-limits.ts';
import { packageRoot } from './package-root.ts';
import type { LongNumbers } from './stated-digits.ts';
import { parseYaml, YamlProblem } from './yaml/yaml.ts';

/**
 * Documents of this package without numbers that a double does not hold, parsed when it was built.
 *
 * @public build.mjs writes it
 */
export const PARSED_FILE = 'dist/parsed-documents.json';

/** What a file of a contract holds; not to be changed. */
export interface ParsedFile {
  readonly value: unknown;
  readonly longNumbers: LongNumbers;
}

/** Files that were parsed already: whoever reads references parses, whoever loads too. */
const parsed = new WeakMap<ContractFile, ParsedFile>();

/**
 * A file of a contract, parsed.
 *
 * @param source as the user named the contract
 * @throws ContractError when it is no YAML, or too much
 */
export function parsedOf(source: string, file: ContractFile): ParsedFile {
  return parsed.get(file) ?? parsedAtBuild(file) ?? parsedNow(source, file);
}

/**
 * The same of its text, whatever the build has parsed.
 *
 * @public for build.mjs
 */
export function parsedNow(source: string, file: ContractFile): ParsedFile {
  try {
    const text = file.text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
    const { yaml: limits } = documentLimits([file]);
    const longNumbers = new Map<object, Map<string, string>>();
    const value = parseYaml(text, { limits, merge: true, longNumbers });
    parsed.set(file, { value, longNumbers });
    return { value, longNumbers };
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    const { message, place, isLimit, isAllowable } = error;
    const at = place === undefined ? '' : ` at line ${place.line}, column ${place.column}`;
    const problem = isLimit
      ? `is too much${at}: ${message}.${isAllowable ? ` ${HOW_TO_ALLOW_MORE}.` : ''}`
      : `is not YAML or JSON${at}: ${message}.`;
    throw new ContractError(named(source, file), problem, { cause: error });
  }
}

/** Values of files that this package brings along, by the digests of their texts. */
let ofPackage: Readonly<Record<string, unknown>> | undefined;

/** What the build has parsed of a file, which takes it a tenth of the time. */
function parsedAtBuild({ url, sha256 }: ContractFile): ParsedFile | undefined {
  const ours = pathToFileURL(join(packageRoot(import.meta.url), 'contracts')).href;
  const value = url.startsWith(ours) ? valueAtBuild(sha256) : undefined;
  return value === undefined ? undefined : { value, longNumbers: new Map() };
}

/** The value of a file that this package brings along, by the digest of its text; undefined if the build parsed none. */
export function valueAtBuild(sha256: string): unknown {
  const table = join(packageRoot(import.meta.url), PARSED_FILE);
  ofPackage ??= existsSync(table)
    ? (JSON.parse(readFileSync(table, 'utf8')) as Record<string, unknown>)
    : {};
  return ofPackage[sha256];
}

/** What the user named if the file is that one, else the file itself. */
function named(source: string, { url }: ContractFile): string {
  const first = /^https?:/i.test(source) ? source : pathToFileURL(source).href;
  if (url === first) return source;
  return url.startsWith('file:') ? fileURLToPath(url) : url;
}
