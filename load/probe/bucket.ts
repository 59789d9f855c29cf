/** What is probed: requests, and the buckets that they use up. */

import type { FanOutKind, LimitedApi } from '../../contracts/run/load/limit-measurement.ts';
import type { HeaderList } from '../../contracts/wire/exchange.ts';
import type { ClientRequest, Credential } from '../../target/transport/client.ts';

/** One request of the probe. */
export interface Ask {
  readonly api: LimitedApi;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly headers?: HeaderList;
  readonly credential?: Credential;
  /** Local address to send from; the run's when absent. */
  readonly sourceAddress?: string;
}

/** As the client sends it. Nothing obliges the service to take it: limits are what it asks about. */
export function requestOf(ask: Ask, about: string): ClientRequest {
  return { ...ask, purpose: { kind: 'probe', about } };
}

/** A key of a target: the name of its variable, and how to send it. */
export interface ProbeKey {
  readonly name: string;
  readonly credential: Credential;
}

/** What can be asked of a target. */
export interface ProbeTarget {
  readonly apis: readonly LimitedApi[];
  readonly keys: readonly ProbeKey[];
  /** A second local address that reaches the target as another client. */
  readonly otherAddress?: string;
  /** What an API is probed with, where it is not its plain request. */
  readonly asks?: Readonly<Partial<Record<LimitedApi, Ask>>>;
}

/** One bucket to probe. */
export interface Bucket {
  readonly api: LimitedApi;
  readonly client: 'address' | 'key';
  /** For people, e.g. `per client address`. */
  readonly scope: string;
  readonly plain: Ask;
  readonly variations: readonly Variation[];
  /** A request of the same client that is refused for another reason than a limit; absent where none is known. */
  readonly failing?: Ask;
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
  /** After this many refusals the kind is known to be in the same bucket: a rule asks for more. */
  readonly leastRefusals: number;
}

/** A bucket for people: `zap per client address`. */
export function nameOf({ api, scope }: Pick<Bucket, 'api' | 'scope'>): string {
  return `${api} ${scope}`;
}
