import { ContractError } from '../contract-error.ts';
import { patternOf } from '../../patterns/pattern.ts';
import type { SchemaEdge, SchemaNode } from '../schema-graph.ts';
import { listOf } from '../../wire/json.ts';
import { type Branch, choicesOf, heldBy } from './choices.ts';
import { objectOf } from './openapi-place.ts';

/** Which members a schema need not require, of those that it or one in it requires. */
export interface Releases {
  /** Names that are marked wherever the schema applies. */
  readonly always: ReadonlySet<string>;
  /** Names that are marked if the value takes some branches of choices, one in another. */
  readonly bySome: ReadonlyMap<string, ReadonlySet<readonly Branch[]>>;
}

const NONE: Releases = { always: new Set(), bySome: new Map() };

/** Looking for members takes no more steps. */
const MAX_STEPS = 5_000_000;

/** Schemas that say the same of a value, whatever it is. */
const isTogether = ({ keyword }: SchemaEdge): boolean => keyword === '$ref' || keyword === 'allOf';

/** Whether a schema says what another one says, for some values at least. */
export function isPart({ isInPlace, keyword }: SchemaEdge): boolean {
  return isInPlace && keyword !== 'not' && keyword !== 'if';
}

/** Finds which schemas of a graph need not require what they list. Bounded. */
export class ReleaseFinder {
  readonly #source: string;
  readonly #marked: ReadonlySet<SchemaNode>;
  readonly #always = new Map<SchemaNode, Set<string>>();
  readonly #bySome = new Map<SchemaNode, Map<string, Set<readonly Branch[]>>>();
  /** By schema, those that say all that it says of a value. */
  readonly #holders = new Map<SchemaNode, SchemaNode[]>();
  /** What the conditions on a schema lead to for the same value. */
  readonly #conditions = new Map<SchemaNode, Set<SchemaNode>>();
  #steps = 0;

  /**
   * @param marked the schemas of members that need not be there
   * @throws ContractError when too many schemas with such members are made of one another
   */
  constructor(nodes: readonly SchemaNode[], marked: ReadonlySet<SchemaNode>, source: string) {
    this.#marked = marked;
    this.#source = source;
    if (marked.size === 0) return;
    for (const node of nodes) {
      for (const { to } of node.edges.filter(isTogether)) {
        const known = this.#holders.get(to);
        if (known === undefined) this.#holders.set(to, [node]);
        else known.push(node);
      }
    }
    for (const node of nodes) this.#releaseWhatIsMarkedBeside(node);
    for (const node of nodes) this.#releaseByChoices(node);
  }

  /** What a schema need not require. */
  of(node: SchemaNode): Releases {
    const always = this.#always.get(node) ?? NONE.always;
    return { always, bySome: this.#bySome.get(node) ?? NONE.bySome };
  }

  /**
   * Names that a schema has to require itself: its own, and those that others, which say the same of a value,
   * require less than it does, since some schema elsewhere that is made of them marks these.
   */
  namesFor(node: SchemaNode): readonly string[] {
    const shared = this.#from(node, isTogether).flatMap((part) =>
      requiredBy(part).filter((name) => this.#isLooser(part, node, name)),
    );
    return [...new Set([...requiredBy(node), ...shared])];
  }

  /** Whether a schema goes without a name for values for which another one requires it. */
  #isLooser(one: SchemaNode, other: SchemaNode, name: string): boolean {
    if (this.#always.get(other)?.has(name) === true) return false;
    if (this.#always.get(one)?.has(name) === true) return true;
    const [some, others] = [one, other].map((node) => this.#bySome.get(node)?.get(name));
    this.#spend(some?.size ?? 0);
    return [...(some ?? [])].some((taken) => others?.has(taken) !== true);
  }

  /** A name that a schema marks is marked wherever one in it applies. */
  #releaseWhatIsMarkedBeside(node: SchemaNode): void {
    const marks = this.#marksIn(this.#from(node, isTogether));
    if (marks.length === 0) return;
    const parts = this.#from(node, isPart);
    const names = this.#namesOf(marks, parts);
    this.#spend(names.size * parts.length);
    for (const part of names.size === 0 ? [] : parts) this.#releaseAlways(part, names);
  }

  /** A name that a branch of a choice marks is marked around it, where no other branch of it is taken. */
  #releaseByChoices(holder: SchemaNode): void {
    for (const choice of choicesOf(holder)) {
      const marking = choice.map(
        (edge) => [edge.to, this.#branchesBelow({ holder, edge })] as const,
      );
      if (marking.every(([, branches]) => branches.length === 0)) continue;
      const isOutside = (edge: SchemaEdge): boolean => isPart(edge) && !choice.includes(edge);
      const holders = new Set([holder]);
      // More come while the first ones are looked at.
      for (const one of holders)
        for (const around of this.#holders.get(one) ?? []) holders.add(around);
      for (const around of holders) {
        const parts = this.#from(around, isOutside);
        for (const [, branches] of marking) this.#releaseBy(branches, parts);
      }
    }
  }

  #releaseBy(branches: readonly MarkingBranch[], parts: readonly SchemaNode[]): void {
    for (const { taken, marks } of branches) {
      const names = this.#namesOf(marks, parts);
      this.#spend(names.size * parts.length);
      if (names.size === 0) continue;
      const reached = this.#reachedInPlace(taken.flatMap(heldBy));
      for (const part of parts) {
        // A condition that leads to where it stands would never come to an end.
        if (reached.has(part)) this.#releaseAlways(part, names);
        else this.#releaseIf(taken, part, names);
      }
    }
  }

  #releaseAlways(part: SchemaNode, names: ReadonlySet<string>): void {
    const known = this.#always.get(part) ?? new Set();
    for (const name of names) known.add(name);
    this.#always.set(part, known);
  }

  #releaseIf(taken: readonly Branch[], part: SchemaNode, names: ReadonlySet<string>): void {
    const known = this.#bySome.get(part) ?? new Map<string, Set<readonly Branch[]>>();
    for (const name of names) known.set(name, (known.get(name) ?? new Set()).add(taken));
    this.#bySome.set(part, known);
    const led = this.#conditions.get(part) ?? new Set();
    for (const to of taken.flatMap(heldBy)) led.add(to);
    this.#conditions.set(part, led);
  }

