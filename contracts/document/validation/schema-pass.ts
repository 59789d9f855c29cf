import { fileURLToPath } from 'node:url';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { ContractError } from '../contract-error.ts';
import { documentLimits } from '../contract-limits.ts';
import { urlOf } from '../openapi/openapi-place.ts';
import { progressed } from '../large/progress.ts';
import { schemaGraph, type SchemaFiles, type SchemaNode } from '../schema-graph.ts';
import type { ExactNumbers } from './exact-numbers.ts';
import { FORMATS } from '../formats.ts';
import { addFile, newAjv, useWholeFile } from './json-schema.ts';
import {
  decimalMultipleOf,
  exactKeywords,
  linearKeywords,
  type NumbersAtHand,
} from './keywords.ts';
import { LazyReferences, type StepLimits, TooManySteps } from './lazy-references.ts';
import { REGEXP_ENGINE } from './regexp-engine.ts';
import { pointedErrors } from './script-path.ts';
import { STEPS, unevaluatedKeywords } from './unevaluated.ts';

/** Options of {@link SchemaPass}. */
export interface PassOptions {
  /** Whether the schemas are of others: then none of them and no value takes more than a bounded time. */
  readonly isForeign: boolean;
  readonly errors: 'first' | 'all';
  /** Whether numbers that a double does not hold are judged by their text. */
  readonly isExact: boolean;
  /** How errors say where they stand within validation; by default as suits `errors`. */
  readonly places?: 'pointer' | 'script';
}

/** The errors of a value by JSON pointers, none if it is valid; undefined if that takes too much. */
export type ErrorsOf = (
  value: unknown,
  numbers?: ExactNumbers,
) => readonly ErrorObject[] | undefined;

/** A schema that does not compile. */
interface Broken {
  readonly url: string;
  readonly error: unknown;
}

/** Schemas that are compiled by themselves to find the one that is broken. */
const MAX_TRIED = 300;

const NO_ERRORS: readonly ErrorObject[] = [];

const LIMITS: Readonly<Record<PassOptions['errors'], StepLimits>> = {
  first: { references: 2_000_000, errors: 10_000_000 },
  all: { references: 2_000_000, errors: 1_000_000 },
};

/** One way to compile the schemas of some documents where they stand, so that references stay references. */
export class SchemaPass {
  readonly #ajv: ReturnType<typeof newAjv>;
  readonly #places: 'pointer' | 'script';
  readonly #files = new Map<string, unknown>();
  readonly #lazy: LazyReferences | undefined;
  readonly #hand: NumbersAtHand = { numbers: new Map() };
  readonly #nodes = new Map<object, SchemaNode>();
  /** The widest of its documents. */
  #limits = documentLimits([]);
  readonly #options: PassOptions;
  /** For schemas with thousands of members, whose code that ends at the first error is nested too deep. */
  #flat: SchemaPass | undefined;
  /** URLs of compiled schemas that are not among the nodes yet. */
  #withoutNodes: string[] = [];

