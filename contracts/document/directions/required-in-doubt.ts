import { isObject, type JsonObject, listOf } from '../../wire/json.ts';
import { MovedParts } from '../openapi/moved-parts.ts';
import type { OpenApiDocument } from '../openapi/openapi-files.ts';
import { type Place, urlOf } from '../openapi/openapi-place.ts';
import { schemaGraph, type SchemaNode, spread } from '../schema-graph.ts';

/** A keyword that can refuse a value since a part of it allows more. */
type Turning = 'oneOf' | 'not' | 'if' | 'contains';

/**
 * Whether some schema can refuse a value only because others in it require less.
 *
 * @param nodes all schemas of a graph
 * @param looser those that require less
 */
export function isTurned(nodes: readonly SchemaNode[], looser: ReadonlySet<SchemaNode>): boolean {
  const around = spread(nodes, looser);
  return nodes.some((node) => turningOf(node, around).size > 0);
}

/**
 * A document that refuses what is wrong whether or not a member is needed of which this is in doubt, at
 * each place anew, and nothing else. Each schema stands in it twice: as it accepts all that is possibly
 * right, and as it accepts only what is certainly right. `not` leads from one to the other.
 *
 * @param loose the document without what is in doubt, otherwise the same as `strict`
 * @param strict the document with it
 * @param urls of the schemas that are asked for
 */
export function inDoubt(
  loose: OpenApiDocument,
  strict: OpenApiDocument,
  urls: readonly string[],
): OpenApiDocument {
  const [possible, certain] = [readingOf(loose, urls), readingOf(strict, urls)];
  // The two have the same schemas, in the same order.
  const twins = possible.nodes.map((node, at) => [node, certain.nodes[at] ?? node] as const);
  const looser = twins.flatMap(([mine, twin]) => (requiresLess(mine, twin) ? [mine] : []));
  const around = spread(possible.nodes, looser);
  const turning = new Map(possible.nodes.map((node) => [node, turningOf(node, around)]));
  const moved = new MovedParts();
  for (const [mine, twin] of twins) {
    for (const keyword of asideOf(turning.get(mine))) {
      setAside(mine.schema, keyword);
      setAside(twin.schema, keyword);
      moved.note(mine.schema, keyword, [aside(keyword)]);
    }
  }
  const possibleUrl = (place: Place): string => urlOf(moved.placeOf(possible.files, place));
  const certainUrl = (place: Place): string => {
    const { file, pointer, value } = moved.placeOf(possible.files, place);
    return urlOf({ file: certainFile(file), pointer, value });
  };
  for (const [mine, twin] of twins) {
    const keywords = turning.get(mine) ?? new Set();
    write(mine, keywords, { own: possibleUrl, other: certainUrl, isCertain: false });
    write(twin, keywords, { own: certainUrl, other: possibleUrl, isCertain: true });
  }
  const twinFiles = [...certain.files].map(([url, file]) => [certainFile(url), file] as const);
  const files = new Map([...possible.files, ...twinFiles]);
  // They were counted if they stand once.
  return { ...loose, files, limits: { ...loose.limits, mostSchemas: Infinity } };
}

function readingOf(
  document: OpenApiDocument,
  urls: readonly string[],
): Pick<OpenApiDocument, 'files'> & { readonly nodes: readonly SchemaNode[] } {
  const files = structuredClone(document.files);
  return { files, nodes: schemaGraph({ ...document, files }, urls) };
}

function requiresLess({ schema }: SchemaNode, twin: SchemaNode): boolean {
  const names = new Set(listOf(schema.required));
  return listOf(twin.schema.required).some((name) => !names.has(name));
}

function turningOf(
  { schema, edges }: SchemaNode,
  looser: ReadonlySet<SchemaNode>,
): ReadonlySet<Turning> {
  const keywords = edges.flatMap(({ keyword, to }): Turning[] => {
    if (!looser.has(to)) return [];
    if (keyword === 'oneOf' || keyword === 'not' || keyword === 'if') return [keyword];
    return keyword === 'contains' && schema.maxContains !== undefined ? [keyword] : [];
  });
  return new Set(keywords);
}

