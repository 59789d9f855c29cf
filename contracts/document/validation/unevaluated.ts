import type { ErrorObject, FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import { isObject, listOf, pointerStep } from '../../wire/json.ts';
import { patternOf } from '../../patterns/pattern.ts';
import type { SchemaNode } from '../schema-graph.ts';

/** What the keywords need to know of the schemas around them. */
export interface SchemaLookup {
  /** The node of a schema, by the object that states it. */
  readonly nodeOf: (schema: object) => SchemaNode | undefined;
  /** What validates by a schema. */
  readonly validatorOf: (node: SchemaNode) => Validator;
  /** How a step of an instance path is written. */
  readonly step: (key: string | number) => string;
}

/** Has the path of the object or list of which an error's value is a part that no schema evaluates. */
const LEFT: unique symbol = Symbol('left unevaluated');

/** The path of the value of which an error says that something in it is not evaluated; else undefined. */
export function holderOfUnevaluated(error: ErrorObject): string | undefined {
  if (error.keyword.startsWith('unevaluated')) return error.instancePath.replace(/\/[^/]*$/, '');
  return (error as { readonly [LEFT]?: string })[LEFT];
}

interface Validator {
  (value: unknown, context?: DataValidationCxt): unknown;
  errors?: ErrorObject[] | null;
}

/** Whether a value satisfies a schema. */
type Holds = (node: SchemaNode, value: unknown, context: DataValidationCxt | undefined) => boolean;

/** Names or indices that some schema has evaluated; `all` for each of them. */
type Evaluated = Set<string> | 'all';

/** Reads what one keyword-bearing schema evaluates by itself, without the schemas in place in it. */
type OwnReading = (
  node: SchemaNode,
  value: object,
  holdsAt: (node: SchemaNode, index: number) => boolean,
) => Iterable<string> | 'all';

/**
 * `unevaluatedProperties` and `unevaluatedItems` (JSON Schema 2020-12 core, section 11), by following the
 * schemas that apply in place. A branch of `anyOf`, `oneOf` or `if` counts if the value satisfies it.
 */
export function unevaluatedKeywords(lookup: SchemaLookup): FuncKeywordDefinition[] {
  const holds = rememberedOf(lookup);
  return [
    unevaluated({ ...lookup, holds }, 'unevaluatedProperties', 'object', ownNames),
    unevaluated({ ...lookup, holds }, 'unevaluatedItems', 'array', ownItems),
  ];
}

/**
 * Remembers of each object and list which schemas it satisfies: the branches of a choice are tried by ajv
 * and by the keyword, at each level of a schema that refers to itself, which would double at each.
 */
function rememberedOf({ validatorOf }: SchemaLookup): Holds {
  const known = new WeakMap<object, Map<SchemaNode, boolean>>();
  return (node, value, context) => {
    const isMade = typeof value === 'object' && value !== null;
    const ofValue = isMade ? (known.get(value) ?? new Map<SchemaNode, boolean>()) : undefined;
    const before = ofValue?.get(node);
    if (before !== undefined) return before;
    const holds = validatorOf(node)(value, context) === true;
    ofValue?.set(node, holds);
    if (isMade && ofValue !== undefined) known.set(value, ofValue);
    return holds;
  };
}

type Lookup = SchemaLookup & { readonly holds: Holds };

function unevaluated(
  lookup: Lookup,
  keyword: 'unevaluatedProperties' | 'unevaluatedItems',
  type: 'object' | 'array',
  own: OwnReading,
): FuncKeywordDefinition {
  return {
    keyword,
    type,
    schemaType: ['boolean', 'object'],
    compile: (schema: unknown, parentSchema) => {
      const node = lookup.nodeOf(parentSchema);
      if (schema === true || node === undefined) return () => true;
      const inner = node.edges.find((edge) => edge.keyword === keyword)?.to;
      const validate: SchemaValidateFunction = (value: object, context?: DataValidationCxt) => {
        const known = evaluatedBy(lookup, node, value, { own, keyword, context });
        if (known === 'all') return true;
        const errors: (Partial<ErrorObject> & { readonly [LEFT]?: string })[] = [];
        for (const [key, item] of Object.entries(value)) {
          if (known.has(key)) continue;
          const path =
            (context?.instancePath ?? '') + lookup.step(type === 'array' ? Number(key) : key);
          const params = { [type === 'array' ? 'unevaluatedItem' : 'unevaluatedProperty']: key };
          if (schema === false) {
            const message = 'must NOT have what no schema evaluates';
            errors.push({
              keyword,
              instancePath: path,
              params,
              message,
              parentSchema: node.schema,
            });
          } else if (inner !== undefined) {
            const validator = lookup.validatorOf(inner);
            if (validator(item, contextOf(path, value, key)) !== true) {
              const holder = context?.instancePath ?? '';
              for (const error of validator.errors ?? []) errors.push({ ...error, [LEFT]: holder });
            }
          }
        }
        validate.errors = errors;
        return errors.length === 0;
      };
      return validate;
    },
  };
}

/** How the schemas at one place are read. */
interface Reading {
  readonly own: OwnReading;
  readonly keyword: string;
  /** Where the value stands. */
  readonly context: DataValidationCxt | undefined;
}

function contextOf(path: string, parent: object, key: string | number): DataValidationCxt {
  const at = { instancePath: path, parentData: parent, parentDataProperty: key };
  return { ...at, rootData: parent, dynamicAnchors: {} };
}

/** What the schema and those in place in it evaluate, without the keyword of the schema itself. */
function evaluatedBy(
  lookup: Lookup,
  start: SchemaNode,
  value: object,
  { own, keyword, context }: Reading,
): Evaluated {
  const known = new Set<string>();
  const seen = new Set<SchemaNode>();
  const holds = (node: SchemaNode): boolean => lookup.holds(node, value, context);
  const holdsAt = (node: SchemaNode, index: number): boolean => {
    const path = (context?.instancePath ?? '') + lookup.step(index);
    return lookup.holds(node, (value as readonly unknown[])[index], contextOf(path, value, index));
  };

  /** Whether all is evaluated. */
  function visit(node: SchemaNode): boolean {
    if (seen.has(node)) return false;
    seen.add(node);
    if (node !== start && isGiven(node.schema, keyword)) return true;
    const names = own(node, value, holdsAt);
    if (names === 'all') return true;
    for (const name of names) known.add(name);
    const isIf = ifOf(node, holds);
    return node.edges.some(({ to, keyword: by, isInPlace }) => {
      if (!isInPlace || by === 'not') return false;
      if ((by === 'anyOf' || by === 'oneOf') && !holds(to)) return false;
      if ((by === 'if' || by === 'then') && isIf !== true) return false;
      if (by === 'else' && isIf !== false) return false;
      const isThere = !Array.isArray(value) && Object.hasOwn(value, to.place.pointer.at(-1) ?? '');
      if (by.startsWith('depend') && !isThere) return false;
      return visit(to);
    });
  }
  return visit(start) ? 'all' : known;
}

/** Whether the value satisfies the `if` of a schema; undefined without one: `then` and `else` are ignored. */
function ifOf(
  { schema, edges }: SchemaNode,
  holds: (node: SchemaNode) => boolean,
): boolean | undefined {
  if (typeof schema.if === 'boolean') return schema.if;
  const condition = edges.find(({ keyword }) => keyword === 'if');
  return condition === undefined ? undefined : holds(condition.to);
}

function isGiven(schema: Readonly<Record<string, unknown>>, keyword: string): boolean {
  return schema[keyword] !== undefined;
}

function ownNames({ schema }: SchemaNode, value: object): Iterable<string> | 'all' {
  if (isGiven(schema, 'additionalProperties')) return 'all';
  const { properties, patternProperties } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  if (!isObject(patternProperties)) return names;
  const tests = Object.keys(patternProperties).flatMap((source) => {
    const pattern = patternOf(source);
    return pattern.kind === 'supported' ? [pattern.test] : [];
  });
  return [...names, ...Object.keys(value).filter((name) => tests.some((test) => test(name)))];
}

function ownItems(
  { schema, edges }: SchemaNode,
  items: object,
  holdsAt: Parameters<OwnReading>[2],
): Iterable<string> | 'all' {
  if (isGiven(schema, 'items') || schema.contains === true) return 'all';
  const indices = listOf(schema.prefixItems).map((_, index) => String(index));
  const contains = edges.find(({ keyword }) => keyword === 'contains')?.to;
  if (contains === undefined) return indices;
  const matching = [...(items as readonly unknown[]).keys()].filter((index) =>
    holdsAt(contains, index),
  );
  return [...indices, ...matching.map(String)];
}

/** A step of a path as {@link SchemaLookup} takes it: of a JSON pointer, or as a script writes it. */
export const STEPS: Readonly<Record<'pointer' | 'script', SchemaLookup['step']>> = {
  pointer: pointerStep,
  script: (key) => (typeof key === 'number' ? `[${key}]` : `['${key}']`),
};
