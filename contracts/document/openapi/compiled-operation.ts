import type { OpenApiDocument } from './openapi-files.ts';
import type { StatedOperation } from './openapi-operations.ts';
import { placedInputs } from '../placed-schema.ts';
import type { Check, SchemaCompiler } from '../schema-compiler.ts';
import type { ContractOperation, OperationInputs, SchemaFaults } from '../schema.ts';
import { NO_SCHEMA_FAULTS } from '../schema.ts';
import type { ApiName } from '../../wire/exchange.ts';

/** What one document states of an operation, and what compiles its schemas. */
interface Layer {
  readonly stated: StatedOperation;
  readonly compiler: SchemaCompiler;
  /** Those that it refers to. */
  readonly files: OpenApiDocument['files'];
}

/** An operation whose schemas are compiled when first used. */
export class CompiledOperation implements ContractOperation {
  readonly id: string;
  readonly api: ApiName;
  readonly method: string;
  readonly pathTemplate: string;
  /** What is stated of it, the latest first. */
  readonly #layers: readonly Layer[];
  readonly #inputs = new Map<Layer, OperationInputs>();
  readonly #byStatus = new Map<number, Check | null>();

  /**
   * @param files those that `stated` refers to
   * @param replaced what holds for the statuses and the request where `stated` is silent
   */
  constructor(
    id: string,
    api: ApiName,
    stated: StatedOperation,
    compiler: SchemaCompiler,
    files: OpenApiDocument['files'],
    replaced?: CompiledOperation,
  ) {
    this.id = id;
    this.api = api;
    this.method = stated.method;
    this.pathTemplate = replaced?.pathTemplate ?? stated.pathTemplate;
    const layer = { stated, compiler, files };
    this.#layers = [layer, ...(replaced === undefined ? [] : replaced.#layers)];
  }

  statesBody(status: number): boolean {
    const check = this.#byStatus.get(status);
    return check === undefined ? this.#schemaAt(status) !== undefined : check !== null;
  }

  mediaTypesOf(status: number): readonly string[] | undefined {
    return firstOf(this.#layers, ({ stated: { mediaTypes } }) =>
      firstOf([...keysOf(status), 'DEFAULT'], (key) => mediaTypes.get(key)),
    );
  }

  namesStatus(status: number): boolean {
    return this.#layers.some(({ stated: { mediaTypes } }) =>
      keysOf(status).some((key) => mediaTypes.has(key)),
    );
  }

  get inputs(): OperationInputs {
    return this.#inputsOf(this.#layers[0]);
  }

  get firstInputs(): OperationInputs {
    return this.#inputsOf(this.#layers.at(-1));
  }

  faultsOf(status: number, json: unknown, text?: string): SchemaFaults {
    return faultsBy(this.#checkFor(status), json, text);
  }

  requestFaultsOf(json: unknown): SchemaFaults {
    const check = firstOf(this.#layers, ({ stated: { request }, compiler }) =>
      request === undefined ? undefined : compiler.compile(request),
    );
    return faultsBy(check ?? null, json);
  }

  /**
   * Compiles all schemas at once, so that a broken one is found at the start.
   * @throws ContractError when one does not compile
   */
  compileAll(): void {
    for (const { stated, compiler } of this.#layers) {
      for (const url of [stated.request, ...stated.responses.values()]) {
        if (url !== undefined) compiler.compile(url);
      }
      compiler.compileReferred();
    }
  }

  #inputsOf(layer: Layer | undefined): OperationInputs {
    if (layer === undefined) return { parameters: [], body: undefined };
    let inputs = this.#inputs.get(layer);
    if (inputs === undefined) {
      inputs = placedInputs(layer.compiler, layer.files, layer.stated.inputs);
      this.#inputs.set(layer, inputs);
    }
    return inputs;
  }

  #checkFor(status: number): Check | null {
    let check = this.#byStatus.get(status);
    if (check === undefined) {
      const found = this.#schemaAt(status);
      check = found === undefined ? null : found.compiler.compile(found.url);
      this.#byStatus.set(status, check);
    }
    return check;
  }

  /** OpenAPI 3.1, section 4.8.16: the exact status, then its class, then `default`. */
  #schemaAt(
    status: number,
  ): { readonly url: string; readonly compiler: SchemaCompiler } | undefined {
    if (status < 100) return undefined;
    const keys = [...keysOf(status), 'DEFAULT'];
    return firstOf(this.#layers, ({ stated: { responses }, compiler }) => {
      const key = keys.find((candidate) => responses.has(candidate));
      const url = key === undefined ? undefined : responses.get(key);
      return url === undefined ? undefined : { url, compiler };
    });
  }
}

/** Where a value departs from a schema, if there is one. */
function faultsBy(check: Check | null, json: unknown, text?: string): SchemaFaults {
  return check === null ? NO_SCHEMA_FAULTS : check(json, text);
}

/** The exact status and its class, as documents write them. */
function keysOf(status: number): string[] {
  return [String(status), `${Math.floor(status / 100)}XX`];
}

function firstOf<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = read(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
