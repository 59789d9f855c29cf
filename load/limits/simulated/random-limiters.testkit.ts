import type { LimitEstimate } from '../estimate/estimate.ts';
import { requestRate } from './library-limiters.testkit.ts';
import * as limiters from './limiters.testkit.ts';
import type { LimiterClass } from '../models/index.ts';
import type { ProbeResult } from '../planner/run-probe.ts';
import { chance, simulate, type RetryAfterHabit } from './simulation.testkit.ts';
import type { WallClock } from '../transcript.ts';

/** What a limiter truly is. Times in seconds. */
export interface Truth {
  readonly class: LimiterClass;
  readonly limit: number;
  /** The window, the block of a penalty, the time of one token, or the interval of refills. */
  readonly seconds: number;
  readonly refill?: number;
}

/** One simulated service with its truth. */
export interface Trial {
  readonly seed: number;
  readonly truth: Truth;
  readonly limiter: limiters.TestLimiter;
  readonly roundTripMs: number;
  readonly jitterMs: number;
  readonly retryAfter: RetryAfterHabit;
  readonly windowSeconds: number;
  readonly wall?: WallClock;
}

/** How an estimate compares with the truth. */
export type Grade = 'right' | 'ambiguous' | 'missed' | 'wrong';

const USUAL_SECONDS = [0.5, 1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600];

const CLASSES: readonly LimiterClass[] = [
  'fixed-window',
  'clock-window',
  'sliding-log',
  'sliding-log-counting-rejects',
  'sliding-counter',
  'token-bucket',
  'interval-refill',
  'penalty',
  'restart-on-reject',
  'concurrency',
];

const HABITS: readonly RetryAfterHabit[] = [
  'honest',
  'honest',
  'none',
  'constant',
  'milliseconds',
  'early',
  'late',
];

/**
 * A limiter drawn by chance. The network is fast enough for the limit to be met in a tenth of its
 * window: a slower one meets no limit, and there is nothing to find.
 */
export function randomTrial(seed: number): Trial {
  const random = chance(seed);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  const name = pick(CLASSES);
  const usual = random() < 0.7;
  const window = usual ? pick(USUAL_SECONDS) : 0.5 * Math.exp(random() * Math.log(7200));
  const epochMs = 1_767_225_600_000 + Math.floor(random() * 3_600_000);
  const greatest = Math.max(1, Math.min(200, Math.floor(window * 100)));
  const limit = Math.max(
    name === 'concurrency' ? 2 : 1,
    Math.floor(Math.exp(random() * Math.log(greatest + 1))),
  );
  const slowest = Math.min(50, (window * 1000) / (10 * (limit + 10)));
  const roundTripMs =
    name === 'concurrency' ? 1 + 49 * random() : Math.max(0.5, slowest * random());
  const wall =
    random() < 0.7 ? { offsetMs: epochMs + (random() - 0.5) * 20, uncertaintyMs: 10 } : null;
  const { limiter, truth } = make(name, limit, window, epochMs, random);
  return {
    seed,
    truth,
    limiter,
    roundTripMs,
    jitterMs: roundTripMs * 0.3 * random(),
    retryAfter: pick(HABITS),
    windowSeconds: window,
    ...(wall === null ? {} : { wall }),
  };
}

