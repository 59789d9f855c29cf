/** How long a service asks to wait: the `Retry-After` field and the body's `retryAfter`. */

import { type HeaderList, headerOf } from './exchange.ts';
import { parseHttpDate } from './http-date.ts';

/** What a `Retry-After` field says (RFC 9110 section 10.2.3). */
export type RetryAfter =
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'date'; readonly epochMs: number }
  /** Neither whole seconds nor an HTTP date; decimals and signs are neither. */
  | { readonly kind: 'invalid'; readonly text: string };

/**
 * Reads the value of a `Retry-After` field. Seconds beyond the safe integers become the largest one.
 *
 * @param nowMs milliseconds since the epoch; see {@link parseHttpDate}
 */
export function parseRetryAfter(text: string, nowMs: number): RetryAfter {
  const value = text.trim();
  if (/^[0-9]+$/.test(value)) {
    return { kind: 'seconds', seconds: Math.min(Number(value), Number.MAX_SAFE_INTEGER) };
  }
  const epochMs = parseHttpDate(value, nowMs);
  return epochMs === undefined ? { kind: 'invalid', text } : { kind: 'date', epochMs };
}

/** The `retryAfter` of a parsed error body (document, section 7); its unit is not shown. */
export function bodyRetryAfter(json: unknown): number | undefined {
  if (typeof json !== 'object' || json === null || !('retryAfter' in json)) return undefined;
  const value = json.retryAfter;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/**
 * How many seconds a response asks to wait, never below 0: what its body says, read as seconds, or
 * else its `Retry-After` field, a date being taken against the response's own `Date` if it has one.
 *
 * @param json the parsed body, or undefined
 * @param nowMs when the response came, in milliseconds since the epoch
 * @returns undefined when neither can be read
 */
export function retryAfterSeconds(
  headers: HeaderList,
  json: unknown,
  nowMs: number,
): number | undefined {
  const seconds = bodyRetryAfter(json) ?? fieldSeconds(headers, nowMs);
  return seconds === undefined ? undefined : Math.max(0, seconds);
}

function fieldSeconds(headers: HeaderList, nowMs: number): number | undefined {
  const field = headerOf(headers, 'retry-after');
  if (field === undefined) return undefined;
  const retryAfter = parseRetryAfter(field, nowMs);
  if (retryAfter.kind === 'seconds') return retryAfter.seconds;
  if (retryAfter.kind === 'invalid') return undefined;
  const sentMs = parseHttpDate(headerOf(headers, 'date') ?? '', nowMs) ?? nowMs;
  return (retryAfter.epochMs - sentMs) / 1000;
}
