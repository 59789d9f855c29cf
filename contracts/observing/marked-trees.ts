import type { OpenApiDocument } from '../document/openapi/openapi-files.ts';
import { type StatedOperation, statedOperations } from '../document/openapi/openapi-operations.ts';
import { follow } from '../document/openapi/openapi-place.ts';
import { isObject } from '../wire/json.ts';
import { type Tree, treeOf, type TreeReading } from './tree.ts';

/** What is marked in the answers of an operation. */
export interface MarkedOperation {
  readonly stated: StatedOperation;
  readonly tree: Tree;
}

/** The operations of a document in whose successful JSON answers something is marked. */
export function markedTrees(document: OpenApiDocument, reading?: TreeReading): MarkedOperation[] {
  const { files } = document;
  return statedOperations(document).operations.flatMap((stated) => {
    const successes = [...stated.responses].filter(([status]) => isSuccess(status));
    const schemas = successes
      .flatMap(([, media]) => media)
      .flatMap(({ schema: url }) => {
        const place = url === undefined ? undefined : follow(files, url, url);
        if (place === undefined || !isObject(place.value)) return [];
        return [{ schema: place.value, file: place.file }];
      });
    const tree = schemas.length === 0 ? undefined : treeOf(files, schemas, reading);
    return tree === undefined ? [] : [{ stated, tree }];
  });
}

function isSuccess(status: string): boolean {
  return /^2(?:XX|\d\d)$/.test(status);
}
