import { _, type CodeKeywordDefinition, type ErrorObject, type ValidateFunction } from 'ajv';
import { resolveUrl } from 'ajv/dist/compile/resolve.js';
import { callRef } from 'ajv/dist/vocabularies/core/ref.js';

/** Thrown inside a validation that takes too many steps. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/** What one validation may take. */
export interface StepLimits {
  /** References that are followed. */
  readonly references: number;
  /** Errors that references pass on, each counted at every reference on its way. */
  readonly errors: number;
}

/** A validator as generated code calls it. */
interface Referred {
  readonly validate: Validate;
}

interface Validate {
  (...given: Parameters<ValidateFunction>): unknown;
  readonly errors: ErrorObject[] | null;
}

/**
 * References that are compiled one by one: ajv compiles what a schema refers to while it compiles the
 * schema. Several hundred schemas that refer to one another are too deep for its stack. They also
 * count steps, since a small value can take any number of them.
 */
export class LazyReferences {
  readonly #compile: (url: string) => ValidateFunction;
  readonly #limits: StepLimits;
  readonly #known = new Map<string, Referred>();
  readonly #waiting: string[] = [];
  #references = 0;
  #errors = 0;

  /** @param compile the function that validates what stands at a URL */
  constructor(compile: (url: string) => ValidateFunction, limits: StepLimits) {
    this.#compile = compile;
    this.#limits = limits;
  }

  /** The keyword in place of ajv's own. */
  get keyword(): CodeKeywordDefinition {
    return {
      keyword: '$ref',
      schemaType: 'string',
      code: (context) => {
        const { gen, it } = context;
        const url = resolveUrl(it.opts.uriResolver, it.baseId, String(context.schema));
        const referred = gen.scopeValue('wrapper', { ref: this.at(url) });
        callRef(context, _`${referred}.validate`);
      },
    };
  }

  /** Begins to count again. */
  restart(): void {
    this.#references = 0;
    this.#errors = 0;
  }

  /** URLs that references lead to and that nobody has asked for yet. */
  takeWaiting(): string[] {
    return this.#waiting.splice(0);
  }

  /** What validates by the schema at a URL, compiled when a value first comes to it. */
  at(url: string): Referred {
    const known = this.#known.get(url);
    if (known !== undefined) return known;
    this.#waiting.push(url);
    let compiled: ValidateFunction | undefined;
    const validate = (...given: Parameters<ValidateFunction>): unknown => {
      this.#references += 1;
      compiled ??= this.#compile(url);
      const isValid = compiled(...given);
      // Whoever refers to it copies its errors.
      if (!isValid) this.#errors += compiled.errors?.length ?? 0;
      if (this.#references > this.#limits.references || this.#errors > this.#limits.errors) {
        throw new TooManySteps();
      }
      return isValid;
    };
    Object.defineProperty(validate, 'errors', { get: () => compiled?.errors ?? null });
    const referred = { validate: validate as Validate };
    this.#known.set(url, referred);
    return referred;
  }
}
