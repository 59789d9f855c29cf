/** Long because what marks release of schemas in one another is one computation. */

import { progressed } from '../large/progress.ts';
import { ContractError } from '../contract-error.ts';
import { HOW_TO_ALLOW_MORE } from '../contract-limits.ts';
import { type SchemaEdge, type SchemaNode, spread } from '../schema-graph.ts';
import { listOf } from '../../wire/json.ts';
import { type Branch, choiceOf, choicesOf, isTogether } from './choices.ts';
import { marksOf } from './marks.ts';
import type { OpenApiDocument } from '../openapi/openapi-files.ts';

/** A branch of a choice, or that and others, each in the one before it. */
export type Chain = readonly Branch[];

/** Which members a value need not have at one place, although schemas for it require them. */
export interface Releases {
  /** Names that are marked there whatever the value is. */
  readonly always: ReadonlySet<string>;
  /** Names that are marked if the value takes some branches of choices. */
  readonly bySome: ReadonlyMap<string, ReadonlySet<Chain>>;
  /** Whether it is for a condition on which others are released. */
  readonly isCondition: boolean;
}

const NONE: Releases = { always: new Set(), bySome: new Map(), isCondition: false };

/** Looking for members takes no more steps for each schema that a document may have. */
const STEPS_PER_SCHEMA = 125;

/** Whether a schema says what another one says, for some values at least. */
export function isPart({ isInPlace, keyword }: SchemaEdge): boolean {
  return isInPlace && keyword !== 'not' && keyword !== 'if';
}

/**
 * Finds what each schema of a graph need not require, by what it is a part of. A schema that several are
 * made of is released in each of them apart. Bounded.
 */
export class ReleaseFinder {
  readonly #document: Pick<OpenApiDocument, 'source' | 'limits'>;
  readonly #marked: ReadonlySet<SchemaNode>;
  /** Schemas that mark members, or have a part that does. */
  readonly #marking: ReadonlySet<SchemaNode>;
  readonly #alone = new Map<SchemaNode, Releases>();
  readonly #chains = new Map<SchemaEdge, readonly MarkingChain[]>();
  readonly #required = new Map<SchemaNode, ReadonlySet<string>>();
  #steps = 0;

  /**
   * @param marked the schemas of members that need not be there
   * @throws ContractError, also its methods, when too many schemas with such members are made of one another
   */
  constructor(
    nodes: readonly SchemaNode[],
    marked: ReadonlySet<SchemaNode>,
    document: Pick<OpenApiDocument, 'source' | 'limits'>,
  ) {
    this.#marked = marked;
    this.#document = document;
    this.#marking = spread(nodes, this.#marksIn(nodes), isPart);
  }

  /** What is released of a schema that is no part of another one. */
  alone(node: SchemaNode): Releases {
    if (!this.#marking.has(node)) return NONE;
    let known = this.#alone.get(node);
    if (known === undefined) {
      const same = this.#sameAs(node);
      known = same === undefined ? this.#restricted(node, this.#ownOf(node)) : this.alone(same);
      this.#alone.set(node, known);
    }
    return known;
  }

  /** What is released of a schema in another one of which that much is. */
  inside(around: Releases, branch: Branch): Releases {
    const { holder, edge } = branch;
    if (!edge.isInPlace) return this.alone(edge.to);
    const inner = isTogether(holder, edge) ? around : this.#entered(around, branch);
    return this.#restricted(edge.to, inner);
  }

  /** What is released of each branch of a chain if it is asked whether a value takes it. */
  taken({ always, bySome, isCondition }: Releases, chain: Chain): Releases[] {
    let around: Releases = { always, bySome, isCondition: true };
    const [first] = chain;
    if (isCondition && first !== undefined) {
      // A condition on conditions of another choice, and so on, would come to no end.
      const left = withoutChoice(bySome, first);
      around = { always: union(always, left.keys()), bySome: new Map(), isCondition: true };
    }
    return chain.map((branch) => {
      around = this.#entered(around, branch);
      return this.#restricted(branch.edge.to, around);
    });
  }

  /** Whoever takes a branch takes what it marks, and none of the conditions by branches beside it. */
  #entered({ always, bySome, isCondition }: Releases, branch: Branch): Releases {
    const own = this.alone(branch.edge.to);
    const chains = new Map(withoutChoice(bySome, branch));
    for (const [name, more] of own.bySome) chains.set(name, union(chains.get(name) ?? [], more));
    return { always: union(always, own.always), bySome: chains, isCondition };
  }

  /** Of all that is released, what is of use for a schema. */
  #restricted(node: SchemaNode, { always, bySome, isCondition }: Releases): Releases {
    if (always.size === 0 && bySome.size === 0) return NONE;
    this.#spend(1);
    const names = new Set(this.#requiredIn(node));
    // Conditions require names themselves: more come while the first ones are looked at.
    for (const name of names) {
      if (always.has(name)) continue;
      for (const { edge } of [...(bySome.get(name) ?? [])].flat()) {
        const more = this.#requiredIn(edge.to);
        this.#spend(more.size);
        for (const one of more) names.add(one);
      }
    }
    this.#spend(names.size);
    const kept = [...names].filter((name) => always.has(name));
    const some = [...names].flatMap((name) => {
      const chains = always.has(name) ? undefined : bySome.get(name);
      return chains === undefined || chains.size === 0 ? [] : [[name, chains] as const];
    });
    return { always: new Set(kept), bySome: new Map(some), isCondition };
  }

