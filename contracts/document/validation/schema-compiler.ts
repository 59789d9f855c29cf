import type { OpenApiDocument } from '../openapi/openapi-files.ts';
import type { SchemaFaults } from '../schema.ts';
import { NO_SCHEMA_FAULTS, UNKNOWN_SCHEMA_FAULTS } from '../schema.ts';
import type { StatedDigits } from '../stated-digits.ts';
import { exactBodyOf } from './exact-numbers.ts';
import { explain } from './explanation.ts';
import { type ErrorsOf, type PassOptions, SchemaPass } from './schema-pass.ts';

/**
 * Where a value departs from a schema.
 *
 * @param text the JSON text of the value, by which schemas of others judge numbers beyond doubles
 */
export type Check = (value: unknown, text?: string) => SchemaFaults;

/** How a schema is compiled: to decide or to explain, for usual numbers or for all. */
type Way = Pick<PassOptions, 'errors' | 'isExact'>;

/**
 * Compiles schemas where they stand in their documents. A first pass decides whether a value is valid and
 * ends at its first error. Only what is invalid is looked at again, in parts, to explain it.
 */
export class SchemaCompiler {
  readonly #isForeign: boolean;
  readonly #documents: OpenApiDocument[] = [];
  readonly #passes = new Map<string, SchemaPass>();
  readonly #deciding = new Map<string, ErrorsOf>();
  readonly #checks = new Map<string, Check>();
  #usesPositions: boolean | undefined;

  /** @param origin whose the schemas are; those of others are held to bounds of time */
  constructor(origin: 'own' | 'foreign') {
    this.#isForeign = origin === 'foreign';
  }

  add(document: OpenApiDocument): void {
    this.#documents.push(document);
    this.#usesPositions = undefined;
    this.#pass(DECIDING);
    for (const pass of this.#passes.values()) pass.add(document);
  }

  /**
   * @param url URL of the schema: its file, and a JSON pointer as fragment
   * @throws ContractError when the schema does not compile
   */
  compile(url: string): Check {
    let check = this.#checks.get(url);
    if (check === undefined) {
      check = this.#checkOf(url);
      this.#checks.set(url, check);
    }
    return check;
  }

  /**
   * Whether a value satisfies a schema.
   *
   * @throws ContractError when the schema does not compile
   */
  accepts(url: string, value: unknown): boolean {
    let errorsOf = this.#deciding.get(url);
    if (errorsOf === undefined) {
      errorsOf = this.#pass(DECIDING).compile(url);
      this.#deciding.set(url, errorsOf);
    }
    return errorsOf(value)?.length === 0;
  }

  /**
   * Compiles what references of compiled schemas lead to, so that what is broken is found at the start.
   *
   * @throws ContractError when a schema does not compile
   */
  compileReferred(): void {
    this.#pass(DECIDING).compileReferred();
  }

  #checkOf(url: string): Check {
    const decide = this.#pass(DECIDING).compile(url);
    // Hardly any body needs the others, so they are compiled when one does.
    const compiled = new Map<string, ErrorsOf>();
    const by = (way: Way): ErrorsOf => {
      const name = nameOf(way);
      const known = compiled.get(name) ?? this.#pass(way).compile(url);
      compiled.set(name, known);
      return known;
    };
    return (given, text) => {
      // No schema of Assay's own depends on digits that a double does not hold.
      const isRead = this.#isForeign && text !== undefined;
      const found = isRead ? exactBodyOf(text, given, this.#statedDigits()) : undefined;
      const exact = found === 'too much' ? undefined : found;
      const isExact = exact !== undefined;
      const value = isExact ? exact.value : given;
      const deciding = isExact ? by({ errors: 'first', isExact }) : decide;
      const errors = deciding(value, exact?.numbers);
      if (errors === undefined) return UNKNOWN_SCHEMA_FAULTS;
      if (errors.length === 0) return NO_SCHEMA_FAULTS;
      // By doubles, numbers that differ may be alike.
      if (found === 'too much') return UNKNOWN_SCHEMA_FAULTS;
      return explain(errors, value, {
        errorsOf: (part) => by({ errors: 'all', isExact })(part, exact?.numbers),
        usesPositions: isExact || this.#hasPositions(),
      });
    };
  }

  #pass(way: Way): SchemaPass {
    const name = nameOf(way);
    let pass = this.#passes.get(name);
    if (pass === undefined) {
      pass = new SchemaPass({ isForeign: this.#isForeign, ...way });
      for (const document of this.#documents) pass.add(document);
      this.#passes.set(name, pass);
    }
    return pass;
  }

  #statedDigits(): StatedDigits {
    const stated = this.#documents.map(({ statedDigits }) => statedDigits);
    if (stated.includes('fractions')) return 'fractions';
    return stated.includes('whole') ? 'whole' : 'none';
  }

  #hasPositions(): boolean {
    this.#usesPositions ??= this.#documents.some(({ files }) =>
      [...files.values()].some((file) => hasMember(file, 'prefixItems')),
    );
    return this.#usesPositions;
  }
}

const DECIDING: Way = { errors: 'first', isExact: false };

function nameOf({ errors, isExact }: Way): string {
  return `${errors} ${String(isExact)}`;
}

function hasMember(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, name) || Object.values(value).some((inner) => hasMember(inner, name));
}