  constructor(options: PassOptions) {
    const { isForeign, errors, isExact } = options;
    this.#options = options;
    const places = options.places ?? (errors === 'all' || isExact ? 'pointer' : 'script');
    this.#places = places;
    if (isForeign) this.#lazy = new LazyReferences((url) => this.#compiled(url), LIMITS[errors]);
    this.#ajv = newAjv({
      errors,
      places,
      // Optimizing the code of schemas of others takes longer than it ever saves.
      code: isForeign ? { regExp: REGEXP_ENGINE, optimize: false } : {},
      // A member named as every object's own, such as `constructor`, is looked for as any other.
      ownProperties: isForeign,
      formats: isForeign ? {} : FORMATS,
      keywords: [
        ...(isForeign && !isExact ? linearKeywords() : []),
        ...(isExact ? exactKeywords(this.#hand) : [decimalMultipleOf()]),
        ...unevaluatedKeywords({
          nodeOf: (schema) => this.#nodeOf(schema),
          validatorOf: (node) => this.#validatorAt(urlOf(node.place)),
          step: STEPS[places],
        }),
        ...(this.#lazy === undefined ? [] : [this.#lazy.keyword]),
      ],
    });
  }

  add({ source, files, limits }: Omit<SchemaFiles, 'url'>): void {
    if (limits.mostSchemas > this.#limits.mostSchemas) this.#limits = limits;
    for (const [url, value] of files) {
      if (this.#files.has(url) || typeof value !== 'object' || value === null) continue;
      addFile(this.#ajv, value, url, this.#lazy !== undefined);
      this.#files.set(url, value);
    }
    this.#flat?.add({ source, files, limits });
  }

  /**
   * @param url URL of the schema: its file, and a JSON pointer as fragment
   * @throws ContractError when the schema does not compile
   */
  compile(url: string): ErrorsOf {
    const validate = this.#compiled(url);
    let flat: ErrorsOf | undefined;
    return (value, numbers) => {
      if (flat !== undefined) return flat(value, numbers);
      this.#restart();
      if (numbers !== undefined) this.#hand.numbers = numbers;
      try {
        if (validate(value)) return NO_ERRORS;
        const errors = validate.errors ?? NO_ERRORS;
        return this.#places === 'script' ? pointedErrors(errors, value) : errors;
      } catch (error) {
        if (error instanceof TooManySteps) return undefined;
        if (!(error instanceof RangeError)) throw error;
        // Code that is too deep may be read at its first use only, or the value is too deep for what refers to itself.
        if (this.#options.errors !== 'first') return undefined;
        const byFlat = this.#flatPass().compile(url);
        const errors = byFlat(value, numbers);
        if (errors !== undefined) flat = byFlat;
        return errors;
      } finally {
        // The errors hold on to all of the value for as long as the function keeps them.
        validate.errors = null;
      }
    };
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

  #validatorAt(url: string): ReturnType<LazyReferences['at']>['validate'] | ValidateFunction {
    return this.#lazy === undefined ? this.#compiled(url) : this.#lazy.at(url).validate;
  }

  /** Begins to count steps again. */
  #restart(): void {
    this.#lazy?.restart();
    if (this.#flat !== undefined) this.#flat.#restart();
  }

  #flatPass(): SchemaPass {
    if (this.#flat !== undefined) return this.#flat;
    this.#flat = new SchemaPass({ ...this.#options, errors: 'all', places: this.#places });
    this.#flat.add({ source: '', files: this.#files, limits: this.#limits });
    return this.#flat;
  }

  #nodeOf(schema: object): SchemaNode | undefined {
    const urls = this.#withoutNodes.splice(0);
    for (const url of urls) {
      for (const node of schemaGraph(this.#graphFiles(url), [url])) {
        if (!this.#nodes.has(node.schema)) this.#nodes.set(node.schema, node);
      }
    }
    return this.#nodes.get(schema);
  }

  #compiled(url: string): ValidateFunction {
    this.#withoutNodes.push(url);
    try {
      useWholeFile(this.#ajv, url);
      const validate = this.#ajv.getSchema(url);
      progressed();
      if (validate !== undefined) return validate;
    } catch (error) {
      if (error instanceof RangeError && this.#options.errors === 'first') {
        return this.#flatPass().#compiled(url);
      }
      const broken = this.#innermostBroken(url) ?? { url, error };
      const [file, pointer] = placeOf(broken.url);
      const problem = `has a schema at #${pointer} that does not compile: ${this.#reasonOf(broken)}.`;
      throw new ContractError(file, problem, { cause: error });
    }
    const [file, pointer] = placeOf(url);
    throw new ContractError(file, `refers to a schema at #${pointer}, which is not there.`);
  }

  /** In one line: by the keyword, if the compiler stumbled over the form of its value. */
  #reasonOf({ url, error }: Broken): string {
    if (!(error instanceof TypeError)) return reasonOf(error);
    const { schema = {} } = schemaGraph(this.#graphFiles(url), [url])[0] ?? {};
    const broken = Object.entries(schema).find(([keyword, value]) => {
      try {
        this.#ajv.compile({ [keyword]: value });
        return false;
      } catch {
        return true;
      }
    });
    return broken === undefined
      ? reasonOf(error)
      : `its ${broken[0]} is of a form that this keyword does not have`;
  }

  #graphFiles(url: string): SchemaFiles {
    return { source: url.replace(/#.*$/s, ''), url, files: this.#files, limits: this.#limits };
  }

  /** The innermost schema in one, or that it refers to, that does not compile by itself. */
  #innermostBroken(url: string): Broken | undefined {
    // If a schema is nothing but a reference, ajv compiles what that leads to.
    const rankOf = ({ place, schema }: SchemaNode): number =>
      (urlOf(place).startsWith(`${url}/`) ? 0 : 2) + (typeof schema.$ref === 'string' ? 1 : 0);
    const inside = schemaGraph(this.#graphFiles(url), [url])
      .sort((a, b) => rankOf(a) - rankOf(b) || b.place.pointer.length - a.place.pointer.length)
      .map(({ place }) => urlOf(place))
      .filter((one) => one !== url);
    for (const one of inside.slice(0, MAX_TRIED)) {
      try {
        this.#ajv.getSchema(one);
      } catch (error) {
        return { url: one, error };
      }
    }
    return undefined;
  }
}

/** The file as a person names it, and the JSON pointer. */
function placeOf(url: string): readonly [file: string, pointer: string] {
  const [file = url, pointer = ''] = url.split('#');
  return [file.startsWith('file:') ? fileURLToPath(file) : file, pointer];
}

/** In one line and of bounded length: a schema may stand in the message. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is made of too many schemas in one another';
  const [line = ''] = String(error).split('\n');
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
