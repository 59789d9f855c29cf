import { isObject } from '../../contracts/wire/json.ts';
import type { RecordedRequest } from '../../contracts/wire/exchange.ts';
import { bodyOf } from '../../target/body/body.ts';
import { jsonBody } from './answer-given.ts';

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

interface Parts extends Pick<RecordedRequest, 'headers' | 'body'> {
  readonly method?: string;
  readonly url?: string;
}

/**
 * The parts of a request that a test gives, in any of its forms; no method and no URL if it states none.
 *
 * @param method that of the operation, for a bare body; POST when absent
 * @throws TypeError when its body was read already
 */
export async function partsOf(given: unknown, method: string | undefined): Promise<Parts> {
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
