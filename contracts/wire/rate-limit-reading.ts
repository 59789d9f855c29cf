/** What rate-limit fields say, in one form for all families. */

import type { FieldValue } from './http/field-list.ts';

/**
 * `x-ratelimit`, `x-rate-limit`: `X-RateLimit-Limit`, `-Remaining`, `-Reset`, of no specification ·
 * `separate`: `RateLimit-Limit`, `-Remaining`, `-Reset` of draft-ietf-httpapi-ratelimit-headers-03
 * to -06 · `combined`: `RateLimit: limit=…, remaining=…, reset=…` of -07 · `structured`:
 * `RateLimit: "name";r=…;t=…` and `RateLimit-Policy: "name";q=…;w=…` of -08 to -10.
 */
export type RateLimitFamily =
  'x-ratelimit' | 'x-rate-limit' | 'separate' | 'combined' | 'structured';

/** A number of requests, or other units, in a window. */
export interface RateLimitPolicy {
  readonly name?: string;
  readonly limit: number;
  readonly windowSeconds?: number;
  /** Whose quota it is (parameter `pk` of -10), as written. */
  readonly partitionKey?: string;
}

/** What one family says of one limit. */
export interface RateLimitReading {
  readonly family: RateLimitFamily;
  /** The limit's name, if the family names limits. */
  readonly name?: string;
  readonly policies: readonly RateLimitPolicy[];
  readonly remaining?: number;
  /** In the drafts seconds from now; with the X- families also epoch seconds or milliseconds. */
  readonly reset?: { readonly raw: number; readonly text: string };
}

/** A field that departs from its family's grammar. */
export interface MalformedField {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

/** Takes note of why the field at hand is malformed. */
export type Note = (why: string) => void;

/**
 * The number that a field has under `label`. One that is no count (negative, or a decimal) is noted
 * and returned; what is no number at all is noted and undefined.
 *
 * @param decimals whether decimals need no note
 */
export function readNumber(
  value: FieldValue | undefined,
  label: string,
  note: Note,
  decimals = false,
): number | undefined {
  if (value === undefined) return undefined;
  const number = value.kind === 'number' ? Number(value.text) : NaN;
  if (!Number.isFinite(number)) {
    note(`${label} is no number: ${value.text}`);
    return undefined;
  }
  if (number < 0) note(`${label} is negative: ${value.text}`);
  else if (!decimals && !/^[0-9]+$/.test(value.text)) {
    note(`${label} is no whole number: ${value.text}`);
  }
  // Not -0, which JSON does not keep.
  return number === 0 ? 0 : number;
}

/** An object without the members that are undefined. */
export function present<T extends object>(
  object: T,
): {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as never;
}
