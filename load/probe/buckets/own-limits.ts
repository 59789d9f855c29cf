/** How the limits of a service of one's own are found: by the requests that its configuration names. */

import type { ApiName } from '../../../contracts/wire/exchange.ts';
import type { OwnLimits } from '../../../target/config/own-limits.ts';
import { bucketOf } from './bucket-of.ts';
import type { Ask, Bucket, ProbeTarget } from '../bucket.ts';
import type { ProbedService } from '../../probed-service.ts';

/** A service with a bucket for each client address of each API of which requests are named. */
export function probedByRequests(limits: Readonly<Record<ApiName, OwnLimits>>): ProbedService {
  const limitedApis = Object.keys(limits);
  return {
    limitedApis,
    bucketsOf: (target) => bucketsOf(limits, target),
    servedAsk: () => Promise.resolve(undefined),
  };
}

function bucketsOf(
  limits: Readonly<Record<ApiName, OwnLimits>>,
  { apis, asks, otherAddress }: ProbeTarget,
): Bucket[] {
  const asked = Object.entries(limits).filter(([api]) => apis.includes(api));
  const [first] = asked;
  return asked.map(([api, { request, otherRoute, refused }], at) => {
    const askOf = (one: OwnLimits['request']): Ask => ({ api, ...one });
    // Of two APIs the second asks for the first, which is known by then; of more none is known to be
    // apart from all others, so that each waits until they are full.
    const isSecond = asked.length === 2 && at === 1 && first !== undefined;
    return bucketOf(
      {
        plain: asks?.[api] ?? askOf(request),
        ...(otherRoute === undefined ? {} : { otherRoute: askOf(otherRoute) }),
        ...(refused === undefined ? {} : { failing: askOf(refused) }),
        ...(isSecond ? { otherApi: { api: first[0], ...first[1].request } } : {}),
      },
      { keys: [], ...(otherAddress === undefined ? {} : { otherAddress }) },
    );
  });
}
