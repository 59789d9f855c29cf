import type { OpenApiDocument } from './openapi-files.ts';
import { answerUrlsOf, type StatedOperation } from './openapi-operations.ts';
import { placedInputs } from '../placed-schema.ts';
import type { Check, SchemaCompiler } from '../schema-compiler.ts';
import type { ContractOperation, OperationInputs, SchemaFaults } from '../schema.ts';
import { NO_SCHEMA_FAULTS } from '../schema.ts';
import type { ApiName } from '../../wire/exchange.ts';

/** What compiles the schemas of requests, or those of answers, and the files that hold them. */
export interface Side {
  readonly compiler: SchemaCompiler;
  readonly files: OpenApiDocument['files'];
}

/** What one document states of an operation. */
export interface Layer {
  readonly stated: StatedOperation;
  readonly requests: Side;
  readonly answers: Side;
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

  /** @param replaced what holds for the statuses and the request where the layer is silent */
  constructor(id: string, api: ApiName, layer: Layer, replaced?: CompiledOperation) {
    this.id = id;
    this.api = api;
    this.method = layer.stated.method;
    this.pathTemplate = replaced?.pathTemplate ?? layer.stated.pathTemplate;
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
    const check = firstOf(this.#layers, ({ stated: { request }, requests }) =>
      request === undefined ? undefined : requests.compiler.compile(request),
    );
    return faultsBy(check ?? null, json);
  }

  /**
   * Compiles all schemas at once, so that a broken one is found at the start.
   * @throws ContractError when one does not compile
   */
  compileAll(): void {
    for (const { stated, requests, answers } of this.#layers) {
      if (stated.request !== undefined) requests.compiler.compile(stated.request);
      for (const url of answerUrlsOf(stated)) answers.compiler.compile(url);
      requests.compiler.compileReferred();
      answers.compiler.compileReferred();
    }
  }

  #inputsOf(layer: Layer | undefined): OperationInputs {
    if (layer === undefined) return { parameters: [], body: undefined };
    let inputs = this.#inputs.get(layer);
    if (inputs === undefined) {
      inputs = placedInputs(layer.requests.compiler, layer.requests.files, layer.stated.inputs);
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
    return firstOf(this.#layers, ({ stated: { responses }, answers: { compiler } }) => {
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
