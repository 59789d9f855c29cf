import type { OpenApiDocument } from '../openapi/openapi-files.ts';
import {
  answerUrlsOf,
  requestUrlsOf,
  type StatedOperation,
} from '../openapi/openapi-operations.ts';
import { isObject, type JsonObject, listOf } from '../../wire/json.ts';
import { schemaGraph, type SchemaNode } from '../schema-graph.ts';
import { inDoubt } from './required-in-doubt.ts';
import { oneWay } from './one-way.ts';

/** A document as requests are judged by it, and as answers are. */
export interface Directions {
  readonly requests: Direction;
  readonly answers: Direction;
}

/** A document as bodies that go one way are judged by it. */
export interface Direction {
  readonly document: OpenApiDocument;
  /**
   * The one that has the last word on what `document` refuses. A body may have the members that
   * `document` does not require, and a choice between schemas may depend on them. Made when first asked
   * for; undefined if it would say the same.
   */
  readonly inDoubt?: (() => OpenApiDocument) | undefined;
}

/**
 * Requests need no member that is `readOnly`, and answers none that is `writeOnly`, though `required`
 * lists it (OpenAPI 3.0.3, section 4.7.24.2). Both are the document itself if it has neither.
 *
 * @throws ContractError when too many schemas with such members are made of one another
 */
export function directionsOf(
  given: OpenApiDocument,
  operations: readonly StatedOperation[],
): Directions {
  if (!given.hasDirections) {
    const both = { document: given };
    return { requests: both, answers: both };
  }
  const [requestUrls, answerUrls] = [
    operations.flatMap(requestUrlsOf),
    operations.flatMap(answerUrlsOf),
  ];
  const stated = requiredAlone(given, [...requestUrls, ...answerUrls]);
  const without = (word: string, urls: readonly string[]): Direction => {
    const { document, isInDoubt } = oneWay(stated, urls, word, false);
    if (!isInDoubt) return { document };
    return {
      document,
      inDoubt: () => inDoubt(document, oneWay(stated, urls, word, true).document, urls),
    };
  };
  return {
    requests: without('readOnly', requestUrls),
    answers: without('writeOnly', answerUrls),
  };
}

/** The document with all names of members that have to be there under `required`. */
function requiredAlone(given: OpenApiDocument, urls: readonly string[]): OpenApiDocument {
  const isNames = ({ schema: { dependentRequired } }: SchemaNode): boolean =>
    isObject(dependentRequired) && Object.values(dependentRequired).every(Array.isArray);
  if (!schemaGraph(given, urls).some(isNames)) return given;
  const document = { ...given, files: structuredClone(given.files) };
  for (const { schema } of schemaGraph(document, urls).filter(isNames)) {
    const entries = Object.entries(schema.dependentRequired as JsonObject);
    const dependentSchemas = Object.fromEntries(
      entries.map(([name, required]) => [name, { required }]),
    );
    schema.allOf = [...listOf(schema.allOf), { dependentSchemas }];
    Reflect.deleteProperty(schema, 'dependentRequired');
  }
  return document;
}
