/** How the errors of a service read; what no document says of them is that of HTTP. */
export interface ErrorReading {
  /** The error code of a parsed body, or undefined when it carries none; of a long one the beginning. */
  readonly codeOf: (json: unknown) => string | undefined;
  /**
   * Whether a response says that a rate limit was exceeded. Such an exchange says nothing about any
   * promise but those on throttling.
   */
  readonly isThrottled: (status: number, json: unknown) => boolean;
  /**
   * The wait that a parsed body announces, as it stands there: a number that can be used, or anything
   * else. Undefined if it announces none.
   */
  readonly waitIn: (json: unknown) => unknown;
}

/** Whether a status says that too many requests were sent (RFC 6585 section 4). */
export function isTooManyRequests(status: number): boolean {
  return status === 429;
}

/** Errors of which nothing is known but their status. */
export const PLAIN_ERRORS: ErrorReading = {
  codeOf: () => undefined,
  isThrottled: isTooManyRequests,
  waitIn: () => undefined,
};
