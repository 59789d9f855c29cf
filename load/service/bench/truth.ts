/** What a limiter truly is, and how an estimate compares with it. */

import type { Limit } from '../../../fixtures/service/reference/limits.ts';
import type { LimitEstimate, Parameter } from '../../limits/index.ts';
import { nameOf } from '../../probe/facts/facts.ts';
import type { LimiterTruth } from '../../real-limiters/index.ts';

type ClassEstimate = LimitEstimate['classes'][number];

/** What a probe should find. What the class does not have is absent. */
export interface Truth {
  /** The class that is right, as reports name it; `composite` where no single one is, or `shaper`. */
  readonly algorithm: string;
  /** Requests in a window, in a full bucket, or in flight at once. */
  readonly limit: number;
  /** What the class waits for: a window, a block, an interval, or the time to fill a bucket. */
  readonly seconds?: number;
  /** Tokens that each interval brings. */
  readonly refill?: number;
  /** One by one, of buckets and shapers. */
  readonly refillPerSecond?: number;
  /** The window in which a penalty counts. */
  readonly countedSeconds?: number;
}

/** The truth of a limit of the reference service. */
export function truthOf(limit: Limit): Truth {
  switch (limit.algorithm) {
    case 'token-bucket':
    case 'gcra': {
      const { burst, refillPerSecond } = limit;
      // One limiter, computed in two ways.
      const algorithm = 'token-bucket';
      return { algorithm, limit: burst, seconds: burst / refillPerSecond, refillPerSecond };
    }
    case 'interval-refill': {
      const { algorithm, burst, refill, intervalSeconds: seconds } = limit;
      return { algorithm, limit: burst, seconds, refill };
    }
    case 'penalty-block': {
      const { algorithm, requests, blockSeconds: seconds, windowSeconds: countedSeconds } = limit;
      return { algorithm, limit: requests, seconds, countedSeconds };
    }
    case 'concurrency':
      return { algorithm: limit.algorithm, limit: limit.requests };
    case 'shaper': {
      const { algorithm, burst, ratePerSecond: refillPerSecond } = limit;
      return { algorithm, limit: burst, refillPerSecond };
    }
    default: {
      const { algorithm = 'fixed-window', requests, windowSeconds: seconds } = limit;
      return { algorithm, limit: requests, seconds };
    }
  }
}

/** The truth of a limiter from npm. */
export function realTruthOf({
  algorithms,
  limit,
  windowSeconds,
  blockSeconds,
}: LimiterTruth): Truth {
  return {
    algorithm: algorithms[0] ?? 'composite',
    limit,
    ...(blockSeconds === undefined
      ? { seconds: windowSeconds }
      : { seconds: blockSeconds, countedSeconds: windowSeconds }),
  };
}

/**
 * `right`: identified with N exact, times within 5 % and refill within 10 %, or shown as the misfit that
 * it is · `ambiguous`: not identified, the truth among what is left · `composite`: a single class, shown
 * as none · `missed`: not identified, and the truth is not among what is left, or nothing is · `WRONG`:
 * identified as something that it is not.
 */
export type Grade = 'right' | 'ambiguous' | 'composite' | 'missed' | 'WRONG';

/** All grades, best first. */
export const GRADES: readonly Grade[] = ['right', 'ambiguous', 'composite', 'missed', 'WRONG'];

const TIME_ERROR = 0.05;
const REFILL_ERROR = 0.1;
/** Ends of intervals are told to four digits or so. */
const EDGE = 1.005;

/** How an estimate compares with the truth. */
export function gradeOf(truth: Truth, estimate: LimitEstimate): Grade {
  const { kind, classes } = estimate;
  switch (kind) {
    case 'identified':
      return classes.some((one) => equals(one, truth)) ? 'right' : 'WRONG';
    case 'shaped':
      if (truth.algorithm !== 'shaper') return 'WRONG';
      return near(estimate.refillPerSecond, truth.refillPerSecond, REFILL_ERROR)
        ? 'right'
        : 'WRONG';
    case 'composite':
      return truth.algorithm === 'composite' ? 'right' : 'composite';
    case 'ambiguous':
      return classes.some((one) => contains(one, truth)) ? 'ambiguous' : 'missed';
    default:
      return 'missed';
  }
}

function equals(one: ClassEstimate, truth: Truth): boolean {
  return (
    nameOf(one.class) === truth.algorithm &&
    one.limit.value === truth.limit &&
    (truth.refill === undefined || one.refill?.value === truth.refill) &&
    within(one.windowSeconds, truth.countedSeconds) &&
    (truth.refillPerSecond === undefined
      ? near(timeOf(one)?.value, truth.seconds, TIME_ERROR)
      : near(one.refillPerSecond?.value, truth.refillPerSecond, REFILL_ERROR))
  );
}

function contains(one: ClassEstimate, truth: Truth): boolean {
  return (
    nameOf(one.class) === truth.algorithm &&
    within(one.limit, truth.limit) &&
    within(one.refill, truth.refill) &&
    within(one.windowSeconds, truth.countedSeconds) &&
    within(timeOf(one), truth.seconds)
  );
}

/** What the class waits for, s; absent where it waits for nothing. */
export function timeOf(one: ClassEstimate): Parameter | undefined {
  return one.intervalSeconds ?? one.penaltySeconds ?? one.windowSeconds;
}

function near(value: number | undefined, truth: number | undefined, error: number): boolean {
  if (truth === undefined) return true;
  return value !== undefined && Math.abs(value / truth - 1) <= error;
}

function within(parameter: Parameter | undefined, truth: number | undefined): boolean {
  if (truth === undefined) return true;
  return parameter !== undefined && truth * EDGE >= parameter.lo && truth <= parameter.hi * EDGE;
}
