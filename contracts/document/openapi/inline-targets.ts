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
  const moved = new Set(both.map(({ place }) => urlOf(place)));
  for (const { schema } of nodes) {
    if (typeof schema.$ref === 'string') schema.$ref = movedUrl(schema.$ref, moved);
  }
  for (const { schema } of both) {
    const part = { ...schema };
    for (const keyword of Object.keys(schema)) Reflect.deleteProperty(schema, keyword);
    schema.allOf = [part];
  }
}

/** Where a URL leads once each of some schemas around its target, or the target, is a part. */
function movedUrl(url: string, moved: ReadonlySet<string>): string {
  const [start = '', ...steps] = splitUrl(url);
  let [before, after] = [start, start];
  if (moved.has(before)) after += '/allOf/0';
  for (const step of steps) {
    before += `/${step}`;
    after += `/${step}`;
    if (moved.has(before)) after += '/allOf/0';
  }
  return after;
}

/** A URL up to its fragment, and the steps of the JSON pointer in it. */
function splitUrl(url: string): string[] {
  const at = url.indexOf('#') + 1;
  return [url.slice(0, at), ...url.slice(at).split('/').slice(1)];
}
