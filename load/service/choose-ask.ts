/** Which request to probe with: the empty one while refusals count, else one that is served. */

import { isObject, member } from '../../contracts/run/json.ts';
import type { Ask } from './ask.ts';
import type { Courier, Told } from '../probe/courier.ts';

/** The request to probe with, and those that were sent to find it: they are part of the transcript. */
export interface ChosenAsk {
  readonly ask: Ask;
  readonly sent: readonly Told[];
}

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
/** Any address will do: nothing is built, and nothing sent to it. */
const NOBODY = '0x1111111111111111111111111111111111111111';

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

/** A quote of a pair that the zap API lists; undefined where it lists none. */
export async function quoteOfListed(courier: Courier): Promise<Ask | undefined> {
  const providers = await courier({ api: 'zap', method: 'GET', path: '/v1/config/providers' });
  const byChain = member(providers.json, 'data');
  const [chain, listed] = Object.entries(isObject(byChain) ? byChain : {})[0] ?? [];
  if (chain === undefined || !/^\d+$/.test(chain)) return undefined;
  const protocol: unknown = Array.isArray(listed) ? member(listed[0], 'id') : undefined;
  const path = `/v1/pools?chainId=${chain}&limit=1`;
  const pools = await courier({ api: 'zap', method: 'GET', path });
  const list = member(member(pools.json, 'data'), 'pools');
  const tokens = Array.isArray(list) ? member(list[0], 'tokens') : undefined;
  const token: unknown = Array.isArray(tokens) ? tokens[0] : undefined;
  const destToken = typeof token === 'string' ? token : member(token, 'address');
  if (typeof destToken !== 'string') return undefined;
  const entry = {
    amount: '1000000000000000000',
    srcToken: NATIVE,
    destToken,
    slippage: 1,
    toChain: Number(chain),
    protocol,
    recipient: NOBODY,
    additionalInfo: {},
  };
  const json = {
    fromChain: Number(chain),
    sender: NOBODY,
    refundee: NOBODY,
    gasless: false,
    data: [entry],
  };
  return { api: 'trade', method: 'POST', path: '/v1/quotes', json };
}
