import type { LimitedApi } from '../contracts/run/load/limit-measurement.ts';
import type { Ask, Bucket, ProbeTarget } from './probe/bucket.ts';
import type { Sender } from './probe/sender.ts';

/** A request that takes the place of a plain one, and what to call it for people, e.g. `a quote`. */
export interface ServedAsk {
  readonly ask: Ask;
  readonly called: string;
}

/** What a service brings so that its rate limits can be probed. */
export interface ProbedService {
  /** The APIs that have limits to find, in the order in which they are probed. */
  readonly limitedApis: readonly LimitedApi[];
  /** The API whose listings name what can be asked of the others; absent where none does. */
  readonly listingApi?: LimitedApi;
  /** The buckets of a target, in the order in which they are probed. */
  readonly bucketsOf: (target: ProbeTarget) => readonly Bucket[];
  /**
   * Makes a request that is likely to be served, for an API whose plain one is refused, from what the
   * target lists; undefined where it lists nothing for it.
   */
  readonly servedAsk: (
    api: LimitedApi,
    target: Pick<ProbeTarget, 'apis'>,
    sender: Sender,
  ) => Promise<ServedAsk | undefined>;
}
