import { listOf } from '../wire/json.ts';
import { MovedParts } from './openapi/moved-parts.ts';
import type { OpenApiDocument } from './openapi/openapi-files.ts';
import { urlOf } from './openapi/openapi-place.ts';
import { type SchemaEdge, type SchemaNode, spread } from './schema-graph.ts';

/**
 * Takes out of schemas what would be judged wrongly since some of them allow more than the document says.
 * What is left allows at least all that the document does.
 *
 * @param nodes all schemas of a graph
 * @param looser those that allow more
 * @param unevaluable those of which it is not known any more which members and items they evaluate
 */
export function loosenAround(
  { files }: OpenApiDocument,
  nodes: readonly SchemaNode[],
  looser: ReadonlySet<SchemaNode>,
  unevaluable: ReadonlySet<SchemaNode>,
): void {
  const moved = new MovedParts();
  const around = spread(nodes, looser);
  const unknown = [...around].filter((node) => loosen(node, around, moved));
  const isInPlace = (edge: SchemaEdge): boolean => edge.isInPlace;
  for (const { schema } of spread(nodes, [...unevaluable, ...unknown], isInPlace)) {
    drop(schema, 'unevaluatedProperties', 'unevaluatedItems');
  }
  for (const { schema, edges } of nodes) {
    const target = edges.find(({ keyword }) => keyword === '$ref')?.to;
    if (target !== undefined) schema.$ref = urlOf(moved.placeOf(files, target.place));
  }
}

/**
 * Takes out of a schema what a looser part makes stricter.
 *
 * @returns whether something went that evaluates members or items
 */
function loosen(
  { schema, edges }: SchemaNode,
  looser: ReadonlySet<SchemaNode>,
  moved: MovedParts,
): boolean {
  const keywords = new Set(edges.filter(({ to }) => looser.has(to)).map(({ keyword }) => keyword));
  if (keywords.has('not')) drop(schema, 'not');
  if (keywords.has('if')) drop(schema, 'if', 'then', 'else');
  if (keywords.has('contains')) drop(schema, 'maxContains');
  if (keywords.has('oneOf')) {
    const others = listOf(schema.allOf);
    schema.allOf = [...others, { anyOf: schema.oneOf }];
    drop(schema, 'oneOf');
    moved.note(schema, 'oneOf', ['allOf', String(others.length), 'anyOf']);
  }
  return keywords.has('if');
}

/** Takes keywords out of a schema. */
export function drop(schema: object, ...keywords: readonly string[]): void {
  for (const keyword of keywords) Reflect.deleteProperty(schema, keyword);
}
