import { progressed } from '../large/progress.ts';
import { ContractError } from '../contract-error.ts';
import { HOW_TO_ALLOW_MORE } from '../contract-limits.ts';
import { isObject, type JsonObject, listOf } from '../../wire/json.ts';
import { isTurned } from './required-in-doubt.ts';
import { schemaGraph, type SchemaNode, spread } from '../schema-graph.ts';
import type { Branch } from './choices.ts';
import type { OpenApiDocument } from '../openapi/openapi-files.ts';
import { type Place, urlOf } from '../openapi/openapi-place.ts';
import { APPLICATORS } from '../openapi/schema-keywords.ts';
import { type Chain, isPart, ReleaseFinder, type Releases, requiredBy } from './releases.ts';

/** A document as it holds for bodies that go one way. */
export interface OneWay {
  readonly document: OpenApiDocument;
  /** Whether something is refused only because a schema in it requires less. */
  readonly isInDoubt: boolean;
}

/**
 * A copy of a document in which no schema requires a member that is marked. A schema that is a part of
 * several stands in it once for each part that it requires differently.
 *
 * @param urls of the schemas that are used
 * @param word the mark, such as `readOnly`
 * @param isStrict whether it requires such members all the same, and has the same schemas otherwise
 * @throws ContractError when too many schemas with such members are made of one another
 */
export function oneWay(
  document: OpenApiDocument,
  urls: readonly string[],
  word: string,
  isStrict: boolean,
): OneWay {
  const writer = new Writer(document, urls, word, isStrict);
  const files = writer.write();
  // They were counted before some of them were written twice.
  const limits = { ...document.limits, mostSchemas: Infinity };
  const copy = { ...document, files, limits };
  const nodes = schemaGraph(copy, urls);
  const looser = new Set(nodes.filter(({ schema }) => writer.looser.has(schema)));
  return { document: copy, isInDoubt: isTurned(nodes, looser) };
}

class Writer {
  /** Schemas that require less than the document says. */
  readonly looser = new Set<object>();
  readonly #document: OpenApiDocument;
  readonly #urlsAsked: readonly string[];
  readonly #files: Map<string, unknown>;
  readonly #word: string;
  readonly #isStrict: boolean;
  readonly #nodes: readonly SchemaNode[];
  readonly #marked: ReadonlySet<SchemaNode>;
  /** Of each schema that stands in another one for the same value. */
  readonly #around: ReadonlyMap<SchemaNode, Branch>;
  readonly #releases: ReleaseFinder;
  readonly #atHome = new Map<SchemaNode, Releases>();
  readonly #ids = new Map<object, number>();
  readonly #urls = new Map<string, string>();
  readonly #waiting: (() => void)[] = [];
  #parts = 0;

  constructor(document: OpenApiDocument, urls: readonly string[], word: string, isStrict: boolean) {
    this.#document = document;
    this.#urlsAsked = urls;
    this.#files = new Map(structuredClone(document.files));
    this.#word = word;
    this.#isStrict = isStrict;
    this.#nodes = schemaGraph(document, urls);
    const isMarked = ({ schema }: SchemaNode): boolean => schema[word] === true;
    this.#marked = spread(this.#nodes, this.#nodes.filter(isMarked), isPart);
    const inner = this.#nodes.flatMap((holder) => holder.edges.map((edge) => ({ holder, edge })));
    const isInner = ({ edge }: Branch): boolean => edge.isInPlace && edge.keyword !== '$ref';
    this.#around = new Map(inner.filter(isInner).map((one) => [one.edge.to, one]));
    this.#releases = new ReleaseFinder(this.#nodes, this.#marked, document);
  }

