import { ContractError } from '../contract-error.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import { answerUrlsOf, requestUrlsOf, type StatedOperation } from './openapi-operations.ts';
import { listOf } from '../../wire/json.ts';
import { patternOf } from '../../patterns/pattern.ts';
import { inDoubt, isTurned } from '../required-in-doubt.ts';
import { type SchemaEdge, schemaGraph, type SchemaNode, spread } from '../schema-graph.ts';
import { objectOf } from './openapi-place.ts';

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
  document: OpenApiDocument,
  operations: readonly StatedOperation[],
): Directions {
  if (!document.hasDirections) {
    const both = { document };
    return { requests: both, answers: both };
  }
  const without = (word: string, urls: readonly string[]): Direction => {
    const copy = { ...document, files: structuredClone(document.files) };
    if (!release(copy, urls, word)) return { document: copy };
    return { document: copy, inDoubt: () => inDoubt(copy, document, urls) };
  };
  return {
    requests: without('readOnly', operations.flatMap(requestUrlsOf)),
    answers: without('writeOnly', operations.flatMap(answerUrlsOf)),
  };
}

/** Looking for members takes no more steps. */
const MAX_STEPS = 5_000_000;

type Names = ReadonlySet<string>;

/** @returns whether something is refused only because a schema in it requires less */
function release(document: OpenApiDocument, urls: readonly string[], word: string): boolean {
  const nodes = schemaGraph(document, urls);
  const isMarked = ({ schema }: SchemaNode): boolean => schema[word] === true;
  const marked = spread(nodes, nodes.filter(isMarked), isPart);
  // Generators see it without following references.
  for (const { schema } of marked) schema[word] = true;
  const reach = new Reach(document.source);
  const released = releasedIn(nodes, marked, reach);
  const looser = new Set<SchemaNode>();
  const changed = nodes.map((node) => {
    const own = requiredBy(node);
    const kept = own.filter((name) => !released.get(node)?.has(name));
    if (kept.length < own.length) looser.add(node);
    return [node, new Set([...kept, ...stillRequired(node, released, reach)])] as const;
  });
  for (const [{ schema }, names] of changed) {
    if (names.size > 0 || schema.required !== undefined) schema.required = [...names];
  }
  return isTurned(nodes, looser);
}

/**
 * For each schema the names that it does not require: some schema around requires and marks them. A
 * schema that others share may be asked to require them by one and not by another.
 */
function releasedIn(
  nodes: readonly SchemaNode[],
  marked: ReadonlySet<SchemaNode>,
  reach: Reach,
): ReadonlyMap<SchemaNode, Names> {
  const released = new Map<SchemaNode, Set<string>>();
  for (const node of nodes) {
    const together = reach.from(node, isPart);
    const required = new Set(together.flatMap(requiredBy));
    const names = new Set(together.flatMap((part) => marksOf(part, marked, required, reach)));
    reach.spend(names.size * together.length);
    for (const part of names.size === 0 ? [] : together) {
      const known = released.get(part) ?? new Set();
      for (const name of names) known.add(name);
      released.set(part, known);
    }
  }
  return released;
}

/** Names that a schema has to require itself, since a shared one in it does so no longer. */
function stillRequired(
  node: SchemaNode,
  released: ReadonlyMap<SchemaNode, Names>,
  reach: Reach,
): string[] {
  return reach
    .from(node, ({ keyword }) => keyword === '$ref' || keyword === 'allOf')
    .flatMap((part) => requiredBy(part).filter((name) => released.get(part)?.has(name)))
    .filter((name) => !released.get(node)?.has(name));
}

/** Schemas that one is made of, with itself, in a bounded number of steps. */
class Reach {
  readonly #source: string;
  #steps = 0;

  constructor(source: string) {
    this.#source = source;
  }

  from(start: SchemaNode, isFollowed: (edge: SchemaEdge) => boolean): SchemaNode[] {
    const found = new Set([start]);
    // More come while the first ones are looked at.
    for (const { edges, schema } of found) {
      this.spend(1 + edges.length + listOf(schema.required).length);
      for (const edge of edges) if (isFollowed(edge)) found.add(edge.to);
    }
    return [...found];
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps <= MAX_STEPS) return;
    const problem = 'has too many schemas with readOnly or writeOnly that are made of one another.';
    throw new ContractError(this.#source, problem);
  }
}

/** Whether a schema says what another one says, for some values at least. */
function isPart({ isInPlace, keyword }: SchemaEdge): boolean {
  return isInPlace && keyword !== 'not' && keyword !== 'if';
}

function requiredBy({ schema }: SchemaNode): string[] {
  return listOf(schema.required).filter((name) => typeof name === 'string');
}

/** Which of some names a schema marks as members. */
function marksOf(
  { edges, schema }: SchemaNode,
  marked: ReadonlySet<SchemaNode>,
  names: Names,
  reach: Reach,
): string[] {
  const marks = edges.filter(({ to }) => marked.has(to));
  if (marks.length === 0) return [];
  const nameOf = ({ to }: SchemaEdge): string => to.place.pointer.at(-1) ?? '';
  const stated = marks.filter(({ keyword }) => keyword === 'properties').map(nameOf);
  const patterns = marks.filter(({ keyword }) => keyword === 'patternProperties').map(nameOf);
  const isElse = marks.some(({ keyword }) => keyword === 'additionalProperties');
  const found = stated.filter((name) => names.has(name));
  if (patterns.length === 0 && !isElse) return found;
  const known = Object.keys(objectOf(schema.patternProperties));
  reach.spend(names.size * (1 + known.length));
  const others = [...names].filter(
    (name) =>
      patterns.some((pattern) => matches(pattern, name)) ||
      (isElse &&
        !Object.hasOwn(objectOf(schema.properties), name) &&
        !known.some((pattern) => matches(pattern, name))),
  );
  return [...found, ...others];
}

function matches(source: string, name: string): boolean {
  const pattern = patternOf(source);
  return pattern.kind === 'supported' && pattern.test(name);
}
