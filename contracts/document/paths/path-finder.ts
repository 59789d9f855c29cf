import { anyPlacesOf } from './operation-servers.ts';
import { areSegments, comparable, isPartOf, type Segment, segmentsOf } from './path-template.ts';
import type { Contract, ContractOperation } from '../schema.ts';
import { tiedOperation } from './tied-operation.ts';
import type { ApiName } from '../../wire/exchange.ts';

/**
 * The function that finds the operation of a request. The path decides first, then the method: a path
 * without parameters before templates, of these the most concrete (OpenAPI 3.1, section 4.8.8.2). A
 * request of two that are alike is judged by both (`tied-operation.ts`).
 */
export function finder(operations: readonly ContractOperation[]): Contract['find'] {
  const apis = new Map<ApiName, Paths>();
  for (const operation of operations) {
    const paths = apis.get(operation.api) ?? new Paths();
    apis.set(operation.api, paths);
    for (const [index, template] of anyPlacesOf(operation).entries()) {
      paths.add(template, index === 0, operation);
    }
  }
  return (api, method, fullPath) => {
    // Most paths are whole: one text to look up, whose hash is known from the last time.
    const end = fullPath.search(QUERY);
    const path = end < 0 ? fullPath : fullPath.slice(0, end);
    return apis.get(api)?.find(method, comparable(path));
  };
}

const QUERY = /[?#]/;

/** The operations of one path by their methods. */
type Methods = Map<string, ContractOperation>;

interface Template {
  readonly segments: readonly Segment[];
  /** How concrete it is: the first in the order of texts is the most concrete. */
  readonly rank: string;
  readonly methods: Methods;
}

/** The paths of one API. */
class Paths {
  readonly #exact = new Map<string, Methods>();
  readonly #templates = new Map<string, Template>();
  /** Templates by the number of their segments, the most concrete first; made when asked for. */
  #sorted: Map<number, Template[]> | undefined;

  /** @param isStated whether it is the path as the contract writes it */
  add(template: string, isStated: boolean, operation: ContractOperation): void {
    const segments = segmentsOf(template);
    const isExact = segments.every(({ length }) => length === 1);
    const methods = isExact
      ? this.#exactAt(segments.join('/'))
      : this.#templateAt(segments, isStated);
    const method = operation.method.toUpperCase();
    // What is stated counts before what may be there below another base URL, and the later one.
    if (isStated || !methods.has(method)) methods.set(method, operation);
  }

  find(method: string, path: string): ContractOperation | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return ofMethod(exact, method);
    if (this.#templates.size === 0) return undefined;
    const segments = path.split('/');
    const found: Template[] = [];
    for (const template of this.#ofLength(segments.length)) {
      if (found[0] !== undefined && found[0].rank !== template.rank) break;
      if (areSegments(segments, template.segments)) found.push(template);
    }
    const operations = narrowest(found).flatMap(({ methods }) => ofMethod(methods, method) ?? []);
    return tiedOperation(operations);
  }

  #exactAt(path: string): Methods {
    const methods = this.#exact.get(path) ?? new Map<string, ContractOperation>();
    this.#exact.set(path, methods);
    return methods;
  }

  #templateAt(segments: readonly Segment[], isStated: boolean): Methods {
    const rank = segments.map(rankOf).join('') + (isStated ? 'a' : 'b');
    const key = rank + JSON.stringify(segments);
    const template = this.#templates.get(key) ?? { segments, rank, methods: new Map() };
    this.#templates.set(key, template);
    this.#sorted = undefined;
    return template.methods;
  }

  #ofLength(length: number): readonly Template[] {
    if (this.#sorted === undefined) {
      this.#sorted = new Map();
      const byRank = ({ rank: one }: Template, { rank: other }: Template): number =>
        one < other ? -1 : one > other ? 1 : 0;
      for (const template of [...this.#templates.values()].sort(byRank)) {
        const alike = this.#sorted.get(template.segments.length) ?? [];
        alike.push(template);
        this.#sorted.set(template.segments.length, alike);
      }
    }
    return this.#sorted.get(length) ?? [];
  }
}

/** Most methods are written in capitals; a contract's are. HEAD is GET without content (RFC 9110). */
function ofMethod(methods: Methods, given: string): ContractOperation | undefined {
  const method = methods.has(given) ? given : given.toUpperCase();
  return methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
}

/** A literal segment before one with a literal part before a parameter. */
function rankOf(segment: Segment): string {
  if (segment.length === 1) return '0';
  return segment.some((text) => text !== '') ? '1' : '2';
}

/** Of templates of one rank that whose paths all others have too; all if there is none. */
function narrowest(templates: readonly Template[]): readonly Template[] {
  const narrow = templates.filter((one) =>
    templates.every((other) => isPartOf(one.segments, other.segments)),
  );
  return narrow.length > 0 ? narrow : templates;
}
