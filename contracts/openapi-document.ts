import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { parseDocument } from 'yaml';
import { ContractError } from './contract-error.ts';
import { asJsonSchema2020 } from './openapi-3-0.ts';

/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An OpenAPI document and all files that it refers to. */
export interface OpenApiDocument {
  /** As the caller gave it. */
  readonly source: string;
  /** Absolute URL of the root file. */
  readonly url: string;
  /** Parsed files by absolute URL, schemas in the dialect of JSON Schema 2020-12. */
  readonly files: ReadonlyMap<string, unknown>;
  /** Digests in hex of the files' texts, sorted, so that they depend on no path. */
  readonly sha256s: readonly string[];
}

const DOWNLOAD_TIMEOUT_MS = 20_000;

/**
 * Reads an OpenAPI 3.0 or 3.1 document with the files it refers to. References stay references, so
 * circular ones do no harm.
 * @param source file path or URL
 * @param validate whether to check it against the meta-schema of OpenAPI; takes some 80 ms
 * @throws ContractError when it cannot be read, is not YAML or JSON, or is not OpenAPI
 */
export async function readOpenApi(source: string, validate: boolean): Promise<OpenApiDocument> {
  const parsed = new Map<string, { readonly value: unknown; readonly sha256: string }>();
  // The parser wraps what its plug-ins throw, so the first own error is kept aside.
  let failure: ContractError | undefined;
  const parse = (file: { readonly url: string; readonly data: unknown }): unknown => {
    const text = String(file.data).replaceAll('\r\n', '\n');
    try {
      const value = parseText(file.url, text);
      parsed.set(file.url, { value, sha256: createHash('sha256').update(text).digest('hex') });
      if (parsed.size === 1) requireOpenApi(source, value);
      return value;
    } catch (error) {
      if (error instanceof ContractError) failure ??= error;
      throw error;
    }
  };
  const options = {
    parse: {
      contract: { order: 1, canParse: true, parse },
      json: false,
      yaml: false,
      text: false,
      binary: false,
    },
    // Whoever names a contract may keep it on this machine, as the reference service does.
    resolve: { http: { safeUrlResolver: false, timeout: DOWNLOAD_TIMEOUT_MS } },
    // Circular references are legal in a contract.
    dereference: { circular: 'ignore' as const },
  };
  try {
    const refs = await new SwaggerParser().resolve(source, options);
    const values = Object.entries(refs.values() as JsonObject);
    const files = new Map(values.map(([path, value]) => [urlOf(path), asJsonSchema2020(value)]));
    const sha256s = [...parsed.values()].map((file) => file.sha256).sort();
    if (validate) await new SwaggerParser().validate(source, options);
    const url = urlOf(refs.paths()[0] ?? source);
    return { source, url, files, sha256s };
  } catch (error) {
    throw failure ?? explained(source, error);
  }
}

function urlOf(path: string): string {
  return /^https?:/.test(path) ? path : pathToFileURL(path).href;
}

function parseText(file: string, text: string): unknown {
  const document = parseDocument(text, { merge: true });
  const [error] = document.errors;
  if (error === undefined) return document.toJS();
  const place = error.linePos?.[0];
  const at = place === undefined ? '' : ` at line ${place.line}, column ${place.col}`;
  const [sentence = ''] = error.message.split(/ at line |\n/);
  throw new ContractError(file, `is not YAML or JSON${at}: ${sentence}.`, { cause: error });
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

interface SchemaDetail {
  readonly instancePath: string;
  readonly message?: string;
}

/** The parser's error as one sentence: what it names, and of many departures the deepest. */
function explained(source: string, error: unknown): ContractError {
  const { message, details, ioErrorCode } = error as Error & {
    readonly details?: readonly SchemaDetail[];
    readonly ioErrorCode?: string;
  };
  const options = { cause: error };
  if (ioErrorCode === 'ENOENT') {
    return new ContractError(source, `cannot be read: ${message}`, options);
  }
  const deepest = details?.toSorted((a, b) => b.instancePath.length - a.instancePath.length)[0];
  if (deepest !== undefined) {
    const problem = `is not valid OpenAPI at #${deepest.instancePath}: it ${deepest.message ?? ''}.`;
    return new ContractError(source, problem, options);
  }
  const [sentence = ''] = message.split('\n');
  return new ContractError(source, `cannot be used: ${sentence}`, options);
}
