import type { ValidateFunction } from 'ajv';
import { errorsOf } from './bounded-errors.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import type { StatedOperation } from './openapi-operations.ts';
import { placedInputs } from './placed-schema.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { schemaFaults } from './schema-faults.ts';
import type { ContractOperation, OperationInputs, SchemaFaults } from './schema.ts';
import { NO_SCHEMA_FAULTS } from './schema.ts';
import type { ApiName } from './wire/exchange.ts';

/** An operation whose schemas are compiled when first used. */
export class CompiledOperation implements ContractOperation {
  readonly id: string;
  readonly api: ApiName;
  readonly method: string;
  readonly pathTemplate: string;
  /** What is stated of it, the latest first. */
  readonly #layers: readonly StatedOperation[];
  readonly #compiler: SchemaCompiler;
  readonly #files: OpenApiDocument['files'];
  #inputs: OperationInputs | undefined;
  readonly #byStatus = new Map<number, ValidateFunction | null>();

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
    this.#layers = [stated, ...(replaced === undefined ? [] : replaced.#layers)];
    this.#compiler = compiler;
    this.#files = files;
  }

  statesBody(status: number): boolean {
    const validate = this.#byStatus.get(status);
    return validate === undefined ? this.#schemaUrl(status) !== undefined : validate !== null;
  }

  mediaTypesOf(status: number): readonly string[] | undefined {
    return firstOf(this.#layers, ({ mediaTypes }) =>
      firstOf([...keysOf(status), 'DEFAULT'], (key) => mediaTypes.get(key)),
    );
  }

  namesStatus(status: number): boolean {
    return this.#layers.some(({ mediaTypes }) => keysOf(status).some((key) => mediaTypes.has(key)));
  }

  get inputs(): OperationInputs {
    const [latest] = this.#layers;
    const stated = latest?.inputs ?? { parameters: [], body: undefined };
    this.#inputs ??= placedInputs(this.#compiler, this.#files, stated);
    return this.#inputs;
  }

  faultsOf(status: number, json: unknown): SchemaFaults {
    const validate = this.#validateFor(status);
    return validate === null ? NO_SCHEMA_FAULTS : faultsBy(validate, json);
  }

  requestFaultsOf(json: unknown): SchemaFaults {
    const url = firstOf(this.#layers, ({ request }) => request);
    return url === undefined ? NO_SCHEMA_FAULTS : faultsBy(this.#compiler.compile(url), json);
  }

  /**
   * Compiles all schemas at once, so that a broken one is found at the start.
   * @throws ContractError when one does not compile
   */
  compileAll(): void {
    for (const { request, responses } of this.#layers) {
      for (const url of [request, ...responses.values()]) {
        if (url !== undefined) this.#compiler.compile(url);
      }
    }
  }

  #validateFor(status: number): ValidateFunction | null {
    let validate = this.#byStatus.get(status);
    if (validate === undefined) {
      const url = this.#schemaUrl(status);
      validate = url === undefined ? null : this.#compiler.compile(url);
      this.#byStatus.set(status, validate);
    }
    return validate;
  }

  /** OpenAPI 3.1, section 4.8.16: the exact status, then its class, then `default`. */
  #schemaUrl(status: number): string | undefined {
    if (status < 100) return undefined;
    const keys = [...keysOf(status), 'DEFAULT'];
    return firstOf(this.#layers, ({ responses }) => {
      const key = keys.find((candidate) => responses.has(candidate));
      return key === undefined ? undefined : responses.get(key);
    });
  }
}

function faultsBy(validate: ValidateFunction, json: unknown): SchemaFaults {
  if (validate(json)) return NO_SCHEMA_FAULTS;
  const { errors, total } = errorsOf(validate);
  const faults = schemaFaults(errors, total);
  // The errors hold on to all of the body for as long as the function keeps them.
  validate.errors = null;
  return faults;
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
