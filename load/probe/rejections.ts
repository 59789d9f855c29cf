/** Which answers of a target say that a limit was exceeded, and for how long. */

import type { ErrorReading } from '../../contracts/wire/error-reading.ts';

/** Whether an answer is a rejection by a limit, and the wait that its body announces. */
export type RejectionReading = Pick<ErrorReading, 'isThrottled' | 'waitIn'>;

/** Codes, without case and separators, by which services say that a limit was exceeded. */
const CODES: ReadonlySet<string> = new Set([
  'ratelimit',
  'ratelimited',
  'ratelimiting',
  'ratelimiterror',
  'ratelimitexceeded',
  'ratelimitreached',
  'requestlimitexceeded',
  'slowdown',
  'throttled',
  'throttling',
  'throttlingexception',
  'toomanyrequests',
]);

/**
 * What the service says itself; an error whose code names a limit, however it is spelled; and the
 * statuses that whoever runs the probe knows to be rejections. That the code should be another one is
 * for the rules to say.
 *
 * @param errors how errors of the service read
 * @param statuses besides those that it states
 */
export function rejectionReading(
  errors: ErrorReading,
  statuses: readonly number[] = [],
): RejectionReading {
  const named = new Set(statuses);
  return {
    isThrottled: (status, json) =>
      errors.isThrottled(status, json) ||
      named.has(status) ||
      (status >= 400 && namesLimit(errors.codeOf(json))),
    waitIn: errors.waitIn,
  };
}

function namesLimit(code: string | undefined): boolean {
  return code !== undefined && CODES.has(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}
