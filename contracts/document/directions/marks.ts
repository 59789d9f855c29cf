import { objectOf } from '../openapi/openapi-place.ts';
import { type SchemaEdge, type SchemaNode, spread } from '../schema-graph.ts';
import { type Branch, type Chain, choicesOf, isTogether } from './choices.ts';
import { ELSE, matches } from './members.ts';
import { isPart, type SchemaParts } from './parts.ts';

/**
 * Which of some names a schema marks as members.
 *
 * @param marked schemas of members that need not be there
 * @returns the names, and the steps that it took to find them
 */
function marksOf(
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

/** Branches of choices, and what the last of them marks. */
export interface MarkingChain {
  readonly chain: Chain;
  /** Schemas of its last branch that mark names. */
  readonly marks: readonly SchemaNode[];
}

/** Which schemas of a graph mark members. Bounded. */
export class Marks {
  readonly #marked: ReadonlySet<SchemaNode>;
  readonly #parts: SchemaParts;
  readonly #marking: ReadonlySet<SchemaNode>;
  readonly #around: ReadonlySet<SchemaNode>;
  readonly #chains = new Map<SchemaEdge, readonly MarkingChain[]>();

  /** @param marked the schemas of members that need not be there */
  constructor(nodes: readonly SchemaNode[], marked: ReadonlySet<SchemaNode>, parts: SchemaParts) {
    this.#marked = marked;
    this.#parts = parts;
    const marking = this.among(nodes);
    this.#marking = spread(nodes, marking, isPart);
    this.#around = spread(nodes, marking);
  }

  /** Whether a schema marks members, or has a part that does. */
  areIn(node: SchemaNode): boolean {
    return this.#marking.has(node);
  }

  /** Whether a schema marks members, or has one in it at whatever depth that does. */
  areBelow(node: SchemaNode): boolean {
    return this.#around.has(node);
  }

  /** A branch of a choice, and those of choices in it, each with all that it is in, as far as they mark names. */
  chainsOf(branch: Branch): readonly MarkingChain[] {
    if (!this.areIn(branch.edge.to)) return [];
    const known = this.#chains.get(branch.edge);
    if (known !== undefined) return known;
    const together = this.#parts.of(branch.edge.to, isTogether);
    const marks = this.among(together);
    const chains: MarkingChain[] = marks.length === 0 ? [] : [{ chain: [branch], marks }];
    for (const holder of together) {
      for (const edge of choicesOf(holder).flat()) {
        for (const inner of this.chainsOf({ holder, edge })) {
          this.#parts.spend(1 + inner.chain.length);
          chains.push({ chain: [branch, ...inner.chain], marks: inner.marks });
        }
      }
    }
    this.#chains.set(branch.edge, chains);
    return chains;
  }

  /** Which of some schemas mark members. */
  among(parts: readonly SchemaNode[]): SchemaNode[] {
    return parts.filter(({ edges }) => edges.some(({ to }) => this.#marked.has(to)));
  }

  /** Which of some names some schemas mark. */
  namesOf(marks: readonly SchemaNode[], names: ReadonlySet<string>): ReadonlySet<string> {
    if (names.size === 0) return names;
    return new Set(
      marks.flatMap((part) => {
        const { found, steps } = marksOf(part, this.#marked, names);
        this.#parts.spend(steps);
        return found;
      }),
    );
  }
}
