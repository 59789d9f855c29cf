import { createHash } from 'node:crypto';
import { CompiledOperation, type Side } from './compiled-operation.ts';
import { type ContractFiles, describeContractFiles } from './contract-files.ts';
import { type Direction, directionsOf } from './directions/directions.ts';
import { fetchContractFiles, type FetchContractOptions } from './fetch-contract.ts';
import { openApiOf } from './openapi/openapi-document.ts';
import type { OpenApiDocument } from './openapi/openapi-files.ts';
import {
  answerUrlsOf,
  requestUrlsOf,
  type StatedOperation,
  statedOperations,
} from './openapi/openapi-operations.ts';
import { newOperationId } from './openapi/operation-id.ts';
import { anyPlacesOf } from './paths/operation-servers.ts';
import { ownDocuments } from './own-documents.ts';
import { finder } from './paths/path-finder.ts';
import { schemasInDoubt } from './directions/schemas-in-doubt.ts';
import { SchemaCompiler } from './validation/schema-compiler.ts';
import { schemaGraph } from './schema-graph.ts';
import { drop } from './schema-loosening.ts';
import { dropUnsupported } from './unsupported-keywords.ts';
import type { Contract, ContractOperation, ContractOverride } from './schema.ts';
import type { ErrorReading } from '../wire/error-reading.ts';
import type { ApiName } from '../wire/exchange.ts';

/** What a service brings of its contract. */
export interface ContractBase {
  /** The OpenAPI documents of its APIs, in the order in which they are read. */
  readonly documents: readonly ContractOverride[];
  /** How its errors read. */
  readonly errors: ErrorReading;
}

/** Options of {@link loadContractOf}. */
export interface LoadContractOptions {
  readonly overrides?: readonly ContractOverride[];
  /** What {@link fetchContractFiles} read of the overrides; then nothing is read but own files. */
  readonly files?: ContractFiles;
  /** How the overrides are read if no files are given. */
  readonly reading?: FetchContractOptions;
  /** The files were loaded before, so that what is wrong with them was reported. */
  readonly isChecked?: boolean;
}

/**
 * Loads the contract of a service, then what replaces or extends it. An override takes the place of the
 * service's operations with its methods and paths, which keep their ids. Its other operations are
 * added as `<api>.<operationId>` or `<api>.<method-path>`. For a status or a request of which it
 * states no schema that of the service still holds. A document that is silent takes no promise back.
 * @throws ContractError when a file cannot be used
 */
export async function loadContractOf(
  base: ContractBase,
  options: LoadContractOptions = {},
): Promise<Contract> {
  const { overrides = [], reading, isChecked = false } = options;
  const files = options.files ?? (await fetchContractFiles(overrides, reading));
  const { documents, errors } = base;
  const key = JSON.stringify([files.map(({ source }) => source), describeContractFiles(files)]);
  const isKept = last?.documents === documents && last.key === key;
  if (last === undefined || !isKept || (last.isChecked && !isChecked)) {
    // Two that are large may be more than there is memory for.
    last = undefined;
    last = { documents, key, isChecked, contract: await contractOf(base, files, isChecked) };
  }
  return { ...last.contract, errors };
}

/** The contract that was loaded last: what is compiled of it serves each task of a thread. */
let last:
  | {
      readonly documents: ContractBase['documents'];
      /** The files of others, by their digests. */
      readonly key: string;
      readonly isChecked: boolean;
      readonly contract: Contract;
    }
  | undefined;

async function contractOf(
  base: ContractBase,
  files: ContractFiles,
  isChecked: boolean,
): Promise<Contract> {
  const own = await ownDocuments(base.documents);
  const builder = new ContractBuilder();
  for (const { api, document } of own) builder.add(api, document, 'own');
  for (const read of files) {
    const added = builder.add(read.api, openApiOf(read, !isChecked), 'foreign');
    if (!isChecked) for (const operation of added) operation.compileAll();
  }
  return builder.build(base.errors);
}

class ContractBuilder {
  /** Documents of the service share files, which are compiled once. */
  readonly #own = new SchemaCompiler('own');
  readonly #operations = new Map<string, CompiledOperation>();
  /** Ids by API, method and path without the names of parameters. */
  readonly #places = new Map<string, string>();
  readonly #digests: unknown[] = [];
  readonly #notices: string[] = [];

  /** Returns the operations that the document brought. */
  add(api: ApiName, document: OpenApiDocument, origin: 'own' | 'foreign'): CompiledOperation[] {
    this.#digests.push([api, document.sha256s]);
    const { operations, notices } = statedOperations(document);
    this.#notices.push(...notices);
    if (origin === 'foreign') {
      const urls = operations.flatMap((stated) => [
        ...requestUrlsOf(stated),
        ...answerUrlsOf(stated),
      ]);
      const schemas = schemaGraph(document, urls);
      this.#notices.push(...dropUnsupported(document, schemas));
      // This mark leaves a value to another rule, and those rules know the documents of the service only.
      for (const { schema } of schemas) drop(schema, 'x-facet');
    }
    const directions = directionsOf(document, operations);
    const answers = this.#sideOf(directions.answers, origin);
    const requests =
      directions.requests === directions.answers
        ? answers
        : this.#sideOf(directions.requests, origin);
    // What one document states at two places is two operations.
    const before = operations.map((stated) => this.#replacedBy(api, stated));
    return operations.map((stated, index) => {
      const replaced = before[index] ?? this.#at(api, stated.method, stated.pathTemplate);
      const id =
        replaced?.id ??
        newOperationId(document.source, api, stated, (name) => this.#operations.has(name));
      const operation = new CompiledOperation(id, api, { stated, requests, answers }, replaced);
      this.#operations.set(id, operation);
      this.#places.set(placeKey(api, operation.method, operation.pathTemplate), id);
      return operation;
    });
  }

  #sideOf({ document, inDoubt }: Direction, origin: 'own' | 'foreign'): Side {
    const isShared = origin === 'own' && !document.hasDirections;
    const usual = isShared ? this.#own : new SchemaCompiler(origin);
    usual.add(document);
    const { files } = document;
    if (inDoubt === undefined) return { compiler: usual, files };
    const makeOthers = (): SchemaCompiler => {
      const others = new SchemaCompiler(origin);
      others.add(inDoubt());
      return others;
    };
    return { compiler: schemasInDoubt(usual, makeOthers), files };
  }

  build(errors: ErrorReading): Contract {
    const operations = [...this.#operations.values()];
    const sha256 = createHash('sha256').update(JSON.stringify(this.#digests)).digest('hex');
    const operation = (id: string): ContractOperation | undefined => this.#operations.get(id);
    const notices = this.#notices;
    return { sha256, operations, find: finder(operations), operation, notices, errors };
  }

  /** What was stated at one of the places of an operation. */
  #replacedBy(api: ApiName, stated: StatedOperation): CompiledOperation | undefined {
    for (const template of anyPlacesOf(stated)) {
      const found = this.#at(api, stated.method, template);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #at(api: ApiName, method: string, template: string): CompiledOperation | undefined {
    const id = this.#places.get(placeKey(api, method, template));
    return id === undefined ? undefined : this.#operations.get(id);
  }
}

/** The names of a template's parameters do not distinguish paths. */
function placeKey(api: ApiName, method: string, template: string): string {
  return `${api} ${method} ${template.replaceAll(/\{[^}]*\}/g, '{}')}`;
}
