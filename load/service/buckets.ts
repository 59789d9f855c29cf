/** The buckets to probe: who asks, and which variations of asking are tried while one is exhausted. */

import type { FanOutKind } from '../../contracts/run/load/limit-measurement.ts';
import type { Ask, Bucket, ProbeKey, ProbeTarget, Variation } from '../probe/bucket.ts';
import { FAILING, type LimitedApi, OTHER_ROUTE, PLAIN } from './ask.ts';

/** The buckets of a target, in the order in which they are probed. */
export function bucketsOf(target: ProbeTarget): Bucket[] {
  const { apis, keys } = target;
  const has = (api: LimitedApi): boolean => apis.includes(api);
  return [
    ...(has('zap') ? [bucket(target, 'zap')] : []),
    ...(has('trade') ? [bucket(target, 'trade')] : []),
    ...(has('trade') ? keys.map((key) => bucket(target, 'trade', key)) : []),
  ];
}

function bucket(target: ProbeTarget, api: LimitedApi, key?: ProbeKey): Bucket {
  const own = key === undefined ? {} : { credential: key.credential };
  const plain = { ...(target.asks?.[api] ?? PLAIN[api]), ...own };
  return {
    api,
    client: key === undefined ? 'address' : 'key',
    scope: key === undefined ? 'per client address' : `per key ($${key.name})`,
    plain,
    variations: variationsOf(target, api, plain, key),
    failing: {
      ...FAILING[api],
      ...(plain.credential === undefined ? {} : { credential: plain.credential }),
    },
  };
}

/** Those that rules judge come first, so that a tight budget reaches them. */
function variationsOf(
  { apis, keys, otherAddress }: ProbeTarget,
  api: LimitedApi,
  plain: Ask,
  key: ProbeKey | undefined,
): Variation[] {
  const { path, method } = plain;
  const own = key === undefined ? {} : { credential: key.credential };
  const others = keys.filter(({ name }) => name !== key?.name);
  const client = (kind: FanOutKind, ask: Ask): Variation => {
    return { kind, ask: () => ask, asksBefore: true, isOneClient: true, leastRefusals: 3 };
  };
  const spelled = (kind: FanOutKind, ask: Ask): Variation => {
    return { kind, ask: () => ask, asksBefore: false, isOneClient: true, leastRefusals: 2 };
  };
  return [
    ...(otherAddress === undefined
      ? []
      : [client('other-address', { ...plain, sourceAddress: otherAddress })]),
    ...(api === 'trade'
      ? others.slice(0, 1).map(({ credential }) => {
          return client(key === undefined ? 'with-key' : 'other-key', { ...plain, credential });
        })
      : []),
    ...(key === undefined ? [] : [client('without-key', { ...plain, credential: 'none' })]),
    {
      kind: 'forged-forwarded-for',
      // A bucket of its own for each forged address (RFC 5737: for documentation).
      ask: (nth) => ({ ...plain, headers: [['X-Forwarded-For', `203.0.113.${7 + nth}`]] }),
      asksBefore: false,
      isOneClient: false,
      leastRefusals: 2,
    },
    spelled('other-route', { ...OTHER_ROUTE[api], ...own }),
    spelled('other-method', { ...plain, method: method === 'GET' ? 'HEAD' : 'PUT' }),
    // Asked from the API that is probed later, when the earlier one is known.
    ...(api === 'trade' && key === undefined && apis.includes('zap')
      ? [client('other-api', PLAIN.zap)]
      : []),
    spelled('trailing-slash', { ...plain, path: `${path}/` }),
    spelled('path-case', { ...plain, path: path.toUpperCase() }),
  ];
}
