import { progressed } from './large/progress.ts';
import { ContractError } from './contract-error.ts';
import { HOW_TO_ALLOW_MORE, MAX_NAME_PATTERNS } from './contract-limits.ts';
import { isObject } from '../wire/json.ts';
import type { OpenApiDocument } from './openapi/openapi-files.ts';
import type { Place } from './openapi/openapi-place.ts';
import { follow, leadsNowhere, urlOf } from './openapi/openapi-place.ts';
import { APPLICATORS } from './openapi/schema-keywords.ts';

/** A schema of a document, and those that it is made of. */
export interface SchemaNode {
  readonly place: Place;
  /** The object that the place holds; changes to it change the document. */
  readonly schema: Record<string, unknown>;
  readonly edges: readonly SchemaEdge[];
}

/** One schema in another. */
export interface SchemaEdge {
  readonly to: SchemaNode;
  readonly keyword: string;
  /** Whether it is for the same value, and not for a part of it. */
  readonly isInPlace: boolean;
}

/** What a graph needs to know of a document. */
export type SchemaFiles = Pick<OpenApiDocument, 'source' | 'url' | 'files' | 'limits'>;

/**
 * All schemas that some lead to, references followed.
 *
 * @param urls of schemas in files of the document
 * @throws ContractError when there are too many, a reference leads nowhere, or a schema is made of itself
 *   without a value in between
 */
export function schemaGraph(document: SchemaFiles, urls: readonly string[]): SchemaNode[] {
  const {
    files,
    source,
    limits: { mostSchemas },
  } = document;
  const nodes = new Map<object, SchemaNode & { readonly edges: SchemaEdge[] }>();

  function nodeAt(place: Place): SchemaNode | undefined {
    const { value } = place;
    if (!isObject(value)) return undefined;
    let node = nodes.get(value);
    if (node === undefined) {
      if (nodes.size >= mostSchemas) {
        throw new ContractError(
          source,
          `leads to more than ${mostSchemas} schemas. ${HOW_TO_ALLOW_MORE}.`,
        );
      }
      node = { place, schema: value, edges: [] };
      nodes.set(value, node);
    }
    return node;
  }

  for (const url of urls) {
    const place = follow(files, url, url);
    if (place !== undefined) nodeAt(place);
  }
  // More come while the first ones are looked at.
  for (const { place, schema, edges } of nodes.values()) {
    progressed();
    if (Object.keys(schema.patternProperties ?? {}).length > MAX_NAME_PATTERNS) {
      const problem = `has more than ${MAX_NAME_PATTERNS} patternProperties at ${shown(place)}.`;
      throw new ContractError(source, problem);
    }
    for (const { keyword, isInPlace, at } of partsOf(document, place, schema)) {
      const to = nodeAt(at);
      if (to !== undefined) edges.push({ to, keyword, isInPlace });
    }
  }
  const all = [...nodes.values()];
  requireEnds(source, all);
  return all;
}

/** Some schemas and all that are made of them, by edges of a kind. */
export function spread(
  nodes: readonly SchemaNode[],
  some: Iterable<SchemaNode>,
  isFollowed: (edge: SchemaEdge) => boolean = () => true,
): ReadonlySet<SchemaNode> {
  const holders = new Map<SchemaNode, SchemaNode[]>();
  for (const node of nodes) {
    for (const edge of node.edges) {
      if (!isFollowed(edge)) continue;
      const known = holders.get(edge.to);
      if (known === undefined) holders.set(edge.to, [node]);
      else known.push(node);
    }
  }
  const found = new Set(some);
  // More come while the first ones are looked at.
  for (const node of found) for (const holder of holders.get(node) ?? []) found.add(holder);
  return found;
}

interface SchemaPart {
  readonly keyword: string;
  readonly isInPlace: boolean;
  readonly at: Place;
}

function* partsOf(
  { files, source, url }: SchemaFiles,
  { file, pointer }: Place,
  schema: Readonly<Record<string, unknown>>,
): Generator<SchemaPart> {
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    const at = follow(files, $ref, file);
    if (at === undefined) {
      throw leadsNowhere(source, $ref, pointer, file === url ? undefined : file);
    }
    if (!isObject(at.value) && typeof at.value !== 'boolean') {
      const named = $ref.replace(`${file}#`, '#');
      const problem = `refers to ${named} at ${shown({ file, pointer, value: schema })}, which is no schema but ${kindOf(at.value)}.`;
      throw new ContractError(source, problem);
    }
    yield { keyword: '$ref', isInPlace: true, at };
  } else if ($ref !== undefined) {
    const problem = `has a $ref at ${shown({ file, pointer, value: schema })} that is ${kindOf($ref)}; a reference has to be a text.`;
    throw new ContractError(source, problem);
  }
  for (const [keyword, [form, isInPlace]] of Object.entries(APPLICATORS)) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const value = schema[keyword];
    const at = (inner: unknown, ...steps: string[]): SchemaPart => {
      const place = { file, pointer: [...pointer, keyword, ...steps], value: inner };
      // Of `dependencies`, lists of names are none either.
      const isNames = keyword === 'dependencies' && Array.isArray(inner);
      if (!isObject(inner) && typeof inner !== 'boolean' && !isNames) {
        const problem = `has ${kindOf(inner)} at ${shown(place)}; a schema has to stand there.`;
        throw new ContractError(source, problem);
      }
      return { keyword, isInPlace, at: place };
    };
    if (form === 'one') yield at(value);
    else if (form === 'list' ? Array.isArray(value) : isObject(value)) {
      for (const [step, inner] of Object.entries(value as object)) yield at(inner, step);
    }
  }
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? 'a list' : 'an object';
  }
  return String(value);
}

/** Looks for schemas that are made of themselves: no value can ever be validated by them. */
function requireEnds(source: string, nodes: readonly SchemaNode[]): void {
  const done = new Set<SchemaNode>();
  for (const start of nodes) {
    const way: { readonly node: SchemaNode; next: number }[] = [];
    const open = new Set<SchemaNode>();
    const enter = (node: SchemaNode): void => {
      if (open.has(node)) {
        const problem = `has a schema at ${shown(node.place)} that is made of itself, so that nothing can be held against it.`;
        throw new ContractError(source, problem);
      }
      if (done.has(node)) return;
      open.add(node);
      way.push({ node, next: 0 });
    };
    enter(start);
    for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
      const edge = last.node.edges[last.next];
      last.next += 1;
      if (edge === undefined) {
        way.pop();
        open.delete(last.node);
        done.add(last.node);
      } else if (edge.isInPlace) enter(edge.to);
    }
  }
}

/** Where a schema stands, for people. */
export function shown(place: Place): string {
  return decodeURI(urlOf(place).replace(/^[^#]*/, ''));
}
