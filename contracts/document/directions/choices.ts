/** Schemas of which a value takes one or another. */

import { isDeepStrictEqual } from 'node:util';
import type { SchemaEdge, SchemaNode } from '../schema-graph.ts';

/** A schema in another one, and the one that holds it. */
export interface Branch {
  readonly holder: SchemaNode;
  readonly edge: SchemaEdge;
}

const CONDITIONAL: readonly string[] = ['then', 'else'];
/** Keywords of which a value takes one branch or several; of those in one list, one does for the others. */
const CHOICES: readonly (readonly string[])[] = [['oneOf'], ['anyOf'], CONDITIONAL];
/** Keywords whose branches are taken each by itself. */
const ALONE: readonly string[] = ['dependentSchemas', 'dependencies'];

/**
 * Whether a schema says what one in it says of every value that has members: as of what is `nullable` in
 * OpenAPI 3.0, which is written so.
 */
export function isTogether({ schema }: SchemaNode, { keyword }: SchemaEdge): boolean {
  if (keyword === '$ref' || keyword === 'allOf') return true;
  return keyword === 'else' && isDeepStrictEqual(schema.if, { type: 'null' });
}

/** The choices of a schema, each with its branches. */
export function choicesOf(node: SchemaNode): SchemaEdge[][] {
  const edges = node.edges.filter((edge) => !isTogether(node, edge));
  const together = CHOICES.map((keywords) =>
    edges.filter((edge) => keywords.includes(edge.keyword)),
  );
  const alone = edges.filter(({ keyword }) => ALONE.includes(keyword)).map((edge) => [edge]);
  return [...together, ...alone].filter((choice) => choice.length > 0);
}

/** The choice of which a branch is one, or which depends on it as on an `if`; none of other schemas. */
export function choiceOf(holder: SchemaNode, edge: SchemaEdge): readonly SchemaEdge[] {
  const choices = choicesOf(holder);
  if (edge.keyword !== 'if') return choices.find((choice) => choice.includes(edge)) ?? [];
  return choices.flat().filter(({ keyword }) => CONDITIONAL.includes(keyword));
}
