import type { CodeKeywordDefinition, FuncKeywordDefinition, ValidateFunction } from 'ajv';
import type { RegExpEngine, RegExpLike } from 'ajv/dist/types/index.js';
import { _ } from 'ajv';
import { resolveUrl } from 'ajv/dist/compile/resolve.js';
import { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { nativeRegExp, patternOf } from '../patterns/pattern.ts';

/** Runs patterns in place of RegExp, in linear time. */
export const REGEXP_ENGINE: RegExpEngine = Object.assign(
  (source: string): RegExpLike => {
    const pattern = patternOf(source);
    // What is no expression at all throws here, as RegExp does.
    if (pattern.kind === 'malformed') nativeRegExp(source);
    // What cannot be run was taken out of the schema, or else is not judged.
    const test = pattern.kind === 'supported' ? pattern.test : (): boolean => true;
    // By this name the compiler tells expressions apart.
    return Object.assign(Object.create({ toString: () => source }) as object, { test });
  },
  { code: 'RE2' },
);

/** Thrown inside a validation that takes too many steps. */
export class TooManySteps extends Error {
  override readonly name = 'TooManySteps';
}

/** At most this many references are followed while one value is validated. */
const MAX_STEPS = 2_000_000;

/** What a reference leads to, compiled when a value first comes to it. */
interface Lazy {
  readonly url: string;
  readonly validate: ValidateFunction;
}

/**
 * References that are compiled one by one: ajv compiles what a schema refers to while it compiles the
 * schema, and several hundred schemas that refer to one another are too deep for its stack. They also
 * count steps, since a small value can take any number of them.
 */
export class LazyReferences {
  readonly #compile: (url: string) => ValidateFunction;
  readonly #known = new Map<string, Lazy>();
  readonly #waiting: string[] = [];
  #steps = 0;

  /** @param compile the function that validates what stands at a URL */
  constructor(compile: (url: string) => ValidateFunction) {
    this.#compile = compile;
  }

  /** The keyword in place of ajv's own. */
  get keyword(): CodeKeywordDefinition {
    return {
      keyword: '$ref',
      schemaType: 'string',
      code: (context) => {
        const { gen, it } = context;
        const url = resolveUrl(it.opts.uriResolver, it.baseId, String(context.schema));
        const lazy = gen.scopeValue('wrapper', { ref: this.#lazy(url) });
        callRef(context, _`${lazy}.validate`);
      },
    };
  }

  /** Begins to count again. */
  restart(): void {
    this.#steps = 0;
  }

  /** URLs that references lead to and that nobody has asked for yet. */
  takeWaiting(): string[] {
    return this.#waiting.splice(0);
  }

  #lazy(url: string): Lazy {
    const known = this.#known.get(url);
    if (known !== undefined) return known;
    this.#waiting.push(url);
    let compiled: ValidateFunction | undefined;
    const step = (): ValidateFunction => {
      this.#steps += 1;
      if (this.#steps > MAX_STEPS) throw new TooManySteps();
      return (compiled ??= this.#compile(url));
    };
    const lazy: Lazy = {
      url,
      get validate() {
        return step();
      },
    };
    this.#known.set(url, lazy);
    return lazy;
  }
}

/** A value as a text that is the same for equal values, whatever the order of their members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** `uniqueItems` and `enum` in linear time: ajv compares each with each. */
export function linearKeywords(): FuncKeywordDefinition[] {
  return [
    {
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      errors: false,
      compile: (isUnique: boolean) => (items: readonly unknown[]) =>
        !isUnique || new Set(items.map(canonical)).size === items.length,
      error: { message: 'must NOT have duplicate items' },
    },
    {
      keyword: 'enum',
      schemaType: 'array',
      errors: false,
      compile: (allowedValues: readonly unknown[]) => {
        const texts = new Set(allowedValues.map(canonical));
        return (value: unknown) => texts.has(canonical(value));
      },
      error: {
        message: 'must be equal to one of the allowed values',
        params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
      },
    },
  ];
}
