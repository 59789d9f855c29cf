import type { Observer } from '../judging/ledger.ts';
import { fetchContractFiles } from '../document/fetch-contract.ts';
import type { OpenApiDocument } from '../document/openapi/openapi-files.ts';
import { openApiOf } from '../document/openapi/openapi-document.ts';
import { statedOperations } from '../document/openapi/openapi-operations.ts';
import { follow } from '../document/openapi/openapi-place.ts';
import type { ContractOverride } from '../document/schema.ts';
import { schemaGraph } from '../document/schema-graph.ts';
import type { ApiName } from '../wire/exchange.ts';
import { isObject } from '../wire/json.ts';
import type { Branch } from './branch.ts';
import { branchOf, collectedFrom } from './branch.ts';
import type { Mark } from './marks.ts';
import { MarkError, marksOf } from './marks.ts';

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
  const read = await fetchContractFiles(documents);
  return read.flatMap((contract) => observersOf(contract.api, openApiOf(contract, false)));
}

/** A successful JSON answer that is stated: the operation, and the URL of its schema. */
interface StatedAnswer {
  readonly operation: string;
  readonly url: string;
}

function observersOf(api: ApiName, document: OpenApiDocument): Observer[] {
  const answers = statedOperations(document).operations.flatMap(
    ({ operationId: operation, responses }): StatedAnswer[] => {
      const url = responses.get('2XX');
      return operation === undefined || url === undefined ? [] : [{ operation, url }];
    },
  );
  const graph = schemaGraph(
    document,
    answers.map(({ url }) => url),
  );
  return [...rowsIn(graph.flatMap(({ schema }) => marksOf(schema)))].map(([ledger, clause]) =>
    observerOf(api, { ledger, clause }, waysTo(ledger, document, answers)),
  );
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

function waysTo(
  ledger: string,
  { files }: OpenApiDocument,
  answers: readonly StatedAnswer[],
): ReadonlyMap<string, Branch> {
  const ways = new Map<string, Branch>();
  for (const { operation, url } of answers) {
    const place = follow(files, url, url);
    if (place === undefined || !isObject(place.value)) continue;
    const branch = branchOf({ files, ledger }, [{ schema: place.value, file: place.file }]);
    if (branch !== undefined) ways.set(operation, branch);
  }
  return ways;
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
