import type { JsonObject } from '../../../wire/json.ts';
import { isObject, listOf, member, pointerStep } from '../../../wire/json.ts';
import type { Broken } from '../../../judging/rule.ts';
import type { DocumentedOperation, Shape } from '../shared/documented-shapes.ts';
import { DOCUMENTED, DOCUMENTED_ERROR, POOL_PARAMETERS } from '../shared/documented-shapes.ts';
import type { PublishedOperation } from './published-operations.ts';
import { objectOf, operationsAt, parametersOf } from './published-operations.ts';
import { SchemaReader, TooManyParts } from './published-schemas.ts';

/** What a published contract states differently than the document; nothing of one that is silent. */
export interface Statements {
  readonly types: readonly Broken[];
  readonly numbers: readonly Broken[];
  readonly required: readonly Broken[];
  /** How many types, numbers and lists of required fields it states at all. */
  readonly stated: Readonly<Record<'types' | 'numbers' | 'required', number>>;
}

const known = new WeakMap<JsonObject, Statements | 'too much'>();

/** Compares a published contract with the document; undefined if it is too much to look at. */
export function statementsOf(document: JsonObject): Statements | undefined {
  let found = known.get(document);
  if (found === undefined) {
    try {
      found = new Comparison(document).all();
    } catch (error) {
      if (!(error instanceof TooManyParts)) throw error;
      found = 'too much';
    }
    known.set(document, found);
  }
  return found === 'too much' ? undefined : found;
}

/** `sent` must be admitted as a whole; of what is `got`, a contract may know that it is less. */
type Direction = 'sent' | 'got';

const MAXIMUM = 200;
const DEFAULT = 50;

class Comparison {
  readonly #document: JsonObject;
  readonly #schemas: SchemaReader;
  readonly #types: Broken[] = [];
  readonly #numbers: Broken[] = [];
  readonly #required: Broken[] = [];
  readonly #stated = { types: 0, numbers: 0, required: 0 };

  constructor(document: JsonObject) {
    this.#document = document;
    this.#schemas = new SchemaReader(document);
  }

  all(): Statements {
    for (const documented of DOCUMENTED) {
      for (const published of operationsAt(this.#document, documented)) {
        this.#operation(documented, published);
      }
    }
    const [types, numbers, required] = [this.#types, this.#numbers, this.#required].map(distinct);
    const stated = this.#stated;
    return { types: types ?? [], numbers: numbers ?? [], required: required ?? [], stated };
  }

  #operation(documented: DocumentedOperation, published: PublishedOperation): void {
    const { request, response } = documented;
    const { operation, place } = published;
    if (request !== undefined) {
      const body = this.#bodyOf(published);
      const at = `${place}/requestBody`;
      this.#compare([body], request, 'sent', at);
      this.#compareRequired(body, documented, at);
      this.#compareDefault(this.#schemas.membersOf(body, 'estimateGas'), `${at}/estimateGas`);
    }
    for (const [status, answer] of Object.entries(objectOf(operation.responses))) {
      const shape = /^2(?:\d\d|XX)$/.test(status) ? response : errorShape(status);
      if (shape === undefined) continue;
      const schema = this.#contentOf(this.#schemas.follow(answer) ?? {});
      this.#compare([schema], shape, 'got', `${place}/responses/${status}`);
    }
    if (documented.path === '/v1/pools') this.#compareParameters(published);
  }

  /** The schema of a JSON body; of OpenAPI 2.0 the one of the parameter in the body. */
  #bodyOf({ item, operation }: PublishedOperation): unknown {
    const body = this.#schemas.follow(operation.requestBody);
    if (body !== undefined) return this.#contentOf(body);
    const parameters = parametersOf(this.#document, item, operation);
    return member(
      parameters.find((one) => member(one, 'in') === 'body'),
      'schema',
    );
  }

  #contentOf({ content, schema }: JsonObject): unknown {
    const json = Object.entries(objectOf(content)).find(([type]) => /json|\*\/\*/i.test(type));
    return json === undefined ? schema : member(json[1], 'schema');
  }

