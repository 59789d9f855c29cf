/** A request that is likely to be served, made of what the target lists. */

import { isObject, member } from '../../contracts/wire/json.ts';
import type { Ask } from '../probe/bucket.ts';
import type { Sender } from '../probe/sender.ts';

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
/** Any address will do: nothing is built, and nothing sent to it. */
const NOBODY = '0x1111111111111111111111111111111111111111';

/** A quote of a pair that the zap API lists; undefined if it lists none. */
export async function quoteOfListed(sender: Sender): Promise<Ask | undefined> {
  const providers = await sender({ api: 'zap', method: 'GET', path: '/v1/config/providers' });
  const byChain = member(providers.json, 'data');
  const [chain, listed] = Object.entries(isObject(byChain) ? byChain : {})[0] ?? [];
  if (chain === undefined || !/^\d+$/.test(chain)) return undefined;
  const protocol: unknown = Array.isArray(listed) ? member(listed[0], 'id') : undefined;
  const path = `/v1/pools?chainId=${chain}&limit=1`;
  const pools = await sender({ api: 'zap', method: 'GET', path });
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
