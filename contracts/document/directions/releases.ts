import type { SchemaNode } from '../schema-graph.ts';
import { type Branch, type Chain, choiceOf, choicesOf, isTogether } from './choices.ts';
import { Marks } from './marks.ts';
import { memberOf, sharedMembers } from './members.ts';
import { requiredBy, SchemaParts } from './parts.ts';
import type { OpenApiDocument } from '../openapi/openapi-files.ts';

/** Which members a value need not have at one place, although schemas for it require them. */
export interface Releases {
  /** Names that are marked there whatever the value is. */
  readonly always: ReadonlySet<string>;
  /** Names that are marked if the value takes some branches of choices. */
  readonly bySome: ReadonlyMap<string, ReadonlySet<Chain>>;
  /** Whether it is for a condition on which others are released. */
  readonly isCondition: boolean;
  /** Schemas that surely hold for the value too, and know more of its members and items. */
  readonly beside: readonly SchemaNode[];
}

const NONE: Releases = { always: new Set(), bySome: new Map(), isCondition: false, beside: [] };

/**
 * Finds what each schema of a graph need not require, by what it is a part of: a schema that several are
 * made of is released in each of them apart. Bounded.
 */
export class ReleaseFinder {
  readonly #parts: SchemaParts;
  readonly #marks: Marks;
  readonly #alone = new Map<SchemaNode, Releases>();
  /** By the schemas of which all hold for one value. */
  readonly #groups = new Map<string, Group>();
  readonly #ids = new Map<SchemaNode, number>();

  /**
   * @param marked the schemas of members that need not be there
   * @throws ContractError, also its methods, when too many schemas with such members are made of one another
   */
  constructor(
    nodes: readonly SchemaNode[],
    marked: ReadonlySet<SchemaNode>,
    document: Pick<OpenApiDocument, 'source' | 'limits'>,
  ) {
    this.#parts = new SchemaParts(document);
    this.#marks = new Marks(nodes, marked, this.#parts);
    for (const [at, node] of nodes.entries()) this.#ids.set(node, at);
  }

  /** What is released of a schema that is no part of another one. */
  alone(node: SchemaNode): Releases {
    if (!this.#marks.areBelow(node)) return NONE;
    let known = this.#alone.get(node);
    if (known === undefined) {
      const same = this.#sameAs(node);
      known = same === undefined ? this.#among(node, [node]) : this.alone(same);
      this.#alone.set(node, known);
    }
    return known;
  }

  /** What is released of a schema in another one of which that much is. */
  inside(around: Releases, branch: Branch): Releases {
    const { holder, edge } = branch;
    if (edge.isInPlace) {
      const inner = isTogether(holder, edge) ? around : this.#entered(around, branch);
      return this.#restricted(edge.to, inner);
    }
    const member = memberOf(edge);
    const others =
      around.beside.length === 0 || member === undefined
        ? undefined
        : this.#groupOf(around.beside).members.get(member);
    return others === undefined ? this.alone(edge.to) : this.#among(edge.to, others);
  }

  /** What is released of a schema where others hold for the same value. */
  #among(node: SchemaNode, schemas: readonly SchemaNode[]): Releases {
    return this.#restricted(node, this.#groupOf(schemas).releases);
  }

