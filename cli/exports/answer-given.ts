/** What a test gives for an answer, as an exchange has it. */

import { isObject } from '../../contracts/wire/json.ts';
import type {
  Body,
  Exchange,
  HeaderList,
  RecordedResponse,
} from '../../contracts/wire/exchange.ts';
import { bodyOf } from '../../target/body/body.ts';

/** An answer as a mock has it. */
export interface MockedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, any other value as JSON. */
  readonly body?: unknown;
}

const JSON_TYPE: HeaderList = [['content-type', 'application/json']];

/**
 * @param given a `Response`, a {@link MockedAnswer}, or the JSON of a success
 * @throws TypeError when the body of the response was read already, or the value is no JSON
 */
export async function answerOf(given: unknown): Promise<RecordedResponse> {
  if (isResponse(given)) {
    if (given.bodyUsed) {
      throw new TypeError(
        'the body of this response was read already; expect it before, or a clone',
      );
    }
    const bytes = new Uint8Array(await given.clone().arrayBuffer());
    return { status: given.status, headers: [...given.headers], body: bodyOf(bytes) };
  }
  if (!isMocked(given)) return { status: 200, headers: JSON_TYPE, body: jsonBody(given) };
  const { status, headers = {}, body } = given;
  const named = Object.entries(headers);
  if (body === undefined || typeof body === 'string') {
    return { status, headers: named, body: { encoding: 'utf8', text: body ?? '' } };
  }
  const hasType = named.some(([name]) => name.toLowerCase() === 'content-type');
  return { status, headers: hasType ? named : [...named, ...JSON_TYPE], body: jsonBody(body) };
}

/** A value as the body of a message. @throws TypeError when it is no JSON */
export function jsonBody(value: unknown): Body {
  // What has no JSON, such as a function, makes undefined, whatever the types say.
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined)
    throw new TypeError(
      `${typeof value} is no answer: give a Response, an exchange, { status, headers, body }, or JSON`,
    );
  return { encoding: 'utf8', text };
}

/** Whether a value is an exchange of a record. */
export function isExchange(given: unknown): given is Exchange {
  return isObject(given) && isObject(given.request) && isObject(given.outcome) && 'api' in given;
}

/** Of whatever implementation: tests replace that of the platform. */
export function isResponse(given: unknown): given is Response {
  return isObject(given) && typeof given.clone === 'function' && typeof given.status === 'number';
}

const OF_A_MOCK: readonly string[] = ['status', 'headers', 'body'];

/** The body of an error or a success may have a member `status` as well. */
function isMocked(given: unknown): given is MockedAnswer {
  if (!isObject(given)) return false;
  const { status } = given;
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 100;
  return isStatus && Object.keys(given).every((name) => OF_A_MOCK.includes(name));
}
