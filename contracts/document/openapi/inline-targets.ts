import type { OpenApiDocument } from './openapi-files.ts';
import { follow, urlOf } from './openapi-place.ts';
import { schemaGraph } from '../schema-graph.ts';

/**
 * Schemas that are used where they stand, and are referred to from elsewhere as well, as in bundled
 * documents: what stands there becomes the only part of a schema of its own, and references lead to that
 * part. So one use may be changed without the other.
 *
 * @param document is changed
 * @param urls of schemas that are used where they stand
 */
export function partInlineTargets(document: OpenApiDocument, urls: readonly string[]): void {
  const nodes = schemaGraph(document, urls);
  const edges = nodes.flatMap((node) => node.edges);
  const referred = new Set(edges.filter(({ keyword }) => keyword === '$ref').map(({ to }) => to));
  const roots = new Set(urls.map((url) => follow(document.files, url, url)?.value));
  const used = new Set(edges.filter(({ keyword }) => keyword !== '$ref').map(({ to }) => to));
  const both = nodes.filter(
    (node) => referred.has(node) && (used.has(node) || roots.has(node.schema)),
  );
  // What is within another one is moved with it.
  both.sort((a, b) => b.place.pointer.length - a.place.pointer.length);
  const schemas = nodes.map(({ schema }) => schema);
  for (const { place, schema } of both) {
    redirect(schemas, urlOf(place));
    const part = { ...schema };
    schemas.push(part);
    for (const keyword of Object.keys(schema)) Reflect.deleteProperty(schema, keyword);
    schema.allOf = [part];
  }
}

function redirect(schemas: readonly Record<string, unknown>[], url: string): void {
  for (const schema of schemas) {
    const { $ref } = schema;
    if (typeof $ref !== 'string' || !($ref === url || $ref.startsWith(`${url}/`))) continue;
    schema.$ref = `${url}/allOf/0${$ref.slice(url.length)}`;
  }
}
