/** Whose bucket it is: one request of each kind, while the plain one is rejected. */

import type { FanOut } from '../../contracts/limit-measurement.ts';
import type { Variation } from './buckets.ts';
import type { Told } from './courier.ts';
import {
  endingOf,
  exhaust,
  isRejected,
  type Ending,
  type ProbedBucket,
  type Probing,
} from './probing.ts';

/** What fanning out found. */
export interface FannedOut {
  readonly fanOut: readonly FanOut[];
  /**
   * Plain requests after the last variation: only their rejections are followed by nothing else that
   * might have been counted.
   */
  readonly after: readonly Told[];
  /** What ended it before all variations were tried. */
  readonly ending?: Ending | undefined;
}

/** Plain requests that may be needed to have the bucket exhausted once more. */
const MOST_TO_EXHAUST = 30;
/** Rejections that are left to the stages that follow. */
const SPARED_REJECTS = 6;

/**
 * Exhausts a full bucket and sends each variation, with a plain request before and after. An admitted
 * one is repeated, since the bucket may have refilled in that moment.
 *
 * @throws {BudgetExceeded} {@link Interrupted} before the bucket is exhausted; later they end it
 */
export async function fanOutOf(probed: ProbedBucket, probing: Probing): Promise<FannedOut> {
  const { bucket } = probed;
  const { courier, purse } = probing;
  const before = new Map<Variation, Told>();
  for (const variation of bucket.variations) {
    if (variation.asksBefore) before.set(variation, await courier(variation.ask(0)));
  }
  const burst = await exhaust(probed, probing);
  let last = burst.at(-1);
  const fanOut: FanOut[] = [];
  if (!burst.some(isRejected)) return { fanOut, after: [] };

  const plain = async (): Promise<Told> => (last = await courier(bucket.plain));
  const exhausted = async (): Promise<boolean> => {
    for (let sent = 0; last?.outcome !== 'rejected' && sent < MOST_TO_EXHAUST; sent += 1) {
      await plain();
    }
    return last?.outcome === 'rejected';
  };
  const ending = await endingOf(async () => {
    for (const variation of bucket.variations) {
      if (purse.left.rejects <= SPARED_REJECTS) break;
      const earlier = before.get(variation);
      const shown: Told[] = earlier === undefined ? [] : [earlier];
      let trial: Pick<FanOut, 'outcome' | 'plainAfter'> = {
        outcome: 'failed',
        plainAfter: 'failed',
      };
      for (let nth = 0; nth < variation.times; nth += 1) {
        if (!(await exhausted())) break;
        const told = await courier(variation.ask(nth));
        const after = await plain();
        shown.push(told, after);
        trial = { outcome: metBy(told), plainAfter: after.outcome };
        if (trial.outcome !== 'admitted') break;
      }
      fanOut.push({
        kind: variation.kind,
        ...trial,
        admittedBefore: earlier?.outcome === 'admitted' ? 1 : 0,
        witnesses: shown.map(({ witness }) => witness),
      });
    }
  });
  return { fanOut, after: last === undefined ? [] : [last], ending };
}

/** Answers of a route that is not there: still, no limit turned the request away. */
const ELSEWHERE: ReadonlySet<number> = new Set([404, 405, 501]);

function metBy({ outcome, status }: Told): Told['outcome'] {
  return ELSEWHERE.has(status) ? 'admitted' : outcome;
}
