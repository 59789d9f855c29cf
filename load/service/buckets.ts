/** The buckets to probe: the zap API by address, the trade API by address and by key. */

import { type Asked, bucketOf } from '../probe/buckets/bucket-of.ts';
import type { Bucket, ProbeTarget } from '../probe/bucket.ts';
import { FAILING, type LimitedApi, OTHER_ROUTE, PLAIN } from './ask.ts';

/** The buckets of a target, in the order in which they are probed. */
export function bucketsOf(target: ProbeTarget): Bucket[] {
  const { apis, keys } = target;
  const has = (api: LimitedApi): boolean => apis.includes(api);
  const asked = (api: LimitedApi): Asked => ({
    plain: target.asks?.[api] ?? PLAIN[api],
    otherRoute: OTHER_ROUTE[api],
    failing: FAILING[api],
  });
  const trade = asked('trade');
  // Asked from the API that is probed later, when the earlier one is known.
  const withZap = has('zap') ? { ...trade, otherApi: PLAIN.zap } : trade;
  return [
    ...(has('zap') ? [bucketOf(asked('zap'), { ...target, keys: [] })] : []),
    ...(has('trade') ? [bucketOf(withZap, target)] : []),
    ...(has('trade') ? keys.map((key) => bucketOf(trade, target, key)) : []),
  ];
}
