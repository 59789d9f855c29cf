/** What a test gives for a request, as an exchange has it. */

import type { Contract, ContractOperation } from '../../contracts/document/schema.ts';
import type { RecordedRequest } from '../../contracts/wire/exchange.ts';
import { didYouMean } from '../near.ts';
import { APIS } from '../apis.ts';
import { partsOf } from './written-request.ts';

/** A request, and the operation that it addresses. */
export interface AddressedRequest {
  readonly operation: ContractOperation;
  readonly request: RecordedRequest;
}

/**
 * @param given a `Request`, a {@link WrittenRequest}, a path or URL, or the JSON that the operation was
 *   sent; if it is absent, the plain request of the operation
 * @param named id of an operation, e.g. `zap.quote`; found by the request when absent
 * @param answeredAt the URL that the answer came from, if it says so
 * @throws TypeError when there is no such operation, or the request addresses another
 */
export async function requestOf(
  given: unknown,
  named: string | undefined,
  contract: Contract,
  answeredAt = '',
): Promise<AddressedRequest> {
  const operation = named === undefined ? undefined : operationOf(named, contract);
  const { method: stated, url, headers, body } = await partsOf(given, operation?.method);
  const method = stated ?? operation?.method ?? 'GET';
  const asked = url ?? (answeredAt === '' ? undefined : answeredAt);
  const target = asked ?? plainPath(operation);
  const { pathname, search } = new URL(target, 'http://127.0.0.1');
  const found = addressed(contract, method, pathname, operation);
  if (found === undefined) {
    const what =
      operation === undefined
        ? 'no operation'
        : `not ${operation.id}, which is ${operation.method} ${operation.pathTemplate}`;
    throw new TypeError(`${method} ${pathname} addresses ${what}: give "request" as it was sent`);
  }
  const path = found.path + search;
  const request = { method, url: URL.canParse(target) ? target : `http://127.0.0.1${path}`, path };
  return { operation: found.operation, request: { ...request, headers, body } };
}

function operationOf(id: string, contract: Contract): ContractOperation {
  const found = contract.operation(id);
  if (found !== undefined) return found;
  const known = contract.operations.map((one) => one.id);
  throw new TypeError(`there is no operation ${id}.${didYouMean(id, known)}`);
}

function plainPath(operation: ContractOperation | undefined): string {
  if (operation === undefined) {
    throw new TypeError('nothing says what was asked: give "operation", "request" or both');
  }
  const { id, pathTemplate } = operation;
  if (!pathTemplate.includes('{')) return pathTemplate;
  throw new TypeError(`${id} is asked by ${pathTemplate}: give "request" as it was sent`);
}

/** What a path addresses, whatever prefix of a base URL stands before it. */
function addressed(
  contract: Contract,
  method: string,
  whole: string,
  wanted: ContractOperation | undefined,
): { readonly operation: ContractOperation; readonly path: string } | undefined {
  for (let at = 0; at >= 0; at = whole.indexOf('/', at + 1)) {
    const path = whole.slice(at);
    for (const api of wanted === undefined ? APIS : [wanted.api]) {
      const operation = contract.find(api, method, path);
      if (operation !== undefined && (wanted === undefined || operation.id === wanted.id)) {
        return { operation, path };
      }
    }
  }
  return undefined;
}
