import { isObject } from '../wire/json.ts';
import type { OpenApiDocument } from './openapi/openapi-files.ts';
import { patternOf } from '../patterns/pattern.ts';
import type { SchemaNode } from './schema-graph.ts';
import { shown } from './schema-graph.ts';
import { drop, loosenAround } from './schema-loosening.ts';

/** More notices of one contract are only counted. */
const MAX_NOTICES = 10;
const SHOWN_CHARACTERS = 80;

/**
 * Takes out of schemas patterns that cannot be run in linear time and references that depend on the way
 * to them, and with these whatever would be judged wrongly without them: what is left allows at least all
 * that the schemas allow.
 *
 * @returns a sentence on each
 */
export function dropUnsupported(document: OpenApiDocument, nodes: readonly SchemaNode[]): string[] {
  const { source } = document;
  const places: string[] = [];
  const looser = new Set<SchemaNode>();
  const unevaluable = new Set<SchemaNode>();
  for (const node of nodes) {
    for (const { what, text, reason, evaluates } of droppedOf(node)) {
      looser.add(node);
      if (evaluates) unevaluable.add(node);
      const named = `${what} ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}`;
      places.push(
        `The ${named} at ${shown(node.place)} of the contract ${source} is not checked: it ${reason}.`,
      );
    }
  }
  if (looser.size === 0) return [];
  loosenAround(document, nodes, looser, unevaluable);
  const more = places.length - MAX_NOTICES;
  return more <= 0
    ? places
    : [
        ...places.slice(0, MAX_NOTICES),
        `${more} more patterns and references of the contract ${source} are not checked.`,
      ];
}

/** What was taken out of a schema. */
interface Dropped {
  readonly what: 'pattern' | 'reference';
  readonly text: string;
  /** Continues a sentence that begins with it. */
  readonly reason: string;
  /** Whether it says of members or items that they are evaluated. */
  readonly evaluates: boolean;
}

function droppedOf({ schema }: SchemaNode): Dropped[] {
  const dropped: Dropped[] = [];
  const { pattern, patternProperties, $dynamicRef } = schema;
  if (typeof pattern === 'string') {
    const found = unsupported(pattern);
    if (found !== undefined) {
      dropped.push(found);
      drop(schema, 'pattern');
    }
  }
  if (typeof $dynamicRef === 'string') {
    const reason = 'leads to another schema by each way to it';
    dropped.push({ what: 'reference', text: $dynamicRef, reason, evaluates: true });
    drop(schema, '$dynamicRef');
  }
  if (!isObject(patternProperties)) return dropped;
  for (const name of Object.keys(patternProperties)) {
    const found = unsupported(name);
    if (found === undefined) continue;
    dropped.push({ ...found, evaluates: true });
    Reflect.deleteProperty(patternProperties, name);
    // Which members are the other ones is not known any more.
    drop(schema, 'additionalProperties');
  }
  return dropped;
}

function unsupported(text: string): Dropped | undefined {
  const found = patternOf(text);
  if (found.kind !== 'unsupported') return undefined;
  const reason = `${found.reason}, and only patterns that take linear time are run`;
  return { what: 'pattern', text, reason, evaluates: false };
}
