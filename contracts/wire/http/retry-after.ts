/** How long a service asks to wait: its `Retry-After` field, and what the body of a rejection announces. */

import { type HeaderList, headerOf } from '../exchange.ts';
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

/**
 * The waits that a response announces, in seconds, the most binding first; none when it says nothing.
 * What its body announces is read as seconds. The `Retry-After` field, never below 0, counts when that
 * makes no sense, which is not checked here. A date is taken against the response's own `Date` if it has
 * one.
 *
 * @param bodyWait what the body announces, as it stands there
 * @param nowMs when the response came, in milliseconds since the epoch
 */
export function announcedSeconds(bodyWait: unknown, headers: HeaderList, nowMs: number): number[] {
  const inBody = Number.isFinite(bodyWait) ? Number(bodyWait) : undefined;
  return [inBody, fieldSeconds(headers, nowMs)].filter((seconds) => seconds !== undefined);
}

function fieldSeconds(headers: HeaderList, nowMs: number): number | undefined {
  const field = headerOf(headers, 'retry-after');
  if (field === undefined) return undefined;
  const retryAfter = parseRetryAfter(field, nowMs);
  if (retryAfter.kind === 'invalid') return undefined;
  if (retryAfter.kind === 'seconds') return retryAfter.seconds;
  const sentMs = parseHttpDate(headerOf(headers, 'date') ?? '', nowMs) ?? nowMs;
  return Math.max(0, (retryAfter.epochMs - sentMs) / 1000);
}
