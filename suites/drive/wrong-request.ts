import type { Contract } from '../../contracts/document/schema.ts';
import type { Rendered } from '../../fixtures/arbitraries/deviation.ts';
import type { Defect } from '../../fixtures/wrong/defect.ts';
import { sentOf } from './as-generated.ts';
import type { TriedRequest } from './tried-request.ts';

/**
 * A request of an operation, by its body.
 *
 * @param json left out if it has none
 * @throws RangeError when the contract has no such operation
 */
export function requestOf(contract: Contract, id: string, json?: unknown): Rendered {
  const operation = contract.operation(id);
  if (operation === undefined) throw new RangeError(`the contract has no operation ${id}`);
  const { api, method, pathTemplate: path } = operation;
  return { api, method, path, ...(json === undefined ? {} : { body: JSON.stringify(json) }) };
}

/** A right request with a defect, as it is sent without a credential. */
export function wrongRequest(right: Rendered, { name, apply }: Defect): TriedRequest {
  return sentOf({ ...apply(right), purpose: { kind: 'invalid', defect: name } });
}
