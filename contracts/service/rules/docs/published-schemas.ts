import type { JsonObject } from '../../../wire/json.ts';
import { isObject, listOf } from '../../../wire/json.ts';
import { followed, objectOf } from './published-operations.ts';

/**
 * At most this many parts of schemas are looked at for one contract; of one that has more nothing is
 * said.
 */
const MAX_PARTS = 50_000;
/** Schemas hold themselves, by way of references. */
const MAX_LEVELS = 12;

/** Thrown if a published contract is too much to look at. */
export class TooManyParts extends Error {
  override readonly name = 'TooManyParts';
}

/** What fields an object of a schema has, by one of the choices that the schema leaves. */
export interface Fields {
  readonly named: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  /** Whether the schema says at all what is required. */
  readonly saysRequired: boolean;
}

const NO_FIELDS: Fields = { named: new Set(), required: new Set(), saysRequired: false };

/** Looks into the schemas of a published contract, in bounded time. */
export class SchemaReader {
  readonly #document: JsonObject;
  #left = MAX_PARTS;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** The object itself or what its reference names; undefined if that is elsewhere. */
  follow(value: unknown): JsonObject | undefined {
    this.#left -= 1;
    if (this.#left < 0) throw new TooManyParts();
    return isObject(value) ? followed(this.#document, value) : undefined;
  }

  /** The JSON types that a schema admits; undefined if it does not say. */
  typesOf(schema: unknown, level: number = MAX_LEVELS): ReadonlySet<string> | undefined {
    const own = level > 0 ? this.follow(schema) : undefined;
    if (own === undefined) return undefined;
    const stated = statedTypes(own);
    const parts = listOf(own.allOf).map((part) => this.typesOf(part, level - 1));
    const choices = [own.anyOf, own.oneOf].filter(Array.isArray).map((list) => {
      const types = listOf(list).map((part) => this.typesOf(part, level - 1));
      if (types.length === 0 || types.includes(undefined)) return undefined;
      return new Set(types.flatMap((set) => [...(set ?? [])]));
    });
    return [stated, ...parts, ...choices].reduce((all, some) => {
      if (all === undefined || some === undefined) return all ?? some;
      return new Set([...all].filter((type) => isAmong(type, some)));
    }, undefined);
  }

  /**
   * The schemas that a schema has for a member, by whatever choice: of a property by its name, of all
   * other properties by `*`, of items by `[]`.
   */
  membersOf(schema: unknown, name: string, level: number = MAX_LEVELS): readonly unknown[] {
    const own = level > 0 ? this.follow(schema) : undefined;
    if (own === undefined) return [];
    const member =
      name === '[]'
        ? own.items
        : name === '*'
          ? own.additionalProperties
          : objectOf(own.properties)[name];
    const inner = [own.allOf, own.anyOf, own.oneOf].flatMap(listOf);
    return [
      ...(isObject(member) ? [member] : []),
      ...inner.flatMap((part) => this.membersOf(part, name, level - 1)),
    ];
  }

  /** The fields of an object, for each of the choices that a schema leaves. */
  fieldsOf(schema: unknown, level: number = MAX_LEVELS): readonly Fields[] {
    const own = level > 0 ? this.follow(schema) : undefined;
    if (own === undefined) return [NO_FIELDS];
    const first: Fields = {
      named: new Set(Object.keys(objectOf(own.properties))),
      required: new Set(listOf(own.required).filter((name) => typeof name === 'string')),
      saysRequired: Array.isArray(own.required),
    };
    let all: readonly Fields[] = [first];
    for (const part of listOf(own.allOf)) all = this.#crossed(all, this.fieldsOf(part, level - 1));
    for (const list of [own.anyOf, own.oneOf].filter(Array.isArray)) {
      const choices = listOf(list).flatMap((part) => this.fieldsOf(part, level - 1));
      all = this.#crossed(all, choices);
    }
    return all;
  }

  #crossed(some: readonly Fields[], others: readonly Fields[]): readonly Fields[] {
    this.#left -= some.length * others.length;
    if (this.#left < 0) throw new TooManyParts();
    return some.flatMap((one) =>
      others.map((other) => ({
        named: new Set([...one.named, ...other.named]),
        required: new Set([...one.required, ...other.required]),
        saysRequired: one.saysRequired || other.saysRequired,
      })),
    );
  }
}

function statedTypes(schema: JsonObject): ReadonlySet<string> | undefined {
  if (schema.type !== undefined) {
    const types = [schema.type].flat().filter((type) => typeof type === 'string');
    return types.length === 0 ? undefined : new Set(types);
  }
  if (schema.const !== undefined) return new Set([typeOf(schema.const)]);
  if (Array.isArray(schema.enum) && schema.enum.length > 0) {
    return new Set(listOf(schema.enum).map(typeOf));
  }
  return undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** Whether a type is among others, if whole numbers are numbers. */
function isAmong(type: string, types: ReadonlySet<string>): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}
