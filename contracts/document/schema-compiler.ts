import type { CodeOptions, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { boundErrors, type BoundedErrors, errorsOf } from './bounded-errors.ts';
import { ContractError } from './contract-error.ts';
import { LazyReferences, linearKeywords, REGEXP_ENGINE, TooManySteps } from './foreign-schemas.ts';
import { FORMATS, isUrl } from './formats.ts';
import type { OpenApiDocument } from './openapi/openapi-files.ts';

/**
 * Validates a value by a schema.
 *
 * @returns what is wrong with it, none where it is valid; undefined where that takes too much to tell
 */
export type Check = (value: unknown) => BoundedErrors | undefined;

const NO_ERRORS: BoundedErrors = { errors: [], total: 0 };

/**
 * A compiler of schemas as documents state them, all errors told and bounded.
 *
 * @param code how its code is made, where that is special
 */
export function newAjv(code: CodeOptions = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // Documents hold much that is no JSON Schema; they are validated as OpenAPI instead.
    strict: false,
    validateSchema: false,
    logger: false,
    formats: FORMATS,
    code: { ...code, process: (text) => boundErrors(text) },
  });
  addFormats.default(ajv);
  // The expression for it takes quadratic time.
  ajv.addFormat('url', isUrl);
  return ajv;
}

/** Compiles schemas where they stand in their documents, so that references stay references. */
export class SchemaCompiler {
  readonly #ajv: Ajv2020;
  readonly #files = new Set<string>();
  readonly #checks = new Map<string, Check>();
  readonly #lazy: LazyReferences | undefined;

  /**
   * @param origin whose the schemas are: those of others are compiled and run such that no schema and
   *   no value can take more than a bounded time
   */
  constructor(origin: 'own' | 'foreign') {
    const isForeign = origin === 'foreign';
    // Optimizing the code of schemas of others takes longer than it ever saves.
    this.#ajv = newAjv(isForeign ? { regExp: REGEXP_ENGINE, optimize: false } : {});
    if (!isForeign) return;
    this.#lazy = new LazyReferences((url) => this.#compiled(url));
    for (const definition of [...linearKeywords(), this.#lazy.keyword]) {
      const keyword = String(definition.keyword);
      this.#ajv.removeKeyword(keyword);
      // The order in which errors are reported stays the same.
      this.#ajv.addKeyword(keyword === '$ref' ? { ...definition, before: 'type' } : definition);
    }
  }

  /** @throws ContractError when names in its schemas contradict one another */
  add(document: OpenApiDocument): void {
    for (const [url, value] of document.files) {
      if (this.#files.has(url) || typeof value !== 'object' || value === null) continue;
      try {
        this.#ajv.addSchema(value, url);
      } catch (error) {
        const problem = `has schemas that cannot be told apart: ${reasonOf(error)}.`;
        throw new ContractError(document.source, problem, { cause: error });
      }
      this.#files.add(url);
    }
  }

  /**
   * @param url URL of the schema: its file, and a JSON pointer as fragment
   * @throws ContractError when the schema does not compile
   */
  compile(url: string): Check {
    let check = this.#checks.get(url);
    if (check === undefined) {
      check = this.#checkOf(this.#compiled(url));
      this.#checks.set(url, check);
    }
    return check;
  }

  /**
   * Compiles what references of compiled schemas lead to, so that what is broken is found at the start.
   *
   * @throws ContractError when a schema does not compile
   */
  compileReferred(): void {
    if (this.#lazy === undefined) return;
    for (let urls = this.#lazy.takeWaiting(); urls.length > 0; urls = this.#lazy.takeWaiting()) {
      for (const url of urls) this.#compiled(url);
    }
  }

  #checkOf(validate: ValidateFunction): Check {
    const lazy = this.#lazy;
    if (lazy === undefined) {
      return (value) => errorsIn(validate, value);
    }
    return (value) => {
      lazy.restart();
      try {
        return errorsIn(validate, value);
      } catch (error) {
        // A RangeError: what refers to itself on too deep a value.
        if (error instanceof TooManySteps || error instanceof RangeError) return undefined;
        throw error;
      }
    };
  }

  #compiled(url: string): ValidateFunction {
    try {
      const validate = this.#ajv.getSchema(url);
      if (validate !== undefined) return validate;
    } catch (error) {
      const [file = url, pointer = ''] = url.split('#');
      const problem = `has a schema at #${pointer} that does not compile: ${reasonOf(error)}.`;
      throw new ContractError(file, problem, { cause: error });
    }
    const [file = url, pointer = ''] = url.split('#');
    throw new ContractError(file, `refers to a schema at #${pointer}, which is not there.`);
  }
}

function errorsIn(validate: ValidateFunction, value: unknown): BoundedErrors {
  if (validate(value)) return NO_ERRORS;
  const found = errorsOf(validate);
  // The errors hold on to all of the value for as long as the function keeps them.
  validate.errors = null;
  return found;
}

/** In one line and of bounded length: a schema may stand in the message. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is made of too many schemas in one another';
  const [line = ''] = String(error).split('\n');
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
