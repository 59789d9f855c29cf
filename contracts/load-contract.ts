import { createHash } from 'node:crypto';
import path from 'node:path';
import { CompiledOperation } from './compiled-operation.ts';
import { readOpenApi, type OpenApiDocument } from './openapi-document.ts';
import { serverPath, statedOperations, type StatedOperation } from './openapi-operations.ts';
import { packageRoot } from './package-root.ts';
import { SchemaCompiler } from './schema-compiler.ts';
import type { Contract, ContractOperation, ContractOverride } from './schema.ts';
import type { ApiName } from './wire/exchange.ts';

/** The APIs for which the document states endpoints; for the AI runtime it shows none. */
const BUILT_IN: readonly ApiName[] = ['zap', 'trade', 'docs'];

/** The OpenAPI file of an API that Assay brings along. */
export function builtInSource(api: ApiName): string {
  return path.join(packageRoot(import.meta.url), 'contracts', 'openapi', `${api}.yaml`);
}

/**
 * Loads the built-in contract, then what replaces or extends it. An override takes the place of the
 * built-in operations with its methods and paths, which keep their ids; its other operations are
 * added as `<api>.<operationId>` or `<api>.<method-path>`. For a status or a request of which it
 * states no schema the built-in one still holds: a document that is silent takes no promise back.
 * @throws ContractError when a file cannot be used
 */
export async function loadContract(options?: {
  readonly overrides?: readonly ContractOverride[];
}): Promise<Contract> {
  const overrides = options?.overrides ?? [];
  const builder = new ContractBuilder();
  const builtIn = BUILT_IN.map(async (api) => ({
    api,
    document: await readOpenApi(builtInSource(api), false),
  }));
  for (const { api, document } of await Promise.all(builtIn)) builder.add(api, document);
  for (const { api, source } of overrides) {
    for (const operation of builder.add(api, await readOpenApi(source, true))) {
      operation.compileAll();
    }
  }
  return builder.build();
}

class ContractBuilder {
  readonly #compiler = new SchemaCompiler();
  readonly #operations = new Map<string, CompiledOperation>();
  readonly #digests: unknown[] = [];

  /** Returns the operations that the document brought. */
  add(api: ApiName, document: OpenApiDocument): CompiledOperation[] {
    this.#digests.push([api, document.sha256s]);
    this.#compiler.add(document);
    const prefix = serverPath(document);
    return statedOperations(document).map((stated) => {
      const replaced =
        this.#at(api, stated.method, stated.pathTemplate) ??
        this.#at(api, stated.method, prefix + stated.pathTemplate);
      const id = replaced?.id ?? this.#newId(api, stated);
      const operation = new CompiledOperation(
        id,
        api,
        stated,
        this.#compiler,
        document.files,
        replaced,
      );
      this.#operations.set(id, operation);
      return operation;
    });
  }

  build(): Contract {
    const operations = [...this.#operations.values()];
    const sha256 = createHash('sha256').update(JSON.stringify(this.#digests)).digest('hex');
    const operation = (id: string): ContractOperation | undefined => this.#operations.get(id);
    return { sha256, operations, find: finder(operations), operation };
  }

  #at(api: ApiName, method: string, template: string): CompiledOperation | undefined {
    const wanted = unnamed(template);
    return [...this.#operations.values()].find(
      (operation) =>
        operation.api === api &&
        operation.method === method &&
        unnamed(operation.pathTemplate) === wanted,
    );
  }

  #newId(api: ApiName, { operationId, method, pathTemplate }: StatedOperation): string {
    const place = `${method.toLowerCase()}-${pathTemplate.replace(/^\//, '').replaceAll('/', '-')}`;
    const name = operationId ?? place;
    const id = name.startsWith(`${api}.`) ? name : `${api}.${name}`;
    return this.#operations.has(id) ? `${api}.${place}` : id;
  }
}

/** The template with its parameters' names left out, which do not tell paths apart. */
function unnamed(template: string): string {
  return template.replaceAll(/\{[^}]*\}/g, '{}');
}

function finder(operations: readonly ContractOperation[]): Contract['find'] {
  const exact = new Map<string, ContractOperation[]>();
  for (const operation of operations) {
    const { pathTemplate } = operation;
    exact.set(pathTemplate, [operation, ...(exact.get(pathTemplate) ?? [])]);
  }
  const templates = operations
    .filter((operation) => operation.pathTemplate.includes('{'))
    .map((operation) => ({ operation, pattern: patternOf(operation.pathTemplate) }));
  return (api, method, fullPath) => {
    const end = fullPath.search(/[?#]/);
    const path = end < 0 ? fullPath : fullPath.slice(0, end);
    const wanted = method.toUpperCase();
    const isAsked = (operation: ContractOperation): boolean =>
      operation.api === api && operation.method === wanted;
    return (
      exact.get(path)?.find(isAsked) ??
      templates.find(({ operation, pattern }) => isAsked(operation) && pattern.test(path))
        ?.operation
    );
  };
}

function patternOf(template: string): RegExp {
  const parts = template
    .split(/\{[^}]*\}/)
    .map((text) => text.replaceAll(/[.*+?^$|()[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}
