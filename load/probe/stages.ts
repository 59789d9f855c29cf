/** The stages of a probe after the limits are known. */

import { DEPTHS, type ProbeDepth } from '../probe-depth.ts';
import { fanOutOf } from './fan-out.ts';
import { reportsHold } from '../limits/index.ts';
import { areWaitsSeen, type LaterStages } from './measure.ts';
import { capacityOf, type ProbedBucket, type Probing } from './probing.ts';
import { pacingPlan, runScenario } from './scenario.ts';
import { waitsOf } from './wait-cycle.ts';

/** Plain requests of the first rounds, in which each kind is asked. */
const PLAIN_OF_ROUNDS = 12;

/** What is done with a bucket whose limit was looked for. */
export interface Stage {
  readonly name: string;
  readonly applies: (probed: ProbedBucket) => boolean;
  /** Whether the bucket must be full when it begins. */
  readonly needsFull: (probed: ProbedBucket) => boolean;
  readonly requests: (probed: ProbedBucket) => number;
  readonly seconds: (probed: ProbedBucket) => number;
  /** @param mostRejects its share of the rejections that are left */
  readonly run: (
    probed: ProbedBucket,
    probing: Probing,
    mostRejects: number,
  ) => Promise<LaterStages>;
}

/** Rejections that are left to the stages that follow, for each bucket. */
const SPARED_REJECTS = 6;

/** What the nth of so many buckets may spend of the rejections that are left, in any stage. */
export function rejectsEach(left: number, nth: number, buckets: number): number {
  return Math.max(0, Math.floor((left - SPARED_REJECTS * buckets) / (buckets - nth)));
}

/** The stages after the limits are known, each over all buckets, in the order of their worth. */
export function stagesOf(depth: ProbeDepth): Stage[] {
  const wasExhausted = (one: ProbedBucket): boolean =>
    one.stopped === undefined && one.fullSeconds !== undefined && !isConcurrency(one);
  const full = ({ fullSeconds = 0 }: ProbedBucket): number => fullSeconds;
  const capacity = (one: ProbedBucket): number => capacityOf(one) ?? 0;
  const all: Stage[] = [
    {
      name: 'whose bucket it is, and whether announced waits are true',
      applies: wasExhausted,
      needsFull: (one) => !reportsHold(one.reported),
      requests: (one) => capacity(one) + 3 * one.bucket.variations.length + PLAIN_OF_ROUNDS,
      seconds: (one) => (areWaitsSeen(one) ? 1 : 2) * full(one),
      run: async (one, probing, mostRejects) => {
        const fannedOut = await fanOutOf(one, probing, mostRejects);
        if (fannedOut.ending !== undefined || areWaitsSeen(one)) return { fannedOut };
        return { fannedOut, waits: await waitsOf(one, probing, fannedOut.after) };
      },
    },
    {
      name: 'a client that paces itself',
      applies: (one) => wasExhausted(one) && pacingPlan(one) !== null,
      needsFull: () => true,
      requests: (one) => pacingPlan(one)?.requests ?? 0,
      seconds: (one) => {
        const { requests = 0, spacingMs = 0 } = pacingPlan(one) ?? {};
        return full(one) + (requests * spacingMs) / 1000;
      },
      run: async (one, probing) => {
        const plan = pacingPlan(one);
        return plan === null ? {} : runScenario(one, plan, probing);
      },
    },
  ];
  return all.slice(0, DEPTHS.indexOf(depth));
}

/** One request after another never exhausts it. */
function isConcurrency({ facts }: ProbedBucket): boolean {
  return facts.estimate.algorithms.includes('concurrency');
}