  #groupOf(schemas: readonly SchemaNode[]): Group {
    const distinct = new Set(schemas.map((node) => this.#named(node)));
    const key = [...distinct]
      .map((node) => this.#ids.get(node))
      .sort()
      .join();
    let group = this.#groups.get(key);
    if (group === undefined) {
      const roots = [...distinct];
      const together = [...new Set(roots.flatMap((node) => this.#parts.of(node, isTogether)))];
      const shared = sharedMembers(together, (node) => this.#marks.areBelow(node));
      this.#parts.spend(shared.steps);
      const hasChoices = together.some((node) => choicesOf(node).length > 0);
      const known = new Set(hasChoices ? shared.ofUse : shared.found.keys());
      const beside = known.size === 0 ? [] : roots;
      const releases = { ...this.#ownOf(roots, together), beside };
      group = { members: shared.found, known, releases };
      this.#groups.set(key, group);
    }
    return group;
  }

  /** What a schema is another name for, or else itself. */
  #named(node: SchemaNode): SchemaNode {
    let named = node;
    for (let next = this.#sameAs(named); next !== undefined; next = this.#sameAs(named))
      named = next;
    return named;
  }

  /** What is released of each branch of a chain where it is asked whether a value takes it. */
  taken(releases: Releases, chain: Chain): Releases[] {
    const { always, bySome, isCondition } = releases;
    let around: Releases = { ...releases, isCondition: true };
    const [first] = chain;
    if (isCondition && first !== undefined) {
      // A condition on conditions of another choice, and so on, would come to no end.
      const left = withoutChoice(bySome, first);
      around = { ...around, always: union(always, left.keys()), bySome: new Map() };
    }
    return chain.map((branch) => {
      around = this.#entered(around, branch);
      return this.#restricted(branch.edge.to, around);
    });
  }

  /** Whoever takes a branch takes what it marks, and none of the conditions by branches beside it. */
  #entered({ always, bySome, isCondition, beside }: Releases, branch: Branch): Releases {
    const { to } = branch.edge;
    const own = this.alone(to);
    const chains = new Map(withoutChoice(bySome, branch));
    for (const [name, more] of own.bySome) chains.set(name, union(chains.get(name) ?? [], more));
    const around = beside.length > 0 ? beside : [branch.holder];
    const isKnown = around.some((node) => this.#haveOneMember(node, to));
    return {
      always: union(always, own.always),
      ...{ bySome: chains, isCondition },
      beside: isKnown ? this.#groupOf([...around, to]).releases.beside : beside,
    };
  }

  /** Of all that is released, what is of use for a schema. */
  #restricted(node: SchemaNode, releases: Releases): Releases {
    const { always, bySome, isCondition } = releases;
    const beside = this.#besideIn(node, releases);
    if (always.size === 0 && bySome.size === 0 && beside.length === 0) return NONE;
    this.#parts.spend(1);
    const names = new Set(this.#parts.requiredIn(node));
    // Conditions require names themselves: more come while the first ones are looked at.
    for (const name of names) {
      if (always.has(name)) continue;
      for (const { edge } of [...(bySome.get(name) ?? [])].flat()) {
        const more = this.#parts.requiredIn(edge.to);
        this.#parts.spend(more.size);
        for (const one of more) names.add(one);
      }
    }
    this.#parts.spend(names.size);
    const kept = [...names].filter((name) => always.has(name));
    const some = [...names].flatMap((name) => {
      const chains = always.has(name) ? undefined : bySome.get(name);
      return chains === undefined || chains.size === 0 ? [] : [[name, chains] as const];
    });
    return { always: new Set(kept), bySome: new Map(some), isCondition, beside };
  }

  /** The schemas beside one, if they know of a member that it has as well. */
  #besideIn(node: SchemaNode, { beside }: Releases): readonly SchemaNode[] {
    if (beside.length === 0) return beside;
    const { known } = this.#groupOf(beside);
    this.#parts.spend(known.size);
    const own = this.#parts.membersIn(node);
    return [...known].some((member) => own.has(member)) ? beside : [];
  }

  #haveOneMember(one: SchemaNode, other: SchemaNode): boolean {
    const some = this.#parts.membersIn(one, isTogether);
    this.#parts.spend(some.size);
    const others = some.size === 0 ? some : this.#parts.membersIn(other);
    return [...some].some((member) => others.has(member));
  }

  /** What a schema is another name for, as one that only refers to it. */
  #sameAs(node: SchemaNode): SchemaNode | undefined {
    const [first, ...others] = node.edges.filter(({ isInPlace }) => isInPlace);
    if (first === undefined || others.length > 0 || !isTogether(node, first)) return undefined;
    const says = requiredBy(node).length > 0 || this.#marks.among([node]).length > 0;
    return says ? undefined : first.to;
  }

  #ownOf(roots: readonly SchemaNode[], together: readonly SchemaNode[]): Releases {
    if (!roots.some((node) => this.#marks.areIn(node))) return NONE;
    const required = new Set(roots.flatMap((node) => [...this.#parts.requiredIn(node)]));
    const always = this.#marks.namesOf(this.#marks.among(together), required);
    const bySome = new Map<string, ReadonlySet<Chain>>();
    for (const holder of together) {
      for (const edge of choicesOf(holder).flat()) {
        for (const { chain, marks } of this.#marks.chainsOf({ holder, edge })) {
          for (const name of this.#marks.namesOf(marks, required)) {
            bySome.set(name, union(bySome.get(name) ?? [], [chain]));
          }
        }
      }
    }
    return { ...NONE, always, bySome };
  }
}

/** Schemas of which all hold for one value. */
interface Group {
  readonly releases: Releases;
  /** Those of its members and items of which several say something. */
  readonly members: ReadonlyMap<string, readonly SchemaNode[]>;
  /** Those of which schemas in it have to know, for the same value. */
  readonly known: ReadonlySet<string>;
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
