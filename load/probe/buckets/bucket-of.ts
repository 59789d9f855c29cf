/** The buckets of an API from what is asked of it: who asks, and which variations of asking are tried. */

import type { FanOutKind } from '../../../contracts/run/load/limit-measurement.ts';
import type { Ask, Bucket, ProbeKey, ProbeTarget, Variation } from '../bucket.ts';

/** What is asked of an API to find its limits. */
export interface Asked {
  /** What uses a bucket up. */
  readonly plain: Ask;
  /** A route besides the plain one that is as cheap. */
  readonly otherRoute?: Ask;
  /** A request that is refused for another reason than a limit. */
  readonly failing?: Ask;
  /** The plain request of another API, whose own limit is known by then. */
  readonly otherApi?: Ask;
}

/**
 * The bucket of an address, or of a key, while which is exhausted variations of asking are tried.
 *
 * @param target the keys are those that the API takes
 */
export function bucketOf(
  asked: Asked,
  target: Pick<ProbeTarget, 'keys' | 'otherAddress'>,
  key?: ProbeKey,
): Bucket {
  const plain = { ...asked.plain, ...(key === undefined ? {} : { credential: key.credential }) };
  const { credential } = plain;
  const { failing } = asked;
  return {
    api: plain.api,
    client: key === undefined ? 'address' : 'key',
    scope: key === undefined ? 'per client address' : `per key ($${key.name})`,
    plain,
    variations: variationsOf({ ...asked, plain }, target, key),
    ...(failing === undefined
      ? {}
      : { failing: { ...failing, ...(credential === undefined ? {} : { credential }) } }),
  };
}

/** Those that rules judge come first, so that a tight budget reaches them. */
function variationsOf(
  { plain, otherRoute, otherApi }: Asked,
  { keys, otherAddress }: Pick<ProbeTarget, 'keys' | 'otherAddress'>,
  key: ProbeKey | undefined,
): Variation[] {
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
    ...others.slice(0, 1).map(({ credential }) => {
      return client(key === undefined ? 'with-key' : 'other-key', { ...plain, credential });
    }),
    ...(key === undefined ? [] : [client('without-key', { ...plain, credential: 'none' })]),
    {
      kind: 'forged-forwarded-for',
      // A bucket of its own for each forged address (RFC 5737: for documentation).
      ask: (nth) => ({ ...plain, headers: [['X-Forwarded-For', `203.0.113.${7 + nth}`]] }),
      asksBefore: false,
      isOneClient: false,
      leastRefusals: 2,
    },
    ...(otherRoute === undefined ? [] : [spelled('other-route', { ...otherRoute, ...own })]),
    spelled('other-method', { ...plain, method: plain.method === 'GET' ? 'HEAD' : 'PUT' }),
    ...(otherApi === undefined ? [] : [client('other-api', otherApi)]),
    spelled('trailing-slash', { ...plain, path: withPath(plain, (path) => `${path}/`) }),
    spelled('path-case', { ...plain, path: withPath(plain, (path) => path.toUpperCase()) }),
  ];
}

/** The target of a request with its path changed and its query as it was. */
function withPath({ path: target }: Ask, change: (path: string) => string): string {
  const [path = '', ...query] = target.split('?');
  return [change(path), ...query].join('?');
}
