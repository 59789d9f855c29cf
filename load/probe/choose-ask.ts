/** Which request to probe with: the empty one while refusals count, else one that is served. */

import type { Ask } from './bucket.ts';
import type { Sender, Reported } from './sender.ts';

/** The request to probe with, and those that were sent to find it: they are part of the transcript. */
export interface ChosenAsk {
  readonly ask: Ask;
  readonly sent: readonly Reported[];
}

/**
 * Sends the plain request. Where it is refused, whether refusals count is read off the remaining
 * requests that the headers tell; if they do not tell, a request that is served takes its place.
 *
 * @param served makes a request that is likely to be served, when one is needed
 * @throws what the sender throws
 */
export async function chooseAsk(
  plain: Ask,
  sender: Sender,
  served: () => Promise<Ask | undefined>,
): Promise<ChosenAsk> {
  const first = await sender(plain);
  if (!isRefused(first)) return { ask: plain, sent: [first] };
  const second = await sender(plain);
  const [before, after] = [first.report?.remaining, second.report?.remaining];
  const counts = before !== undefined && after !== undefined && after < before;
  if (counts || !isRefused(second)) return { ask: plain, sent: [first, second] };
  const other = await served();
  if (other === undefined) return { ask: plain, sent: [first, second] };
  const third = await sender(other);
  return isRefused(third) || third.outcome === 'failed'
    ? { ask: plain, sent: [first, second, uncertain(third)] }
    : { ask: other, sent: [uncertain(first), uncertain(second), third] };
}

/** Refused, but by no limit. */
function isRefused({ outcome, status }: Reported): boolean {
  return outcome === 'admitted' && status >= 400;
}

/** Nobody knows whether it was counted; it is no reason to leave the target alone. */
function uncertain(reported: Reported): Reported {
  return { ...reported, outcome: 'failed', failure: 'nobody knows whether it was counted' };
}
