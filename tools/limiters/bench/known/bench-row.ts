/** One probe of a limiter whose truth is known, as a row of a table. */

import { gradeOf, type Grade } from '../../../../load/probe/grade/grade.ts';
import { short, type LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';
import type { LimitEstimate, Parameter, ProbeBudget } from '../../../../load/limits/index.ts';
import { bucketsOf } from '../../../../load/service/buckets.ts';
import { nameOf } from '../../../../load/probe/facts/class-names.ts';
import { rounded } from '../../../../load/probe/facts/facts.ts';
import { findLimit } from '../../../../load/probe/find.ts';
import type { Probing } from '../../../../load/probe/probing.ts';
import { MAX_WAIT_SECONDS } from '../../../../suites/service/self-test/in-process-target.ts';

/** What became of one probe. */
export interface BenchRow {
  readonly source: 'reference' | 'npm';
  /** The algorithm of the reference service, or the limiter from npm. */
  readonly name: string;
  /** Its parameters, as they are written on the command line. */
  readonly parameters: string;
  readonly truth: LimiterTruth;
  /** The estimate in one word. */
  readonly kind: LimitEstimate['kind'];
  /** Each class that is left with its parameters, best first. */
  readonly found: readonly string[];
  readonly grade: Grade;
  /** Why the target made the probe stop, or that its budget was spent; absent when neither. */
  readonly stopped?: string;
  readonly requests: number;
  readonly rejects: number;
  readonly seconds: number;
  /** Requests over N + 1; absent where rejections of a limit are not what is looked for. */
  readonly requestsOverBound?: number;
  /** Seconds over W, of a bucket the time in which it fills; absent if nothing has a window. */
  readonly secondsOverWindow?: number;
}

/** What a bucket may spend: what `assay limits` gives to one on loopback. */
export const BENCH_BUDGET: ProbeBudget = {
  maxRequests: 1000,
  maxRejects: 40,
  maxSeconds: 1000,
  maxRatePerSecond: 1000,
  maxConcurrent: 6,
};

/** About what a round trip takes, in the process or on loopback. */
const TRIP_MS = 10;

/** Finds the limit of the zap API, and compares it with the truth. */
export async function probeRow(
  given: Pick<BenchRow, 'source' | 'name' | 'parameters' | 'truth'>,
  probing: Probing,
): Promise<BenchRow> {
  const [bucket] = bucketsOf({ apis: ['zap'], keys: [] });
  if (bucket === undefined) throw new Error('the zap API has no bucket');
  // As `assay limits` does: it says whether there is anything to probe, and the target's clock.
  const first = await probing.sender(bucket.plain);
  const share = { budget: BENCH_BUDGET, mostWaitSeconds: MAX_WAIT_SECONDS, isLocal: true };
  const { result, stopped } = await findLimit(bucket, probing, share, [first]);
  const { estimate, requests, rejects, seconds } = result;
  const { truth } = given;
  const why = stopped ?? (result.stopped.startsWith('max-') ? result.stopped : undefined);
  return {
    ...given,
    kind: estimate.kind,
    found: foundIn(estimate),
    grade: gradeOf(truth, estimate, TRIP_MS),
    ...(why === undefined ? {} : { stopped: why }),
    requests,
    rejects,
    seconds: rounded(seconds),
    ...(truth.class === 'shaping-with-reject'
      ? {}
      : { requestsOverBound: rounded(requests / (truth.limit + 1)) }),
    ...(truth.seconds === undefined ? {} : { secondsOverWindow: rounded(seconds / truth.seconds) }),
  };
}

/** Each class that is left with its parameters, best first; what is shaped has a rate before them. */
export function foundIn({ classes, refillPerSecond }: LimitEstimate): string[] {
  const all = classes.map((one) => {
    // Name, unit and value.
    const values: readonly (readonly [string, string, Parameter | undefined])[] = [
      ['N', '', one.limit],
      ['refill', '', one.refill],
      ['each', 's', one.intervalSeconds],
      ['block', 's', one.penaltySeconds],
      ['W', 's', one.windowSeconds],
      ['r', '/s', one.refillPerSecond],
    ];
    const reported = values.flatMap(([name, unit, value]) =>
      value === undefined ? [] : [`${name}=${intervalText(value)}${unit}`],
    );
    const names = [one.class, ...(one.alike ?? [])].map(nameOf).join(' or ');
    return `${names} ${reported.join(' ')} (${short(one.probability)})`;
  });
  return refillPerSecond === undefined ? all : [`${short(refillPerSecond)}/s`, ...all];
}

/** The value, and the interval if that is not narrow. */
function intervalText({ value, lo, hi }: Parameter): string {
  return hi > lo * 1.02 ? `${short(value)}[${short(lo)}..${short(hi)}]` : short(value);
}
