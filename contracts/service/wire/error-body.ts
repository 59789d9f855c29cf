import { isTooManyRequests, type ErrorReading } from '../../wire/error-reading.ts';

/** The typed error body of every non-2xx response (document, section 7). */
export interface ErrorBody {
  readonly status: number | string;
  /** Stable error code; the list of codes is open. */
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  /** Present on rate-limit responses; the unit is not shown. */
  readonly retryAfter?: number;
}

/** The code that marks a rate-limit response. */
export const RATE_LIMITED = 'RATE_LIMITED';

/** More of a code is not kept. */
const MAX_CHARACTERS = 200;

/** The error code of a parsed body, or undefined when it carries none; of a long one the beginning. */
export function errorCodeOf(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || !('code' in json)) return undefined;
  const { code } = json;
  if (typeof code !== 'string') return undefined;
  return code.length <= MAX_CHARACTERS ? code : `${code.slice(0, MAX_CHARACTERS)}…`;
}

/**
 * Whether a response says that a rate limit was exceeded: by its status or by
 * the documented code. Such an exchange says nothing about any promise but those on throttling.
 */
export function isThrottled(status: number, json: unknown): boolean {
  return isTooManyRequests(status) || (status >= 400 && errorCodeOf(json) === RATE_LIMITED);
}

/** The `retryAfter` of a parsed body (document, section 7), whatever it is; its unit is not shown. */
export function waitIn(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'retryAfter' in json
    ? json.retryAfter
    : undefined;
}

/** How the errors of section 7 read. */
export const TYPED_ERRORS: ErrorReading = { codeOf: errorCodeOf, isThrottled, waitIn };
