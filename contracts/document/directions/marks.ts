import { patternOf } from '../../patterns/pattern.ts';
import { objectOf } from '../openapi/openapi-place.ts';
import type { SchemaEdge, SchemaNode } from '../schema-graph.ts';

/** Keywords for members that no other one names; those that schemas beside it name are few. */
const ELSE: readonly string[] = ['additionalProperties', 'unevaluatedProperties'];

/**
 * Which of some names a schema marks as members.
 *
 * @param marked schemas of members that need not be there
 * @returns the names, and the steps that it took to find them
 */
export function marksOf(
  { edges, schema }: SchemaNode,
  marked: ReadonlySet<SchemaNode>,
  names: ReadonlySet<string>,
): { readonly found: readonly string[]; readonly steps: number } {
  const marks = edges.filter(({ to }) => marked.has(to));
  const nameOf = ({ to }: SchemaEdge): string => to.place.pointer.at(-1) ?? '';
  const stated = marks.filter(({ keyword }) => keyword === 'properties').map(nameOf);
  const patterns = marks.filter(({ keyword }) => keyword === 'patternProperties').map(nameOf);
  const isElse = marks.some(({ keyword }) => ELSE.includes(keyword));
  const found = stated.filter((name) => names.has(name));
  const steps = 1 + edges.length;
  if (patterns.length === 0 && !isElse) return { found, steps };
  const known = Object.keys(objectOf(schema.patternProperties));
  const others = [...names].filter(
    (name) =>
      patterns.some((pattern) => matches(pattern, name)) ||
      (isElse &&
        !Object.hasOwn(objectOf(schema.properties), name) &&
        !known.some((pattern) => matches(pattern, name))),
  );
  return { found: [...found, ...others], steps: steps + names.size * (1 + known.length) };
}

function matches(source: string, name: string): boolean {
  const pattern = patternOf(source);
  return pattern.kind === 'supported' && pattern.test(name);
}
