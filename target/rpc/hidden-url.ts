import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { isObject, member } from '../../contracts/wire/json.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { failed, type Transport } from '../transport/transport.ts';
import { basicOf } from './rpc-urls.ts';

/** Header fields of a node that anybody reads; others may hold anything. */
const KEPT_FIELDS: readonly string[] = ['content-type', 'retry-after'];

/**
 * A transport to a URL that stands in nothing that it gives back.
 *
 * @param parts of the URL, which no text of the node may repeat
 */
export function hidingUrl(transport: Transport, url: string, parts: readonly string[]): Transport {
  const own: HeaderList =
    new URL(url).username === '' ? [] : [['Authorization', `Basic ${basicOf(url)}`]];
  return async (request) => {
    try {
      const result = await transport({ ...request, url, headers: [...request.headers, ...own] });
      if (result.kind === 'failure') return failed(result.failure, WORDS[result.failure]);
      const headers = result.headers.filter(
        ([name, value]) => KEPT_FIELDS.includes(name.toLowerCase()) && !repeats(value, parts),
      );
      return { ...result, headers, body: withoutParts(result.body, parts) };
    } catch {
      return failed('connect', 'the URL of the node cannot be asked');
    }
  };
}

const REPEATS = 'what the node says is left out, since it repeats a part of its URL';

const repeats = (text: string, parts: readonly string[]): boolean =>
  parts.some((part) => text.toLowerCase().includes(part.toLowerCase()));

/** Data of a chain, which holds a short key by chance alone. */
const HEX = /^0x[0-9a-f]*$/i;

/** A value with {@link REPEATS} in place of each text in it that repeats a part of a URL. */
function withoutTexts(value: unknown, parts: readonly string[]): unknown {
  const cleared = (text: string): string =>
    !HEX.test(text) && repeats(text, parts) ? REPEATS : text;
  if (typeof value === 'string') return cleared(value);
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, parts));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, item]) => [cleared(name), withoutTexts(item, parts)]),
  );
}

/** What a node answered, but for texts that repeat a part of its URL; errors and pages are left out whole. */
function withoutParts(body: Uint8Array, parts: readonly string[]): Uint8Array {
  if (parts.length === 0) return body;
  const text = Buffer.from(body).toString('utf8');
  const json = jsonOrUndefined(text);
  const [id, error, result] = ['id', 'error', 'result'].map((name) => member(json, name));
  const unescaped = text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll('\\/', '/');
  if (!repeats(`${text} ${unescaped}`, parts)) return body;
  if (result !== undefined && error === undefined)
    return Buffer.from(JSON.stringify(withoutTexts(json, parts)));
  const kept = { id: numberOrNull(id), code: numberOrNull(member(error, 'code')) };
  const left = isObject(error)
    ? { jsonrpc: '2.0', id: kept.id, error: { code: kept.code, message: REPEATS } }
    : REPEATS;
  return Buffer.from(JSON.stringify(left));
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const WORDS = {
  connect: 'the node cannot be reached',
  timeout: 'the node did not answer in time',
  closed: 'the node broke off, or answered no HTTP',
  'too-large': 'the answer of the node is too large',
  encoding: 'the answer of the node cannot be decoded',
  machine: 'this machine could not send to the node',
} as const;