/** What no longer applies where it stands, given the keywords that turn doubts. */
function asideOf(turning: ReadonlySet<Turning> = new Set()): string[] {
  return [...turning].flatMap((keyword) => {
    if (keyword === 'if') return ['if', 'then', 'else'];
    return keyword === 'contains' ? [] : [keyword];
  });
}

const aside = (keyword: string): string => `x-stated-${keyword}`;

function setAside(schema: Record<string, unknown>, keyword: string): void {
  // A document may have a keyword of this name, which says nothing.
  Reflect.deleteProperty(schema, aside(keyword));
  if (!Object.hasOwn(schema, keyword)) return;
  schema[aside(keyword)] = schema[keyword];
  Reflect.deleteProperty(schema, keyword);
}

function certainFile(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}certain`;
}

/** One of the two ways in which schemas accept, and the other. */
interface Way {
  readonly own: (place: Place) => string;
  readonly other: (place: Place) => string;
  readonly isCertain: boolean;
}

function write(node: SchemaNode, keywords: ReadonlySet<Turning>, way: Way): void {
  const { schema, edges } = node;
  const target = edges.find(({ keyword }) => keyword === '$ref')?.to;
  if (target !== undefined) schema.$ref = way.own(target.place);
  if (keywords.size === 0) return;
  const forms = [...keywords].flatMap((keyword) => FORMS[keyword](node, way));
  schema.allOf = [...listOf(schema.allOf), ...forms];
  if (keywords.has('contains')) Reflect.deleteProperty(schema, 'maxContains');
}

/** What each keyword says, of schemas that accept in one way and of the same ones in the other. */
const FORMS: Readonly<Record<Turning, (node: SchemaNode, way: Way) => readonly JsonObject[]>> = {
  oneOf: (node, { own, other }) => {
    const branches = listOf(node.schema[aside('oneOf')]).map((_, at) => ['oneOf', String(at)]);
    const others = branches.map((steps) => part(node, steps, other));
    return [
      { anyOf: branches.map((steps) => part(node, steps, own)) },
      {
        not: { allOf: [{ not: { oneOf: others } }, { anyOf: others }] },
        'x-expected': `exactly one of the ${others.length} alternatives`,
      },
    ];
  },
  not: (node, { other }) => [{ not: part(node, ['not'], other) }],
  if: (node, { own, other, isCertain }) => {
    const [then, otherwise] = [part(node, ['then'], own), part(node, ['else'], own)];
    const [possible, certain] = isCertain ? [other, own] : [own, other];
    const isDoubtful = isCertain
      ? { allOf: [unevaluating(then), unevaluating(otherwise)] }
      : { anyOf: [then, otherwise] };
    const doubt = {
      if: unevaluating(part(node, ['if'], possible)),
      then: isDoubtful,
      else: otherwise,
    };
    return [
      // Says what is evaluated.
      { if: part(node, ['if'], own) },
      { if: unevaluating(part(node, ['if'], certain)), then, else: doubt },
    ];
  },
  contains: (node, { other, isCertain }) => {
    const { maxContains } = node.schema;
    const most = {
      contains: part(node, ['contains'], other),
      minContains: 0,
      maxContains,
      'x-expected': `at most ${String(maxContains)} items of the kind that is counted`,
    };
    return [isCertain ? unevaluating(most) : most];
  },
};

/** What stands at a place in a schema, by its URL; what is missing accepts everything. */
function part(
  node: SchemaNode,
  steps: readonly string[],
  urlAt: (place: Place) => string,
): unknown {
  const { place, schema } = node;
  const [keyword = '', ...rest] = steps;
  const held = schema[aside(keyword)] ?? schema[keyword];
  const value = rest.reduce<unknown>((holder, step) => listOf(holder)[Number(step)], held);
  if (!isObject(value)) return value ?? true;
  return { $ref: urlAt({ ...place, pointer: [...place.pointer, ...steps] }) };
}

/** The same of a value, without saying of its members and items that they are evaluated. */
function unevaluating(schema: unknown): JsonObject {
  return { not: { not: schema } };
}
