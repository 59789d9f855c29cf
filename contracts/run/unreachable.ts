import type { ApiName } from '../wire/exchange.ts';

/** The sentence on an API that is asked no more, for it did not answer so many times in a row. */
export function unreachableNotice(api: ApiName, times: number, lastFailure: string): string {
  return `${beginning(api)} ${times} times in a row (last: ${lastFailure}); no more requests go to it. Check its base URL and whether it is up.`;
}

/** Whether a notice is that sentence. */
export function isUnreachableNotice(api: ApiName, notice: string): boolean {
  return notice.startsWith(beginning(api));
}

function beginning(api: ApiName): string {
  return `the ${api} API did not answer`;
}
