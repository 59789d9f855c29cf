/** Which request to probe with: the empty one while refusals count, else one that is served. */

import type { Ask } from './bucket.ts';
import type { Courier, Told } from './courier.ts';

/** The request to probe with, and those that were sent to find it: they are part of the transcript. */
export interface ChosenAsk {
  readonly ask: Ask;
  readonly sent: readonly Told[];
}

/**
 * Sends the plain request. Where it is refused, whether refusals count is read off the remaining
 * requests that the headers tell; if they do not tell, a request that is served takes its place.
 *
 * @param served makes a request that is likely to be served, when one is needed
 * @throws what the courier throws
 */
export async function chooseAsk(
  plain: Ask,
  courier: Courier,
  served: () => Promise<Ask | undefined>,
): Promise<ChosenAsk> {
  const first = await courier(plain);
  if (!isRefused(first)) return { ask: plain, sent: [first] };
  const second = await courier(plain);
  const [before, after] = [first.claim?.remaining, second.claim?.remaining];
  const counts = before !== undefined && after !== undefined && after < before;
  if (counts || !isRefused(second)) return { ask: plain, sent: [first, second] };
  const other = await served();
  if (other === undefined) return { ask: plain, sent: [first, second] };
  const third = await courier(other);
  return isRefused(third) || third.outcome === 'failed'
    ? { ask: plain, sent: [first, second, uncertain(third)] }
    : { ask: other, sent: [uncertain(first), uncertain(second), third] };
}

/** Refused, but by no limit. */
function isRefused({ outcome, status }: Told): boolean {
  return outcome === 'admitted' && status >= 400;
}

/** Nobody knows whether it was counted. */
function uncertain(told: Told): Told {
  return { ...told, outcome: 'failed' };
}
