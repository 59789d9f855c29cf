import { isObject, listOf } from '../wire/json.ts';
import type { OpenApiDocument } from './openapi/openapi-files.ts';
import { patternOf } from '../patterns/pattern.ts';
import type { SchemaNode } from './schema-graph.ts';
import { shown } from './schema-graph.ts';

/** More notices of one contract are only counted. */
const MAX_NOTICES = 10;
const SHOWN_CHARACTERS = 80;

/**
 * Takes patterns out of schemas that cannot be run in linear time, and with them whatever would be
 * judged wrongly without them: what is left allows at least all that the schemas allow.
 *
 * @returns a sentence on each
 */
export function dropUnsupportedPatterns(
  { source }: OpenApiDocument,
  nodes: readonly SchemaNode[],
): string[] {
  const places: string[] = [];
  const looser = new Set<SchemaNode>();
  for (const node of nodes) {
    for (const [pattern, reason] of droppedOf(node)) {
      looser.add(node);
      const text = JSON.stringify(pattern.slice(0, SHOWN_CHARACTERS));
      places.push(
        `The pattern ${text} at ${shown(node.place)} of the contract ${source} is not checked: it ${reason}, and only patterns that take linear time are run.`,
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
        `${more} more patterns of the contract ${source} are not checked.`,
      ];
}

function droppedOf({ schema }: SchemaNode): [pattern: string, reason: string][] {
  const dropped: [string, string][] = [];
  const { pattern, patternProperties } = schema;
  if (typeof pattern === 'string') {
    const found = patternOf(pattern);
    if (found.kind === 'unsupported') {
      dropped.push([pattern, found.reason]);
      Reflect.deleteProperty(schema, 'pattern');
    }
  }
  if (!isObject(patternProperties)) return dropped;
  for (const name of Object.keys(patternProperties)) {
    const found = patternOf(name);
    if (found.kind !== 'unsupported') continue;
    dropped.push([name, found.reason]);
    Reflect.deleteProperty(patternProperties, name);
    // Which members are the other ones is not known any more.
    Reflect.deleteProperty(schema, 'additionalProperties');
    Reflect.deleteProperty(schema, 'unevaluatedProperties');
  }
  return dropped;
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
  const keywords = new Set(edges.filter(({ to }) => looser.has(to)).map(({ keyword }) => keyword));
  const drop = (...names: string[]): void => {
    for (const name of names) Reflect.deleteProperty(schema, name);
  };
  if (keywords.has('not')) drop('not');
  if (keywords.has('if')) drop('if', 'then', 'else');
  if (keywords.has('contains')) drop('maxContains');
  if (keywords.has('oneOf')) {
    schema.allOf = [...listOf(schema.allOf), { anyOf: schema.oneOf }];
    drop('oneOf');
  }
}
