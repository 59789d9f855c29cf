/** What a test gives for a request, as an exchange has it. */

import type { Contract, ContractOperation } from '../../contracts/document/schema.ts';
import { isObject } from '../../contracts/wire/json.ts';
import type { RecordedRequest } from '../../contracts/wire/exchange.ts';
import { bodyOf } from '../../fixtures/target/body/body.ts';
import { didYouMean } from '../near.ts';
import { jsonBody } from './answer-given.ts';
import { APIS } from '../apis.ts';

/** A request as a test writes it. */
export interface WrittenRequest {
  /** That of the operation when absent, else GET. */
  readonly method?: string;
  /** Path and query, or an absolute URL; the path of the operation when absent. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, any other value as JSON. */
  readonly body?: unknown;
}

/** A request, and the operation that it addresses. */
export interface AddressedRequest {
  readonly operation: ContractOperation;
  readonly request: RecordedRequest;
}

/**
 * @param given a `Request`, a {@link WrittenRequest}, a path or URL, or the JSON that the operation was
 *   sent; where it is absent, the plain request of the operation
 * @param named id of an operation, e.g. `zap.quote`; found by the request when absent
 * @param answeredAt the URL that the answer came from, where it tells
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

interface Parts extends Pick<RecordedRequest, 'headers' | 'body'> {
  readonly method?: string;
  readonly url?: string;
}

async function partsOf(given: unknown, method: string | undefined): Promise<Parts> {
  const nothing = { headers: [], body: null };
  if (given === undefined) return nothing;
  if (isRequest(given)) {
    if (given.bodyUsed) {
      throw new TypeError('the body of this request was read already; give a clone of it');
    }
    const bytes = new Uint8Array(await given.clone().arrayBuffer());
    const body = bytes.length === 0 ? null : bodyOf(bytes);
    return { method: given.method, url: given.url, headers: [...given.headers], body };
  }
  if (given instanceof URL || typeof given === 'string') return { ...nothing, url: String(given) };
  if (!isWritten(given)) return { method: method ?? 'POST', headers: [], body: jsonBody(given) };
  const { path, headers = {}, body } = given;
  return {
    ...(given.method === undefined ? {} : { method: given.method.toUpperCase() }),
    ...(path === undefined ? {} : { url: path }),
    headers: Object.entries(headers),
    body:
      body === undefined
        ? null
        : typeof body === 'string'
          ? { encoding: 'utf8', text: body }
          : jsonBody(body),
  };
}

/** Of whatever implementation: tests replace that of the platform. */
function isRequest(given: unknown): given is Request {
  return isObject(given) && typeof given.clone === 'function' && typeof given.url === 'string';
}

const OF_A_REQUEST: readonly string[] = ['method', 'path', 'headers', 'body'];

function isWritten(given: unknown): given is WrittenRequest {
  if (!isObject(given)) return false;
  const names = Object.keys(given);
  return names.length > 0 && names.every((name) => OF_A_REQUEST.includes(name));
}

function plainPath(operation: ContractOperation | undefined): string {
  if (operation === undefined) {
    throw new TypeError('nothing tells what was asked: give "operation", "request" or both');
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
