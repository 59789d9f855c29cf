import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { boundErrors } from './bounded-errors.ts';
import { ContractError } from './contract-error.ts';
import { FORMATS } from './formats.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/** Compiles schemas where they stand in their documents, so that references stay references. */
export class SchemaCompiler {
  readonly #ajv: Ajv2020;
  readonly #files = new Set<string>();

  constructor() {
    this.#ajv = new Ajv2020({
      allErrors: true,
      verbose: true,
      // Documents hold much that is no JSON Schema; they are validated as OpenAPI instead.
      strict: false,
      validateSchema: false,
      logger: false,
      formats: FORMATS,
      code: { process: (code) => boundErrors(code) },
    });
    addFormats.default(this.#ajv);
  }

  add(document: OpenApiDocument): void {
    for (const [url, value] of document.files) {
      if (this.#files.has(url) || typeof value !== 'object' || value === null) continue;
      this.#ajv.addSchema(value, url);
      this.#files.add(url);
    }
  }

  /**
   * @param url URL of the schema: its file, and a JSON pointer as fragment
   * @throws ContractError when the schema does not compile
   */
  compile(url: string): ValidateFunction {
    try {
      const validate = this.#ajv.getSchema(url);
      if (validate !== undefined) return validate;
    } catch (error) {
      const [file = url, pointer = ''] = url.split('#');
      const problem = `has a schema at #${pointer} that does not compile: ${String(error)}.`;
      throw new ContractError(file, problem, { cause: error });
    }
    throw new ContractError(url, 'is not there.');
  }
}
