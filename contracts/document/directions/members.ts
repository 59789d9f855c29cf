import { patternOf } from '../../patterns/pattern.ts';
import { objectOf } from '../openapi/openapi-place.ts';
import type { SchemaEdge, SchemaNode } from '../schema-graph.ts';

/** Keywords for members that no other one names; those that schemas beside it name are few. */
export const ELSE: readonly string[] = ['additionalProperties', 'unevaluatedProperties'];

/** Keywords that hold a schema for the same part of a value wherever they stand. */
const SAME: readonly string[] = ['properties', 'patternProperties', 'items', ...ELSE];

const BY_NAME = 'properties ';

/** The part of a value that a schema in another one is for; undefined where that depends on the value. */
export function memberOf({ keyword, to }: SchemaEdge): string | undefined {
  if (!SAME.includes(keyword)) return undefined;
  const isNamed = keyword === 'properties' || keyword === 'patternProperties';
  return isNamed ? `${keyword} ${to.place.pointer.at(-1) ?? ''}` : keyword;
}

/** What some schemas say of parts of a value, by {@link memberOf}. */
export interface SharedMembers {
  /** The schemas for each of which several say something. */
  readonly found: ReadonlyMap<string, readonly SchemaNode[]>;
  /** Parts of which something is said that others have to know. */
  readonly ofUse: ReadonlySet<string>;
  /** Steps that it took to find them. */
  readonly steps: number;
}

/**
 * The schemas for members and items that several of some schemas have.
 *
 * @param together schemas of which all say something of one value
 * @param isOfUse whether a schema says something of which others have to know
 */
export function sharedMembers(
  together: readonly SchemaNode[],
  isOfUse: (node: SchemaNode) => boolean,
): SharedMembers {
  const all = new Map<string, Set<SchemaNode>>();
  let steps = 0;
  for (const { edges } of together) {
    steps += 1 + edges.length;
    for (const edge of edges) {
      const key = memberOf(edge);
      if (key !== undefined) all.set(key, (all.get(key) ?? new Set()).add(edge.to));
    }
  }
  const open = together.filter(({ edges }) => edges.some(({ keyword }) => OPEN.includes(keyword)));
  for (const [key, schemas] of all) {
    const name = nameOf(key);
    if (name === undefined) continue;
    steps += open.length;
    for (const node of open) for (const { to } of ofOthers(node, name)) schemas.add(to);
  }
  const useful = [...all].filter(([, schemas]) => [...schemas].some(isOfUse));
  const shared = useful.filter(([, schemas]) => schemas.size > 1);
  const found = new Map(shared.map(([key, schemas]) => [key, [...schemas]]));
  return { found, ofUse: new Set(useful.map(([key]) => key)), steps };
}

/** Keywords that hold for members which they do not name. */
const OPEN: readonly string[] = ['patternProperties', ...ELSE];

/** The name of a member of which only schemas by its name are told. */
function nameOf(key: string): string | undefined {
  return key.startsWith(BY_NAME) ? key.slice(BY_NAME.length) : undefined;
}

/** What a schema says of a member otherwise than by its name: what patterns do, and else of all others. */
function ofOthers({ schema, edges }: SchemaNode, name: string): readonly SchemaEdge[] {
  const patterns = Object.keys(objectOf(schema.patternProperties));
  const matched = patterns.filter((one) => matches(one, name));
  if (matched.length > 0) {
    return edges.filter(
      ({ keyword, to }) =>
        keyword === 'patternProperties' && matched.includes(to.place.pointer.at(-1) ?? ''),
    );
  }
  const isStated = Object.hasOwn(objectOf(schema.properties), name);
  return isStated ? [] : edges.filter(({ keyword }) => ELSE.includes(keyword));
}

/** Whether a pattern of names, as far as it can be run, matches one. */
export function matches(source: string, name: string): boolean {
  const pattern = patternOf(source);
  return pattern.kind === 'supported' && pattern.test(name);
}
