import type { Observer } from '../judging/ledger.ts';
import { ownDocuments } from '../document/own-documents.ts';
import type { OpenApiDocument } from '../document/openapi/openapi-files.ts';
import { statedOperations } from '../document/openapi/openapi-operations.ts';
import { follow } from '../document/openapi/openapi-place.ts';
import type { ContractOverride } from '../document/schema.ts';
import type { ApiName } from '../wire/exchange.ts';
import { isObject } from '../wire/json.ts';
import type { Branch, Tree } from './branch.ts';
import { branchOf, collectedFrom, marksIn, treeOf } from './branch.ts';
import type { Mark } from './marks.ts';
import { MarkError } from './marks.ts';

/**
 * The observers that the marks of a service's own documents ask for: one for each row of the ledger,
 * in the order of the documents. They look at successful answers of documented operations.
 *
 * @throws ContractError when a document cannot be used
 * @throws MarkError when a mark is none, or two of one row differ in their clause
 */
export async function markedObservers(
  documents: readonly ContractOverride[],
): Promise<readonly Observer[]> {
  const own = await ownDocuments(documents);
  return own.flatMap(({ api, document }) => observersOf(api, document));
}

function observersOf(api: ApiName, document: OpenApiDocument): Observer[] {
  const trees = treesOf(document);
  const marks = [...trees.values()].flatMap(marksIn);
  return [...rowsIn(marks)].map(([ledger, clause]) => {
    const ways = new Map<string, Branch>();
    for (const [operation, tree] of trees) {
      const branch = branchOf(tree, ledger);
      if (branch !== undefined) ways.set(operation, branch);
    }
    return observerOf(api, { ledger, clause }, ways);
  });
}

/** What is marked in the successful JSON answers of each operation. */
function treesOf(document: OpenApiDocument): ReadonlyMap<string, Tree> {
  const { files } = document;
  const trees = new Map<string, Tree>();
  for (const { operationId, responses } of statedOperations(document).operations) {
    const url = responses.get('2XX');
    const place = url === undefined ? undefined : follow(files, url, url);
    if (operationId === undefined || place === undefined || !isObject(place.value)) continue;
    const tree = treeOf(files, [{ schema: place.value, file: place.file }]);
    if (tree !== undefined) trees.set(operationId, tree);
  }
  return trees;
}

/** The rows that marks fill, with their clauses. */
function rowsIn(marks: readonly Mark[]): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  for (const { ledger, clause } of marks) {
    if ((rows.get(ledger) ?? clause) !== clause) {
      throw new MarkError(
        `the marks of ${ledger} name two clauses: ${clause}, ${rows.get(ledger)}`,
      );
    }
    rows.set(ledger, clause);
  }
  return rows;
}

function observerOf(
  api: ApiName,
  { ledger: id, clause }: Pick<Mark, 'ledger' | 'clause'>,
  ways: ReadonlyMap<string, Branch>,
): Observer {
  return {
    ...{ id, clause, api, operations: [...ways.keys()], answer: 'success' },
    observe: ({ operation, json }) => {
      const branch = ways.get(operation?.id ?? '');
      return branch === undefined ? [] : collectedFrom(branch, json);
    },
  };
}
