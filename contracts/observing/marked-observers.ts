import type { Observer } from '../judging/ledger.ts';
import { ownDocuments } from '../document/own-documents.ts';
import type { OpenApiDocument } from '../document/openapi/openapi-files.ts';
import type { ContractOverride } from '../document/schema.ts';
import type { ApiName } from '../wire/exchange.ts';
import type { Branch } from './branch.ts';
import { branchOf, collectedFrom } from './branch.ts';
import { markedTrees } from './marked-trees.ts';
import type { Mark } from './marks.ts';
import { MarkError } from './marks.ts';
import { marksIn, type Tree } from './tree.ts';

/** The row that a mark fills, with its clause. */
export type MarkedRow = Pick<Mark, 'ledger' | 'clause'>;

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
  const trees = new Map<string, Tree>();
  for (const { stated, tree } of markedTrees(document)) {
    if (stated.operationId !== undefined) trees.set(stated.operationId, tree);
  }
  return rowsIn(trees, refuseOther).map((row) => observerOf(api, row, trees));
}

function refuseOther({ ledger, clause }: MarkedRow, known: string): never {
  throw new MarkError(`the marks of ${ledger} name two clauses: ${clause}, ${known}`);
}

/**
 * The rows that the marks of trees fill, in their order.
 *
 * @param onOther called with a row whose clause is another than the one that is known of it
 */
export function rowsIn(
  trees: ReadonlyMap<string, Tree>,
  onOther: (row: MarkedRow, known: string) => void,
): MarkedRow[] {
  const rows = new Map<string, string>();
  for (const { ledger, clause } of [...trees.values()].flatMap(marksIn)) {
    const known = rows.get(ledger) ?? clause;
    if (known !== clause) onOther({ ledger, clause }, known);
    rows.set(ledger, known);
  }
  return [...rows].map(([ledger, clause]) => ({ ledger, clause }));
}

/** The observer of a row over operations by their ids. */
export function observerOf(
  api: ApiName,
  { ledger: id, clause }: MarkedRow,
  trees: ReadonlyMap<string, Tree>,
): Observer {
  const ways = new Map<string, Branch>();
  for (const [operation, tree] of trees) {
    const branch = branchOf(tree, id);
    if (branch !== undefined) ways.set(operation, branch);
  }
  return {
    ...{ id, clause, api, operations: [...ways.keys()], answer: 'success' },
    observe: ({ operation, json }) => {
      const branch = ways.get(operation?.id ?? '');
      return branch === undefined ? [] : collectedFrom(branch, json);
    },
  };
}
