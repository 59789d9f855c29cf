import { ContractError } from '../contract-error.ts';
import type { OpenApiDocument } from './openapi-files.ts';
import { answerUrlsOf, requestUrlsOf, type StatedOperation } from './openapi-operations.ts';
import { listOf } from '../../wire/json.ts';
import { type SchemaEdge, schemaGraph, type SchemaNode } from '../schema-graph.ts';
import { loosenAround } from '../schema-loosening.ts';

/** A document as requests are judged by it, and as answers are. */
export interface Directions {
  readonly requests: OpenApiDocument;
  readonly answers: OpenApiDocument;
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
  if (!document.hasDirections) return { requests: document, answers: document };
  const without = (word: string, urls: readonly string[]): OpenApiDocument => {
    const copy = { ...document, files: structuredClone(document.files) };
    release(copy, urls, word);
    return copy;
  };
  return {
    requests: without('readOnly', operations.flatMap(requestUrlsOf)),
    answers: without('writeOnly', operations.flatMap(answerUrlsOf)),
  };
}

/** Looking for members takes no more steps. */
const MAX_STEPS = 5_000_000;

type Names = ReadonlySet<string>;

function release(document: OpenApiDocument, urls: readonly string[], word: string): void {
  const nodes = schemaGraph(document, urls);
  const marked = markedIn(nodes, word);
  // Generators see it without following references.
  for (const { schema } of marked) schema[word] = true;
  const reach = new Reach(document.source);
  const released = releasedIn(nodes, marked, reach);
  if (released.size === 0) return;
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
  loosenAround(document, nodes, looser, new Set());
}

/** Schemas that have the mark, themselves or by those that they are made of. */
function markedIn(nodes: readonly SchemaNode[], word: string): ReadonlySet<SchemaNode> {
  const holders = new Map<SchemaNode, SchemaNode[]>();
  for (const node of nodes) {
    for (const edge of node.edges) {
      if (!isPart(edge)) continue;
      const known = holders.get(edge.to);
      if (known === undefined) holders.set(edge.to, [node]);
      else known.push(node);
    }
  }
  const marked = new Set(nodes.filter(({ schema }) => schema[word] === true));
  // More come while the first ones are looked at.
  for (const node of marked) for (const holder of holders.get(node) ?? []) marked.add(holder);
  return marked;
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
    const marks = together.flatMap((part) => membersOf(part, marked));
    const names = new Set(marks.filter((name) => required.has(name)));
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

function membersOf({ edges }: SchemaNode, marked: ReadonlySet<SchemaNode>): string[] {
  return edges
    .filter(({ keyword, to }) => keyword === 'properties' && marked.has(to))
    .map(({ to }) => to.place.pointer.at(-1) ?? '');
}
