import type { OpenApiDocument } from './openapi-files.ts';
import { answerUrlsOf, requestUrlsOf, type StatedOperation } from './openapi-operations.ts';
import { isObject, type JsonObject, listOf } from '../../wire/json.ts';
import { inDoubt, isTurned } from '../required-in-doubt.ts';
import { schemaGraph, type SchemaNode, spread } from '../schema-graph.ts';
import { urlOf } from './openapi-place.ts';
import type { Branch } from './choices.ts';
import { partInlineTargets } from './inline-targets.ts';
import { isPart, ReleaseFinder, requiredBy } from './releases.ts';

/** A document as requests are judged by it, and as answers are. */
export interface Directions {
  readonly requests: Direction;
  readonly answers: Direction;
}

/** A document as bodies that go one way are judged by it. */
export interface Direction {
  readonly document: OpenApiDocument;
  /**
   * The one that has the last word on what `document` refuses: a body may have the members that
   * `document` does not require, and a choice between schemas may depend on them. Made when first asked
   * for; undefined where it would say the same.
   */
  readonly inDoubt?: (() => OpenApiDocument) | undefined;
}

/**
 * Requests need no member that is `readOnly`, and answers none that is `writeOnly`, though `required`
 * lists it (OpenAPI 3.0.3, section 4.7.24.2). Both are the document itself if it has neither.
 *
 * @throws ContractError when too many schemas with such members are made of one another
 */
export function directionsOf(
  given: OpenApiDocument,
  operations: readonly StatedOperation[],
): Directions {
  if (!given.hasDirections) {
    const both = { document: given };
    return { requests: both, answers: both };
  }
  const [requestUrls, answerUrls] = [
    operations.flatMap(requestUrlsOf),
    operations.flatMap(answerUrlsOf),
  ];
  const document = { ...given, files: structuredClone(given.files) };
  partInlineTargets(document, [...requestUrls, ...answerUrls]);
  const without = (word: string, urls: readonly string[]): Direction => {
    const copy = { ...document, files: structuredClone(document.files) };
    const { isInDoubt, branches } = release(copy, urls, word);
    if (!isInDoubt) return { document: copy };
    return {
      document: copy,
      inDoubt: () => inDoubt(copy, strictOf(document, urls, branches), urls),
    };
  };
  return {
    requests: without('readOnly', requestUrls),
    answers: without('writeOnly', answerUrls),
  };
}

interface Released {
  /** Whether something is refused only because a schema in it requires less. */
  readonly isInDoubt: boolean;
  /** What was added to each of all schemas, by their places in the graph. */
  readonly branches: ReadonlyMap<number, readonly JsonObject[]>;
}

function release(document: OpenApiDocument, urls: readonly string[], word: string): Released {
  const nodes = schemaGraph(document, urls);
  const isMarked = ({ schema }: SchemaNode): boolean => schema[word] === true;
  const marked = spread(nodes, nodes.filter(isMarked), isPart);
  // Generators see it without following references.
  for (const { schema } of marked) schema[word] = true;
  const releases = new ReleaseFinder(nodes, marked, document.source);
  const looser = new Set<SchemaNode>();
  const branches = new Map<number, readonly JsonObject[]>();
  const required = nodes.map((node, at) => {
    const { always, bySome } = releases.of(node);
    const names = releases.namesFor(node).filter((name) => !always.has(name));
    const kept = names.filter((name) => !bySome.has(name));
    if (requiredBy(node).some((name) => !kept.includes(name))) looser.add(node);
    const added = names.flatMap((name) => {
      const those = bySome.get(name);
      return those === undefined ? [] : [unlessTaken(name, [...those])];
    });
    if (added.length > 0) branches.set(at, added);
    return kept;
  });
  for (const [at, { schema }] of nodes.entries()) {
    const names = required[at] ?? [];
    if (names.length > 0 || schema.required !== undefined) schema.required = names;
  }
  add(nodes, branches);
  return { isInDoubt: isTurned(nodes, looser), branches };
}

/** The document with what was added to the one that requires less: so the two have the same schemas. */
function strictOf(
  document: OpenApiDocument,
  urls: readonly string[],
  branches: Released['branches'],
): OpenApiDocument {
  const copy = { ...document, files: structuredClone(document.files) };
  add(schemaGraph(copy, urls), branches);
  return copy;
}

function add(nodes: readonly SchemaNode[], branches: Released['branches']): void {
  for (const [at, added] of branches) {
    const schema = nodes[at]?.schema;
    if (schema !== undefined) schema.allOf = [...listOf(schema.allOf), ...structuredClone(added)];
  }
}

/** That a member is required of a value that takes none of some branches. */
function unlessTaken(name: string, branches: readonly (readonly Branch[])[]): JsonObject {
  const taken = branches.map((chain) => ({ allOf: chain.map(taking) }));
  return { if: { not: { anyOf: taken } }, then: { required: [name] } };
}

/** What accepts the values that take a branch. */
function taking({ holder: { place, schema }, edge: { keyword, to } }: Branch): JsonObject {
  const own = { $ref: urlOf(to.place) };
  const name = to.place.pointer.at(-1) ?? '';
  if (keyword === 'dependentSchemas' || keyword === 'dependencies') {
    return { required: [name], allOf: [own] };
  }
  if (keyword !== 'then' && keyword !== 'else') return own;
  const held = isObject(schema.if)
    ? { $ref: urlOf({ ...place, pointer: [...place.pointer, 'if'] }) }
    : (schema.if ?? true);
  return { allOf: [keyword === 'then' ? held : { not: held }, own] };
}