  /** Some schemas and all that are for the same value, be it by conditions. */
  #reachedInPlace(starts: readonly SchemaNode[]): ReadonlySet<SchemaNode> {
    const found = new Set(starts);
    // More come while the first ones are looked at.
    for (const node of found) {
      const led = this.#conditions.get(node) ?? [];
      this.#spend(1 + node.edges.length);
      for (const { to, isInPlace } of node.edges) if (isInPlace) found.add(to);
      for (const to of led) found.add(to);
    }
    return found;
  }

  /** A branch of a choice, and those of choices in it, as far as they mark names. */
  #branchesBelow(branch: Branch): MarkingBranch[] {
    const inner = this.#from(branch.edge.to, isPart).flatMap((holder) =>
      choicesOf(holder).flatMap((choice) => choice.map((edge) => ({ holder, edge }))),
    );
    return [[branch], ...inner.map((one) => [branch, one])].flatMap((taken) => {
      const last = taken.at(-1) ?? branch;
      const marks = this.#marksIn(this.#from(last.edge.to, isTogether));
      return marks.length === 0 ? [] : [{ taken, marks }];
    });
  }

  #marksIn(parts: readonly SchemaNode[]): SchemaNode[] {
    return parts.filter(({ edges }) => edges.some(({ to }) => this.#marked.has(to)));
  }

  /** Names that some schemas mark, and others require. */
  #namesOf(marks: readonly SchemaNode[], parts: readonly SchemaNode[]): ReadonlySet<string> {
    const required = new Set(parts.flatMap(requiredBy));
    if (required.size === 0) return required;
    return new Set(marks.flatMap((part) => this.#marksOf(part, required)));
  }

  /** Which of some names a schema marks as members. */
  #marksOf({ edges, schema }: SchemaNode, names: ReadonlySet<string>): string[] {
    const marks = edges.filter(({ to }) => this.#marked.has(to));
    const nameOf = ({ to }: SchemaEdge): string => to.place.pointer.at(-1) ?? '';
    const stated = marks.filter(({ keyword }) => keyword === 'properties').map(nameOf);
    const patterns = marks.filter(({ keyword }) => keyword === 'patternProperties').map(nameOf);
    const isElse = marks.some(({ keyword }) => ELSE.includes(keyword));
    const found = stated.filter((name) => names.has(name));
    if (patterns.length === 0 && !isElse) return found;
    const known = Object.keys(objectOf(schema.patternProperties));
    this.#spend(names.size * (1 + known.length));
    const others = [...names].filter(
      (name) =>
        patterns.some((pattern) => matches(pattern, name)) ||
        (isElse &&
          !Object.hasOwn(objectOf(schema.properties), name) &&
          !known.some((pattern) => matches(pattern, name))),
    );
    return [...found, ...others];
  }

  /** A schema and those that it is made of, by edges of a kind. */
  #from(start: SchemaNode, isFollowed: (edge: SchemaEdge) => boolean): SchemaNode[] {
    const found = new Set([start]);
    // More come while the first ones are looked at.
    for (const { edges, schema } of found) {
      this.#spend(1 + edges.length + listOf(schema.required).length);
      for (const edge of edges) if (isFollowed(edge)) found.add(edge.to);
    }
    return [...found];
  }

  #spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps <= MAX_STEPS) return;
    const problem = 'has too many schemas with readOnly or writeOnly that are made of one another.';
    throw new ContractError(this.#source, problem);
  }
}

interface MarkingBranch {
  /** The branch, or one in it after it. */
  readonly taken: readonly Branch[];
  /** Schemas of the last that mark names. */
  readonly marks: readonly SchemaNode[];
}

/** Keywords for members that no other one names; those that schemas beside it name are few. */
const ELSE: readonly string[] = ['additionalProperties', 'unevaluatedProperties'];

/** Names of members that a schema itself requires. */
export function requiredBy({ schema }: SchemaNode): string[] {
  return listOf(schema.required).filter((name) => typeof name === 'string');
}

function matches(source: string, name: string): boolean {
  const pattern = patternOf(source);
  return pattern.kind === 'supported' && pattern.test(name);
}
