import { ContractError } from '../contract-error.ts';
import { HOW_TO_ALLOW_MORE } from '../contract-limits.ts';
import type { OpenApiDocument } from '../openapi/openapi-files.ts';
import type { SchemaEdge, SchemaNode } from '../schema-graph.ts';
import { listOf } from '../../wire/json.ts';
import { memberOf } from './members.ts';

/** Looking for members takes no more steps for each schema that a document may have. */
const STEPS_PER_SCHEMA = 125;

/** Whether a schema says what another one says, for some values at least. */
export function isPart({ isInPlace, keyword }: SchemaEdge): boolean {
  return isInPlace && keyword !== 'not' && keyword !== 'if';
}

/** Which of the schemas in one are looked at. */
export type IsFollowed = (holder: SchemaNode, edge: SchemaEdge) => boolean;

const inPlace: IsFollowed = (_, { isInPlace }) => isInPlace;

/** Names of members that a schema itself requires. */
export function requiredBy({ schema }: SchemaNode): string[] {
  return listOf(schema.required).filter((name) => typeof name === 'string');
}

/** What schemas are made of. Bounded. */
export class SchemaParts {
  readonly #document: Pick<OpenApiDocument, 'source' | 'limits'>;
  readonly #members = new Map<SchemaNode, ReadonlySet<string>>();
  readonly #membersTogether = new Map<SchemaNode, ReadonlySet<string>>();
  readonly #required = new Map<SchemaNode, ReadonlySet<string>>();
  #steps = 0;

  /** All methods throw a ContractError when too many schemas are made of one another. */
  constructor(document: Pick<OpenApiDocument, 'source' | 'limits'>) {
    this.#document = document;
  }

  /** A schema and those that it is made of, by edges of a kind. */
  of(start: SchemaNode, isFollowed: IsFollowed): SchemaNode[] {
    const found = new Set([start]);
    // More come while the first ones are looked at.
    for (const holder of found) {
      const { edges, schema } = holder;
      this.spend(1 + edges.length + listOf(schema.required).length);
      for (const edge of edges) if (isFollowed(holder, edge)) found.add(edge.to);
    }
    return [...found];
  }

  /** Names that a schema requires of a value, or one in it does for the same value. */
  requiredIn(node: SchemaNode): ReadonlySet<string> {
    let known = this.#required.get(node);
    if (known === undefined) {
      known = new Set(this.of(node, inPlace).flatMap(requiredBy));
      this.#required.set(node, known);
    }
    return known;
  }

  /** Members and items of which a schema, or one in it for the same value, says something. */
  membersIn(node: SchemaNode, isFollowed: IsFollowed = inPlace): ReadonlySet<string> {
    const all = isFollowed === inPlace ? this.#members : this.#membersTogether;
    let known = all.get(node);
    if (known === undefined) {
      const edges = this.of(node, isFollowed).flatMap((part) => part.edges);
      known = new Set(edges.flatMap((edge) => memberOf(edge) ?? []));
      all.set(node, known);
    }
    return known;
  }

  /** Counts steps of looking for members. */
  spend(steps: number): void {
    this.#steps += steps;
    const { source, limits } = this.#document;
    if (this.#steps <= STEPS_PER_SCHEMA * limits.mostSchemas) return;
    const problem = `has too many schemas with readOnly or writeOnly that are made of one another. ${HOW_TO_ALLOW_MORE}.`;
    throw new ContractError(source, problem);
  }
}
