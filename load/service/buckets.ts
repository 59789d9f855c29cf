/** The buckets to probe: who asks, and which variations of asking are tried while one is exhausted. */

import type { FanOutKind, LimitedApi } from '../../contracts/run/load/limit-measurement.ts';
import type { Credential } from '../../fixtures/target/transport/client.ts';
import { OTHER_ROUTE, PLAIN, type Ask } from './ask.ts';

/** A key of the trade API: the name of its variable, and how to send it. */
export interface TradeKey {
  readonly name: string;
  readonly credential: Credential;
}

/** What can be asked of a target. */
export interface ProbeTarget {
  readonly apis: readonly LimitedApi[];
  readonly keys: readonly TradeKey[];
  /** A second local address that reaches the target as another client. */
  readonly otherAddress?: string;
  /** What trade is probed with, where it is not the plain request. */
  readonly tradeAsk?: Ask;
}

/** One bucket to probe. */
export interface Bucket {
  readonly api: LimitedApi;
  readonly client: 'address' | 'key';
  /** For people, e.g. `per client address`. */
  readonly scope: string;
  readonly plain: Ask;
  readonly variations: readonly Variation[];
}

/** A request that differs from the plain one in one thing. */
export interface Variation {
  readonly kind: FanOutKind;
  /** The nth time that it is asked, from 0: forged addresses differ. */
  readonly ask: (nth: number) => Ask;
  /** Whether one is sent before the bucket is exhausted, to know that it would be admitted. */
  readonly asksBefore: boolean;
  /** Whether all of them are one client, who may use up a bucket of his own. */
  readonly isOneClient: boolean;
  /** After so many refusals the kind is known to be in the same bucket: a rule asks for more. */
  readonly leastRefusals: number;
}

/** A bucket for people: `zap per client address`. */
export function nameOf({ api, scope }: Pick<Bucket, 'api' | 'scope'>): string {
  return `${api} ${scope}`;
}

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

function bucket(target: ProbeTarget, api: LimitedApi, key?: TradeKey): Bucket {
  const ask = api === 'trade' ? (target.tradeAsk ?? PLAIN.trade) : PLAIN.zap;
  const plain = key === undefined ? ask : { ...ask, credential: key.credential };
  return {
    api,
    client: key === undefined ? 'address' : 'key',
    scope: key === undefined ? 'per client address' : `per key ($${key.name})`,
    plain,
    variations: variationsOf(target, plain, key),
  };
}

/** Those that rules judge come first, so that a tight budget reaches them. */
function variationsOf(
  { apis, keys, otherAddress }: ProbeTarget,
  plain: Ask,
  key: TradeKey | undefined,
): Variation[] {
  const { api, path, method } = plain;
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