  /** The files of the copy. */
  write(): Map<string, unknown> {
    const copies = schemaGraph({ ...this.#document, files: this.#files }, this.#urlsAsked);
    for (const [at, node] of this.#nodes.entries()) {
      progressed();
      const { schema = {} } = copies[at] ?? {};
      Object.assign(schema, this.#markOf(node), this.#changesOf(node, this.#homeOf(node), schema));
    }
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      progressed();
      next();
    }
    return this.#files;
  }

  /** What is released of a schema where the document has it. */
  #homeOf(node: SchemaNode): Releases {
    let known = this.#atHome.get(node);
    if (known === undefined) {
      const around = this.#around.get(node);
      known =
        around === undefined
          ? this.#releases.alone(node)
          : this.#releases.inside(this.#homeOf(around.holder), around);
      this.#atHome.set(node, known);
    }
    return known;
  }

  /** Where a schema stands of which so much is released. */
  #urlOf(node: SchemaNode, releases: Releases): string {
    const key = this.#keyOf(releases);
    if (key === this.#keyOf(this.#homeOf(node))) return urlOf(node.place);
    const name = `${this.#idOf(node)} ${key}`;
    let url = this.#urls.get(name);
    if (url === undefined) {
      this.#requireRoom();
      const { file, pointer } = node.place;
      const place = { file: this.#newFile(file), pointer };
      url = urlOf({ ...place, value: undefined });
      this.#urls.set(name, url);
      this.#waiting.push(() => {
        const schema = { ...this.#elsewhere(node, releases), ...this.#markOf(node) };
        Object.assign(schema, this.#changesOf(node, releases, schema));
        // Under its own pointer, so that whatever is said of it names that.
        this.#files.set(place.file, holding({ ...place, value: schema }));
      });
    }
    return url;
  }

  /** The URL of a file beside another one, which no document has. */
  #newFile(url: string): string {
    for (;;) {
      const named = `${url}${url.includes('?') ? '&' : '?'}part=${this.#parts}`;
      this.#parts += 1;
      if (!this.#document.files.has(named)) return named;
    }
  }

  /** What a schema says, with references to the schemas in it. */
  #elsewhere(node: SchemaNode, releases: Releases): JsonObject {
    const inner = new Map<unknown, JsonObject>();
    for (const edge of node.edges) {
      const url = this.#urlOf(edge.to, this.#releases.inside(releases, { holder: node, edge }));
      inner.set(edge.to.schema, { $ref: url, ...this.#markOf(edge.to) });
    }
    const written = (value: unknown): unknown => inner.get(value) ?? value;
    return mapValues(node.schema, (value, keyword) => {
      const [form] = Object.hasOwn(APPLICATORS, keyword) ? (APPLICATORS[keyword] ?? []) : [];
      if (form === 'list') return listOf(value).map(written);
      return form === 'map' && isObject(value) ? mapValues(value, written) : written(value);
    });
  }

  /** What a schema says otherwise if so much is released. */
  #changesOf(node: SchemaNode, releases: Releases, schema: object): JsonObject {
    const changes: Record<string, unknown> = {};
    const reference = node.edges.find(({ keyword }) => keyword === '$ref');
    if (reference !== undefined) {
      const inner = this.#releases.inside(releases, { holder: node, edge: reference });
      changes.$ref = this.#urlOf(reference.to, inner);
    }
    const isReleased = (name: string): boolean =>
      releases.always.has(name) || releases.bySome.has(name);
    const names = requiredBy(node).filter(isReleased);
    if (names.length === 0) return changes;
    if (!this.#isStrict) {
      changes.required = requiredBy(node).filter((name) => !isReleased(name));
      this.looser.add(schema);
    }
    const conditions = names.flatMap((name) => {
      const chains = releases.bySome.get(name);
      return chains === undefined ? [] : [this.#unlessTaken(name, [...chains], releases)];
    });
    if (conditions.length > 0) {
      changes.allOf = [...listOf((schema as JsonObject).allOf), ...conditions];
    }
    return changes;
  }

  /** That a member is required of a value that takes none of some branches. */
  #unlessTaken(name: string, chains: readonly Chain[], releases: Releases): JsonObject {
    const taken = chains.map((chain) => {
      const inner = this.#releases.taken(releases, chain);
      return { allOf: chain.map((branch, at) => this.#taking(branch, inner[at] ?? releases)) };
    });
    return { if: { not: { anyOf: taken } }, then: { required: [name] } };
  }

  /** What accepts the values that take a branch. */
  #taking({ holder, edge: { keyword, to } }: Branch, releases: Releases): JsonObject {
    const own = { $ref: this.#urlOf(to, releases) };
    if (keyword === 'dependentSchemas' || keyword === 'dependencies') {
      return { required: [to.place.pointer.at(-1) ?? ''], allOf: [own] };
    }
    if (keyword !== 'then' && keyword !== 'else') return own;
    const condition = holder.edges.find((edge) => edge.keyword === 'if')?.to;
    const held =
      condition === undefined
        ? (holder.schema.if ?? true)
        : { $ref: this.#urlOf(condition, this.#releases.alone(condition)) };
    return { allOf: [keyword === 'then' ? held : { not: held }, own] };
  }

  /** By it generators know without following references. */
  #markOf(node: SchemaNode): JsonObject {
    return this.#marked.has(node) ? { [this.#word]: true } : {};
  }

  #requireRoom(): void {
    const { source, limits } = this.#document;
    if (this.#nodes.length + this.#urls.size < limits.mostSchemas) return;
    const problem = `has readOnly or writeOnly members for which its schemas stand for more than ${limits.mostSchemas} different ones. ${HOW_TO_ALLOW_MORE}.`;
    throw new ContractError(source, problem);
  }

  #keyOf({ always, bySome, isCondition }: Releases): string {
    const some = [...bySome].map(([name, chains]) => [
      name,
      [...chains].map((chain) => this.#idOf(chain)).sort((a, b) => a - b),
    ]);
    return JSON.stringify([[...always].sort(), some.sort(), some.length > 0 && isCondition]);
  }

  #idOf(one: object): number {
    const known = this.#ids.get(one) ?? this.#ids.size;
    this.#ids.set(one, known);
    return known;
  }
}

function mapValues(
  object: JsonObject,
  change: (value: unknown, key: string) => unknown,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value, key)]),
  );
}

/** A file with a value under the pointer of a place. */
function holding({ pointer, value }: Place): unknown {
  return pointer.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
}