function make(
  name: LimiterClass,
  limit: number,
  seconds: number,
  epochMs: number,
  random: () => number,
): { readonly limiter: limiters.TestLimiter; readonly truth: Truth } {
  const ms = seconds * 1000;
  const truth: Truth = { class: name, limit, seconds };
  switch (name) {
    case 'fixed-window':
      return { truth, limiter: limiters.fixedWindow(limit, ms) };
    case 'clock-window':
      return { truth, limiter: limiters.clockWindow(limit, ms, epochMs) };
    case 'sliding-log':
      return { truth, limiter: limiters.slidingLog(limit, ms) };
    case 'sliding-log-counting-rejects':
      return { truth, limiter: limiters.slidingLog(limit, ms, true) };
    case 'sliding-counter':
      return { truth, limiter: limiters.slidingCounter(limit, ms, epochMs) };
    case 'sliding-counter-counting-rejects':
      return { truth, limiter: requestRate(limit, ms) };
    case 'token-bucket':
      return {
        truth: { ...truth, seconds: seconds / limit },
        limiter: limiters.tokenBucket(limit, limit / seconds),
      };
    case 'interval-refill': {
      const capacity = limit + 1;
      const refill = Math.max(1, Math.floor(capacity / (2 + 8 * random())));
      const interval = (seconds * refill) / capacity;
      return {
        truth: { class: name, limit: capacity, seconds: interval, refill },
        limiter: limiters.intervalRefill(capacity, refill, interval * 1000),
      };
    }
    case 'penalty':
      return { truth, limiter: limiters.penalty(limit, ms * (0.2 + random()), ms) };
    case 'restart-on-reject':
      return { truth, limiter: limiters.restartOnReject(limit, ms) };
    case 'concurrency':
      return {
        truth: { ...truth, limit: Math.min(limit, 15) },
        limiter: limiters.concurrency(Math.min(limit, 15)),
      };
  }
}

/** Probes the service of a trial. */
export function probe(trial: Trial): Promise<ProbeResult> {
  return simulate(trial);
}

/**
 * `right`: identified, N exact, time within 5 % (refill within 10 %) · `ambiguous`: not identified, the
 * truth among the classes · `missed`: not identified, the truth not among them · `wrong`: identified
 * as something that it is not.
 */
export function grade(truth: Truth, estimate: LimitEstimate): Grade {
  const same = estimate.classes.find((one) => equals(one, truth));
  if (estimate.kind === 'identified') return same === undefined ? 'wrong' : 'right';
  return estimate.classes.some((one) => contains(one, truth)) ? 'ambiguous' : 'missed';
}

type Estimate = LimitEstimate['classes'][number];

function timeOf(one: Estimate): { value: number; lo: number; hi: number } | undefined {
  if (one.class === 'token-bucket' && one.refillPerSecond !== undefined) {
    const { value, lo, hi } = one.refillPerSecond;
    return { value: 1 / value, lo: 1 / hi, hi: 1 / lo };
  }
  return one.intervalSeconds ?? one.penaltySeconds ?? one.windowSeconds;
}

function sameClass(one: Estimate, truth: Truth): boolean {
  if (one.class === truth.class) return true;
  // With a limit of one request these are the same thing, as is a refill of one token except for the
  // phase that it keeps while the bucket is full.
  const gates = [
    ['fixed-window', 'sliding-log', 'token-bucket'],
    ['restart-on-reject', 'sliding-log-counting-rejects'],
    ['clock-window', 'sliding-counter'],
  ];
  const dripping = truth.class === 'interval-refill' && truth.refill === 1;
  if (dripping && one.class === 'token-bucket') return true;
  return (
    truth.limit === 1 &&
    gates.some((gate) => gate.includes(one.class) && gate.includes(truth.class))
  );
}

function equals(one: Estimate, truth: Truth): boolean {
  if (!sameClass(one, truth) || one.limit.value !== truth.limit) return false;
  if (truth.class === 'concurrency') return true;
  if (truth.refill !== undefined && (one.refill?.value ?? 1) !== truth.refill) return false;
  const error = Math.abs((timeOf(one)?.value ?? 0) / truth.seconds - 1);
  return error <= (truth.class === 'token-bucket' ? 0.1 : 0.05);
}

function contains(one: Estimate, truth: Truth): boolean {
  if (!sameClass(one, truth)) return false;
  if (one.limit.lo > truth.limit || one.limit.hi < truth.limit) return false;
  const time = timeOf(one);
  if (truth.class === 'concurrency' || time === undefined) return true;
  return time.lo <= truth.seconds * 1.01 && time.hi >= truth.seconds * 0.99;
}