  /** What a schema is another name for, as one that only refers to it. */
  #sameAs(node: SchemaNode): SchemaNode | undefined {
    const [first, ...others] = node.edges.filter(({ isInPlace }) => isInPlace);
    if (first === undefined || others.length > 0 || !isTogether(node, first)) return undefined;
    const says = requiredBy(node).length > 0 || this.#marksIn([node]).length > 0;
    return says ? undefined : first.to;
  }

  #ownOf(node: SchemaNode): Releases {
    const together = this.#from(node, isTogether);
    const required = this.#requiredIn(node);
    const always = this.#namesOf(this.#marksIn(together), required);
    const bySome = new Map<string, ReadonlySet<Chain>>();
    for (const holder of together) {
      for (const edge of choicesOf(holder).flat()) {
        for (const { chain, marks } of this.#chainsOf({ holder, edge })) {
          for (const name of this.#namesOf(marks, required)) {
            bySome.set(name, union(bySome.get(name) ?? [], [chain]));
          }
        }
      }
    }
    return { always, bySome, isCondition: false };
  }

  /** A branch of a choice, and those of choices in it, each with all that it is in, as far as they mark names. */
  #chainsOf(branch: Branch): readonly MarkingChain[] {
    if (!this.#marking.has(branch.edge.to)) return [];
    const known = this.#chains.get(branch.edge);
    if (known !== undefined) return known;
    const together = this.#from(branch.edge.to, isTogether);
    const marks = this.#marksIn(together);
    const chains: MarkingChain[] = marks.length === 0 ? [] : [{ chain: [branch], marks }];
    for (const holder of together) {
      for (const edge of choicesOf(holder).flat()) {
        for (const inner of this.#chainsOf({ holder, edge })) {
          this.#spend(1 + inner.chain.length);
          chains.push({ chain: [branch, ...inner.chain], marks: inner.marks });
        }
      }
    }
    this.#chains.set(branch.edge, chains);
    return chains;
  }

  #marksIn(parts: readonly SchemaNode[]): SchemaNode[] {
    return parts.filter(({ edges }) => edges.some(({ to }) => this.#marked.has(to)));
  }

  /** Which of some names some schemas mark. */
  #namesOf(marks: readonly SchemaNode[], names: ReadonlySet<string>): ReadonlySet<string> {
    if (names.size === 0) return NONE.always;
    return new Set(
      marks.flatMap((part) => {
        const { found, steps } = marksOf(part, this.#marked, names);
        this.#spend(steps);
        return found;
      }),
    );
  }

  /** Names that a schema requires of a value, or one in it does for the same value. */
  #requiredIn(node: SchemaNode): ReadonlySet<string> {
    let known = this.#required.get(node);
    if (known === undefined) {
      known = new Set(this.#from(node, inPlace).flatMap(requiredBy));
      this.#required.set(node, known);
    }
    return known;
  }

  /** A schema and those that it is made of, by edges of a kind. */
  #from(
    start: SchemaNode,
    isFollowed: (holder: SchemaNode, edge: SchemaEdge) => boolean,
  ): SchemaNode[] {
    const found = new Set([start]);
    // More come while the first ones are looked at.
    for (const holder of found) {
      const { edges, schema } = holder;
      this.#spend(1 + edges.length + listOf(schema.required).length);
      for (const edge of edges) if (isFollowed(holder, edge)) found.add(edge.to);
    }
    return [...found];
  }

  #spend(steps: number): void {
    this.#steps += steps;
    progressed();
    const { source, limits } = this.#document;
    if (this.#steps <= STEPS_PER_SCHEMA * limits.mostSchemas) return;
    const problem = `has too many schemas with readOnly or writeOnly that are made of one another. ${HOW_TO_ALLOW_MORE}.`;
    throw new ContractError(source, problem);
  }
}

interface MarkingChain {
  readonly chain: Chain;
  /** Schemas of its last branch that mark names. */
  readonly marks: readonly SchemaNode[];
}

const inPlace = (_: SchemaNode, { isInPlace }: SchemaEdge): boolean => isInPlace;

/** Names of members that a schema itself requires. */
export function requiredBy({ schema }: SchemaNode): string[] {
  return listOf(schema.required).filter((name) => typeof name === 'string');
}

/** Without chains that begin with a branch of the choice of another one. */
function withoutChoice(
  bySome: Releases['bySome'],
  { holder, edge }: Branch,
): Map<string, ReadonlySet<Chain>> {
  if (bySome.size === 0) return new Map();
  const choice = new Set(choiceOf(holder, edge));
  const left = [...bySome].map(([name, chains]) => {
    const others = [...chains].filter(([first]) => first !== undefined && !choice.has(first.edge));
    return [name, new Set(others)] as const;
  });
  return new Map(left.filter(([, chains]) => chains.size > 0));
}

function union<T>(some: Iterable<T>, others: Iterable<T>): ReadonlySet<T> {
  return new Set([...some, ...others]);
}
