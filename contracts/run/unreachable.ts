import type { ApiName } from '../wire/exchange.ts';

/**
 * The sentence on an API that is asked no more, for it did not answer so many times in a row.
 *
 * @param hasAnswered whether it answered other requests of the run before
 * @param so what follows from it
 */
export function unreachableNotice(
  api: ApiName,
  times: number,
  lastFailure: string,
  hasAnswered = false,
  so: string = NO_MORE,
): string {
  const advice = hasAnswered
    ? 'It answered others before: it went down, or fails for requests like these'
    : 'Check its base URL and whether it is up';
  return `${beginning(api)} ${times} times in a row (last: ${lastFailure}); ${so}. ${advice}.`;
}

/** What follows for an API that has stopped answering. */
export const NO_MORE = 'the client that drives the run sends it no more requests';

/** Whether a notice is that sentence. */
export function isUnreachableNotice(api: ApiName, notice: string): boolean {
  return notice.startsWith(beginning(api));
}

function beginning(api: ApiName): string {
  return `the ${api} API did not answer`;
}
