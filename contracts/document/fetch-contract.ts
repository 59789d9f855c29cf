import { createHash } from 'node:crypto';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ContractError } from './contract-error.ts';
import type { ContractFile, ContractFiles, ReadContract } from './contract-files.ts';
import {
  type ContractLimits,
  contractLimits,
  HOW_TO_ALLOW_MORE,
  USUAL_FILE_BYTES,
} from './contract-limits.ts';
import { fetchText, UnfetchedFile } from './fetch-text.ts';
import { Survey } from './openapi/openapi-survey.ts';
import type { WantedFile } from './openapi/wanted-file.ts';
import { parsedOf } from './parsed-file.ts';
import { refusalOf } from './ref-policy.ts';
import { readRegularBytes, UnreadableFile } from './regular-file.ts';
import type { ContractOverride } from './schema.ts';
import { pointerOf } from '../wire/json-pointer.ts';

/** Options of {@link fetchContractFiles}. */
export interface FetchContractOptions {
  /** Hosts, with a port or without, that references may lead to besides the contract's own. */
  readonly allowRefs?: readonly string[];
  /** Local files below it may be referred to; default the process's. */
  readonly cwd?: string;
  /** Of one file, in bytes; other limits follow from it. */
  readonly mostFileBytes?: number;
  /** In place of those that follow. */
  readonly limits?: Partial<ContractLimits>;
  readonly fetch?: typeof fetch;
}

const MAX_REDIRECTS = 5;

/**
 * Reads the contracts that the user named and the files that they refer to, each once: all that a
 * run reads of contracts. What comes back is plain data, from which a contract is made without any
 * further reading.
 *
 * @throws ContractError when a file cannot be read or is no YAML, when a reference leads where it may
 *   not, or a limit is exceeded
 */
export async function fetchContractFiles(
  overrides: readonly ContractOverride[],
  options: FetchContractOptions = {},
): Promise<ContractFiles> {
  const limits = { ...contractLimits(options.mostFileBytes), ...options.limits };
  const reader = new ContractReader(options, limits, AbortSignal.timeout(limits.mostMs));
  const contracts: ReadContract[] = [];
  for (const override of overrides) contracts.push(await reader.contract(override));
  return contracts;
}

class ContractReader {
  readonly #allowRefs: readonly string[];
  readonly #cwd: string;
  readonly #fetch: typeof fetch;
  readonly #limits: ContractLimits;
  readonly #signal: AbortSignal;
  /** All files of the run by their URLs, so that each is read once. */
  readonly #files = new Map<string, ContractFile>();
  #bytes = 0;

  constructor(options: FetchContractOptions, limits: ContractLimits, signal: AbortSignal) {
    this.#allowRefs = options.allowRefs ?? [];
    this.#cwd = options.cwd ?? process.cwd();
    this.#fetch = options.fetch ?? fetch;
    this.#limits = limits;
    this.#signal = signal;
  }

  async contract({ api, source }: ContractOverride): Promise<ReadContract> {
    const named = /^https?:/i.test(source) ? new URL(source).href : pathToFileURL(source).href;
    const root = await this.#read(source, named, 'cannot be read', MAX_REDIRECTS);
    const files = new Map([[root.url, root]]);
    const survey = new Survey(source, root.url);
    survey.add(root.url, parsedOf(source, root).value);
    for (let next = this.#next(source, survey, root.url); next;) {
      const file = await this.#read(source, next.url, next.problem, 0);
      files.set(next.url, file);
      survey.add(next.url, parsedOf(source, file).value);
      next = this.#next(source, survey, root.url);
    }
    return { api, source, url: root.url, files: [...files.values()] };
  }

  /**
   * What is to be read next, if anything. What may not be read is refused only when nothing else is left:
   * another file may hold a schema of that `$id`.
   */
  #next(
    source: string,
    survey: Survey,
    root: string,
  ): { readonly url: string; readonly problem: string } | undefined {
    let refusal: ContractError | undefined;
    for (const wanted of survey.look()) {
      const { file, pointer } = wanted.place;
      const at = `#${pointerOf(pointer)}${file === root ? '' : ` of ${file}`}`;
      const target = this.#target(source, wanted, at, root);
      if (target instanceof ContractError) refusal ??= target;
      else if (!survey.has(target)) {
        return { url: target, problem: `refers to ${wanted.ref} at ${at}, which cannot be read` };
      }
    }
    if (refusal !== undefined) throw refusal;
    return undefined;
  }

  /** The first URL of a reference that may be read, or why there is none. */
  #target(
    source: string,
    { ref, urls }: WantedFile,
    at: string,
    root: string,
  ): string | ContractError {
    if (urls.length === 0) {
      return new ContractError(source, `refers to ${ref} at ${at}, which is no URL.`);
    }
    const targets = urls.map((url) => new URL(url));
    if (targets.some(({ username, password }) => username !== '' || password !== '')) {
      return new ContractError(source, `refers to a URL with credentials at ${at}.`);
    }
    const policy = { root, allowRefs: this.#allowRefs, cwd: this.#cwd };
    const refusals = targets.map((target) => refusalOf(target, policy));
    const allowed = urls.find((_, index) => refusals[index] === undefined);
    return allowed ?? new ContractError(source, `refers to ${ref} at ${at}, which ${refusals[0]}.`);
  }

  async #read(
    source: string,
    url: string,
    problem: string,
    mostRedirects: number,
  ): Promise<ContractFile> {
    const known = this.#files.get(url);
    if (known !== undefined) return known;
    const { mostFiles, mostBytes } = this.#limits;
    if (this.#files.size >= mostFiles) {
      throw new ContractError(source, `needs more than ${mostFiles} files. ${HOW_TO_ALLOW_MORE}.`);
    }
    let read: { readonly url: string; readonly bytes: Uint8Array };
    try {
      read = await this.#bytesAt(url, mostRedirects);
    } catch (error) {
      if (!(error instanceof UnreadableFile || error instanceof UnfetchedFile)) throw error;
      const more = error.isTooLarge ? ` ${HOW_TO_ALLOW_MORE}.` : '';
      throw new ContractError(source, `${problem}: ${error.message}.${more}`, { cause: error });
    }
    this.#bytes += read.bytes.byteLength;
    if (this.#bytes > mostBytes) {
      throw new ContractError(
        source,
        `and its files have more than ${mostBytes} bytes. ${HOW_TO_ALLOW_MORE}.`,
      );
    }
    const file = fileOf(source, read, this.#limits.mostFileBytes);
    this.#files.set(url, file);
    return file;
  }

  async #bytesAt(
    url: string,
    mostRedirects: number,
  ): Promise<{ readonly url: string; readonly bytes: Uint8Array }> {
    const { mostFileBytes: mostBytes } = this.#limits;
    if (url.startsWith('file:')) {
      return { url, bytes: readRegularBytes(fileURLToPath(url), mostBytes) };
    }
    const signal = this.#signal;
    return fetchText(url, { fetch: this.#fetch, signal, mostBytes, mostRedirects });
  }
}

function fileOf(
  source: string,
  { url, bytes }: { readonly url: string; readonly bytes: Uint8Array },
  mostBytes: number,
): ContractFile {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ContractError(source, `is not YAML or JSON: ${url} is not UTF-8.`, { cause: error });
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const more = mostBytes > USUAL_FILE_BYTES ? { mostBytes } : {};
  return { url, text, sha256, bytes: bytes.byteLength, ...more };
}
