import { openApiOf } from '../document/openapi/openapi-document.ts';
import type { ContractFiles, ReadContract } from '../document/contract-files.ts';
import type { Contract } from '../document/schema.ts';
import type { Observer } from '../judging/ledger.ts';
import { foreignReading } from './foreign-marks.ts';
import { joinedOf } from './joined-observer.ts';
import { markedTrees } from './marked-trees.ts';
import { observerOf, rowsIn } from './marked-observers.ts';
import { idsIn } from './stated-ids.ts';
import type { Tree } from './tree.ts';

/** What watches a run, and sentences on marks that nothing is made of. */
export interface ContractObservers {
  readonly observers: readonly Observer[];
  readonly notices: readonly string[];
}

/** Rows that one document may add to the ledger. */
const MAX_ROWS = 50;
const MARK = 'x-unspecified';

/**
 * The observers of a service, and those that the marks of contracts ask for that somebody named. A mark
 * of a row that the service has already adds to what is collected for it.
 *
 * @param files what the contract was made of besides the service's own documents
 */
export function withContractMarks(
  own: readonly Observer[],
  contract: Pick<Contract, 'operations'>,
  files: ContractFiles,
): ContractObservers {
  const observers = new Map(own.map((observer) => [observer.id, observer]));
  const notices: string[] = [];
  for (const read of files) {
    if (!read.files.some(({ text }) => text.includes(MARK))) continue;
    const { found, leftOut } = observersIn(read, contract);
    for (const observer of found) {
      const known = observers.get(observer.id);
      const joined = known === undefined ? observer : joinedOf(known, observer);
      if (joined === undefined) leftOut.push(`marks ${observer.id}, a row of another kind`);
      else observers.set(observer.id, joined);
    }
    notices.push(...leftOut.map((what) => `The contract ${read.source} ${what}.`));
  }
  return { observers: [...observers.values()], notices };
}

function observersIn(
  read: ReadContract,
  contract: Pick<Contract, 'operations'>,
): { readonly found: readonly Observer[]; readonly leftOut: string[] } {
  const document = openApiOf(read, false);
  const reading = foreignReading();
  const idOf = idsIn(contract, read.api);
  const trees = new Map<string, Tree>();
  for (const { stated, tree } of markedTrees(document, reading)) {
    const id = idOf(stated);
    if (id !== undefined) trees.set(id, tree);
  }
  const leftOut = [...reading.leftOut()];
  const rows = rowsIn(trees, ({ ledger }) => {
    leftOut.push(`has marks of ${ledger} with two clauses: the first one holds`);
  });
  if (rows.length > MAX_ROWS) {
    leftOut.push(`marks more than ${MAX_ROWS} rows: the first ${MAX_ROWS} are observed`);
  }
  const found = rows.slice(0, MAX_ROWS).map((row) => observerOf(read.api, row, trees));
  return { found, leftOut: [...new Set(leftOut)] };
}
