import { isObject, listOf } from '../wire/json.ts';
import type { OpenApiDocument } from './openapi/openapi-files.ts';
import { patternOf } from '../patterns/pattern.ts';
import type { SchemaNode } from './schema-graph.ts';
import { shown } from './schema-graph.ts';

/** More notices of one contract are only counted. */
const MAX_NOTICES = 10;
const SHOWN_CHARACTERS = 80;

/**
 * Takes out of schemas patterns that cannot be run in linear time and references that depend on the way
 * to them, and with these whatever would be judged wrongly without them: what is left allows at least all
 * that the schemas allow.
 *
 * @returns a sentence on each
 */
export function dropUnsupported(
  { source }: OpenApiDocument,
  nodes: readonly SchemaNode[],
): string[] {
  const places: string[] = [];
  const looser = new Set<SchemaNode>();
  for (const node of nodes) {
    for (const { what, text, reason } of droppedOf(node)) {
      looser.add(node);
      const named = `${what} ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}`;
      places.push(
        `The ${named} at ${shown(node.place)} of the contract ${source} is not checked: it ${reason}.`,
      );
    }
  }
  if (looser.size === 0) return [];
  for (const node of spread(nodes, looser)) loosen(node, looser);
  const more = places.length - MAX_NOTICES;
  return more <= 0
    ? places
    : [
        ...places.slice(0, MAX_NOTICES),
        `${more} more patterns and references of the contract ${source} are not checked.`,
      ];
}

/** What was taken out of a schema. */
interface Dropped {
  readonly what: 'pattern' | 'reference';
  readonly text: string;
  /** Continues a sentence that begins with it. */
  readonly reason: string;
}

function droppedOf({ schema }: SchemaNode): Dropped[] {
  const dropped: Dropped[] = [];
  const { pattern, patternProperties, $dynamicRef } = schema;
  if (typeof pattern === 'string') {
    const found = unsupported(pattern);
    if (found !== undefined) {
      dropped.push(found);
      drop(schema, 'pattern');
    }
  }
  if (typeof $dynamicRef === 'string') {
    const reason = 'leads to another schema by each way to it';
    dropped.push({ what: 'reference', text: $dynamicRef, reason });
    drop(schema, '$dynamicRef', 'unevaluatedProperties', 'unevaluatedItems');
  }
  if (!isObject(patternProperties)) return dropped;
  for (const name of Object.keys(patternProperties)) {
    const found = unsupported(name);
    if (found === undefined) continue;
    dropped.push(found);
    Reflect.deleteProperty(patternProperties, name);
    // Which members are the other ones is not known any more.
    drop(schema, 'additionalProperties', 'unevaluatedProperties');
  }
  return dropped;
}

function unsupported(text: string): Dropped | undefined {
  const found = patternOf(text);
  if (found.kind !== 'unsupported') return undefined;
  const reason = `${found.reason}, and only patterns that take linear time are run`;
  return { what: 'pattern', text, reason };
}

function drop(schema: object, ...keywords: readonly string[]): void {
  for (const keyword of keywords) Reflect.deleteProperty(schema, keyword);
}

/** All schemas that are made of some. Those are added to the set. */
function spread(nodes: readonly SchemaNode[], some: Set<SchemaNode>): readonly SchemaNode[] {
  const holders = new Map<SchemaNode, SchemaNode[]>();
  for (const node of nodes) {
    for (const { to } of node.edges) {
      const known = holders.get(to);
      if (known === undefined) holders.set(to, [node]);
      else known.push(node);
    }
  }
  for (const node of some) for (const holder of holders.get(node) ?? []) some.add(holder);
  return [...some];
}

/** Takes out of a schema what a looser part makes stricter. */
function loosen({ schema, edges }: SchemaNode, looser: ReadonlySet<SchemaNode>): void {
  const loose = edges.filter(({ to }) => looser.has(to));
  const keywords = new Set(loose.map(({ keyword }) => keyword));
  if (keywords.has('not')) drop(schema, 'not');
  if (keywords.has('if')) drop(schema, 'if', 'then', 'else');
  if (keywords.has('contains')) drop(schema, 'maxContains', 'unevaluatedItems');
  // What such a part evaluates is not known any more.
  if (loose.some(({ isInPlace }) => isInPlace)) {
    drop(schema, 'unevaluatedProperties', 'unevaluatedItems');
  }
  if (keywords.has('oneOf')) {
    schema.allOf = [...listOf(schema.allOf), { anyOf: schema.oneOf }];
    drop(schema, 'oneOf');
  }
}
