/** Which answers of a target say that a limit was exceeded. */

import { errorCodeOf, isThrottled } from '../../contracts/service/wire/error-body.ts';

/** Whether an answer is a rejection by a limit, from its status and its parsed body. */
export type RejectionTest = (status: number, json: unknown) => boolean;

/** Codes, without case and separators, by which services say what the document calls RATE_LIMITED. */
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
 * 429, whatever its body says; an error whose code names a limit, however it is spelled; and the
 * statuses that whoever runs the probe knows to be rejections. That the code should be another one is
 * for the rules to say.
 *
 * @param statuses besides 429
 */
export function rejectionTest(statuses: readonly number[] = []): RejectionTest {
  const named = new Set(statuses);
  return (status, json) =>
    isThrottled(status, json) || named.has(status) || (status >= 400 && namesLimit(json));
}

function namesLimit(json: unknown): boolean {
  const code = errorCodeOf(json);
  return code !== undefined && CODES.has(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}