  /** Whether any of the schemas, which are choices for one place, admits the shape. */
  #compare(schemas: readonly unknown[], shape: Shape, way: Direction, place: string): void {
    const types = schemas.map((schema) => this.#schemas.typesOf(schema));
    if (types.length === 0) return;
    const type = typeOfShape(shape);
    if (!types.includes(undefined)) {
      this.#stated.types += 1;
      if (!types.some((some) => some !== undefined && admits(some, type, way))) {
        const actual = [...new Set(types.flatMap((some) => [...(some ?? [])]))].join(' or ');
        this.#types.push({ pointer: place, expected: `the type ${type}`, actual });
        return;
      }
    }
    for (const [name, inner] of membersOfShape(shape)) {
      const members = schemas.flatMap((schema) => this.#schemas.membersOf(schema, name));
      this.#compare(members, inner, way, name === '[]' ? place : place + pointerStep(name));
    }
  }

  #compareRequired(
    body: unknown,
    { required = [], optional = [] }: DocumentedOperation,
    place: string,
  ): void {
    for (const { named, required: stated, saysRequired } of this.#schemas.fieldsOf(body)) {
      // Several requests may have one place; the one that is meant has its fields.
      if (!saysRequired || required.filter((name) => named.has(name)).length < 2) continue;
      if (named.has('srcChainId') && named.has('fromChain')) continue;
      this.#stated.required += 1;
      const [needed, spared] = ['a required field', 'an optional field'];
      for (const name of required.filter((one) => named.has(one) && !stated.has(one))) {
        this.#required.push({ pointer: `${place}/${name}`, expected: needed, actual: spared });
      }
      for (const name of optional.filter((one) => stated.has(one))) {
        this.#required.push({ pointer: `${place}/${name}`, expected: spared, actual: needed });
      }
    }
  }

  #compareParameters({ item, operation, place }: PublishedOperation): void {
    for (const parameter of parametersOf(this.#document, item, operation)) {
      const { name, schema } = objectOf(parameter);
      const shape = POOL_PARAMETERS[String(name)];
      if (!isObject(parameter) || parameter.in !== 'query' || shape === undefined) continue;
      const at = `${place}/parameters/${String(name)}`;
      this.#compare([schema ?? parameter], shape, 'sent', at);
      if (parameter.required !== undefined) this.#stated.required += 1;
      if (parameter.required === true) {
        const [expected, actual] = ['an optional parameter', 'a required one'];
        this.#required.push({ pointer: at, expected, actual });
      }
      if (name === 'limit') this.#compareLimit(this.#schemas.follow(schema ?? parameter) ?? {}, at);
    }
  }

  #compareLimit(schema: JsonObject, place: string): void {
    const { exclusiveMaximum, maximum: stated } = schema;
    const below = typeof exclusiveMaximum === 'number' ? exclusiveMaximum - 1 : undefined;
    const maximum = below ?? (exclusiveMaximum === true ? Number(stated) - 1 : stated);
    this.#compareNumber('maximum', MAXIMUM, maximum, place);
    this.#compareNumber('default', DEFAULT, schema.default, place);
  }

  #compareNumber(name: string, wanted: number, stated: unknown, place: string): void {
    if (stated === undefined || stated === null) return;
    this.#stated.numbers += 1;
    // A number as text is the same to who reads it.
    if (Number(stated) === wanted) return;
    const actual = JSON.stringify(stated).slice(0, 80);
    this.#numbers.push({ pointer: `${place}/${name}`, expected: String(wanted), actual });
  }

  /** Section 2.1: estimateGas is false by default. */
  #compareDefault(schemas: readonly unknown[], place: string): void {
    for (const schema of schemas) {
      const stated = this.#schemas.follow(schema)?.default;
      if (typeof stated !== 'boolean') continue;
      this.#stated.numbers += 1;
      if (!stated) continue;
      this.#numbers.push({ pointer: `${place}/default`, expected: 'false', actual: 'true' });
    }
  }
}

function errorShape(status: string): Shape | undefined {
  return /^[45](?:\d\d|XX)$/.test(status) ? DOCUMENTED_ERROR : undefined;
}

function typeOfShape(shape: Shape): string {
  if (typeof shape === 'string') return shape;
  return Array.isArray(shape) ? 'array' : 'object';
}

function membersOfShape(shape: Shape): readonly (readonly [string, Shape])[] {
  if (typeof shape === 'string') return [];
  if (Array.isArray(shape)) return listOf(shape).map((items) => ['[]', items as Shape] as const);
  return Object.entries(shape);
}

function admits(types: ReadonlySet<string>, wanted: string, way: Direction): boolean {
  if (types.has(wanted)) return true;
  if (wanted === 'integer') return types.has('number');
  return wanted === 'number' && way === 'got' && types.has('integer');
}

/** One path may stand for an endpoint of both APIs. */
function distinct(broken: readonly Broken[]): readonly Broken[] {
  return [...new Map(broken.map((one) => [JSON.stringify(one), one])).values()];
}
