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

interface Validator {
  (value: unknown, context?: DataValidationCxt): unknown;
  errors?: ErrorObject[] | null;
}

/** Names or indices that some schema has evaluated; `all` for each of them. */
type Evaluated = Set<string> | 'all';

/** Reads what one keyword-bearing schema evaluates by itself, without the schemas in place in it. */
type OwnReading = (node: SchemaNode, value: object) => Iterable<string> | 'all';

/**
 * `unevaluatedProperties` and `unevaluatedItems` (JSON Schema 2020-12 core, section 11), by following the
 * schemas that apply in place. A branch of `anyOf`, `oneOf` or `if` counts if the value satisfies it.
 */
export function unevaluatedKeywords(lookup: SchemaLookup): FuncKeywordDefinition[] {
  return [
    unevaluated(lookup, 'unevaluatedProperties', 'object', ownNames),
    unevaluated(lookup, 'unevaluatedItems', 'array', (node, value) =>
      ownItems(lookup, node, value as readonly unknown[]),
    ),
  ];
}

function unevaluated(
  lookup: SchemaLookup,
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
        const known = evaluatedBy(lookup, node, value, { own, keyword });
        if (known === 'all') return true;
        const errors: Partial<ErrorObject>[] = [];
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
            const at = { instancePath: path, parentData: value, parentDataProperty: key };
            if (validator(item, { ...at, rootData: value, dynamicAnchors: {} }) !== true) {
              errors.push(...(validator.errors ?? []));
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

/** What the schema and those in place in it evaluate, without the keyword of the schema itself. */
function evaluatedBy(
  lookup: SchemaLookup,
  start: SchemaNode,
  value: object,
  { own, keyword }: { readonly own: OwnReading; readonly keyword: string },
): Evaluated {
  const known = new Set<string>();
  const seen = new Set<SchemaNode>();
  const holds = (node: SchemaNode): boolean => lookup.validatorOf(node)(value) === true;

  /** Whether all is evaluated. */
  function visit(node: SchemaNode): boolean {
    if (seen.has(node)) return false;
    seen.add(node);
    if (node !== start && isGiven(node.schema, keyword)) return true;
    const names = own(node, value);
    if (names === 'all') return true;
    for (const name of names) known.add(name);
    const isIf = ifOf(node, holds);
    return node.edges.some(({ to, keyword: by, isInPlace }) => {
      if (!isInPlace || by === 'not') return false;
      if ((by === 'anyOf' || by === 'oneOf') && !holds(to)) return false;
      if ((by === 'if' || by === 'then') && !isIf) return false;
      if (by === 'else' && isIf) return false;
      if (by.startsWith('depend') && !Object.hasOwn(value, to.place.pointer.at(-1) ?? ''))
        return false;
      return visit(to);
    });
  }
  return visit(start) ? 'all' : known;
}

/** Whether the value satisfies the `if` of a schema; without one it has no `then` either. */
function ifOf({ schema, edges }: SchemaNode, holds: (node: SchemaNode) => boolean): boolean {
  if (typeof schema.if === 'boolean') return schema.if;
  const condition = edges.find(({ keyword }) => keyword === 'if');
  return condition !== undefined && holds(condition.to);
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
  { validatorOf }: SchemaLookup,
  { schema, edges }: SchemaNode,
  items: readonly unknown[],
): Iterable<string> | 'all' {
  if (isGiven(schema, 'items') || schema.contains === true) return 'all';
  const indices = listOf(schema.prefixItems).map((_, index) => String(index));
  const contains = edges.find(({ keyword }) => keyword === 'contains')?.to;
  if (contains === undefined) return indices;
  const validator = validatorOf(contains);
  const matching = [...items.keys()].filter((index) => validator(items[index]) === true);
  return [...indices, ...matching.map(String)];
}

/** A step of a path as {@link SchemaLookup} takes it: of a JSON pointer, or as a script writes it. */
export const STEPS: Readonly<Record<'pointer' | 'script', SchemaLookup['step']>> = {
  pointer: pointerStep,
  script: (key) => (typeof key === 'number' ? `[${key}]` : `['${key}']`),
};
