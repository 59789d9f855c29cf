import { isObject } from '../../contracts/wire/json.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { ClientRequest } from '../../target/transport/client.ts';

/** A request to be sent, alone or compared with others; its relations are added. */
export type TriedRequest = Omit<ClientRequest, 'relations'>;

/** The body as text, as it would be sent; undefined when there is none. */
export function bodyTextOf({ json, rawBody }: TriedRequest): string | undefined {
  if (json !== undefined) return JSON.stringify(json);
  return typeof rawBody === 'string' || rawBody === undefined
    ? rawBody
    : Buffer.from(rawBody).toString('latin1');
}

/** The JSON object that a text is, if writing it again gives the same text. */
export function objectIn(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const json = jsonOrUndefined(text);
  // A key given twice or an unusual number would be lost on the way.
  return isObject(json) && JSON.stringify(json) === text ? { ...json } : undefined;
}
