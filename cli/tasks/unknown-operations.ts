import { UsageError } from '../exit-code.ts';
import { didYouMean } from '../near.ts';

/**
 * An operation of a mix that no contract has is a mistake: less would be asked for than somebody
 * wants.
 *
 * @throws UsageError when there is one
 */
export function refuseUnknownOperations(
  known: readonly string[],
  operations: readonly string[],
): void {
  const unknown = operations.find((operation) => !known.includes(operation));
  if (unknown === undefined) return;
  throw new UsageError(
    `the mix asks for "${unknown}", which is no operation of the contract.${didYouMean(unknown, known)} There are ${known.join(', ')}.`,
  );
}
