import { MIN_WINDOW_MS, MAX_WINDOW_MS, PUT_OFF } from '../models/model.ts';
import type { Candidate, Interval, LimiterClass } from '../models/index.ts';
import type { WallClock } from '../transcript.ts';
import { pointMassesIn, restProbability, type PointMass } from '../models/usual.ts';

/** What is known beside the transcript, for weighing what explains it. */
export interface WeighingContext {
  readonly wall?: WallClock;
  /** Windows that the service reports, ms. */
  readonly reportedMs: readonly number[];
  /** The one limit that it reports, once other words of it came true. */
  readonly reported?: ReportedLimit;
  /** Whether its waits start anew with each rejection, by its word and in truth. */
  readonly startsAnew: boolean;
  /** When the first request was decided, on the probe's clock. */
  readonly first: Interval;
}

/** A limit as a service tells of it: so many requests in a window. */
export interface ReportedLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** How likely the window is right that a service tells whose other words came true. */
const REPORTED = 0.9;

/** How likely another class is when waits start anew in word and truth. */
const NOT_ANEW = 0.1;

/** How often a class is met, before anything is known. Only ties are decided by it. */
const CLASS_PROBABILITY: Readonly<Record<LimiterClass, number>> = {
  'fixed-window': 0.25,
  'clock-window': 0.15,
  'token-bucket': 0.15,
  'sliding-log': 0.12,
  'sliding-counter': 0.08,
  'sliding-counter-counting-rejects': 0.04,
  'interval-refill': 0.07,
  'sliding-log-counting-rejects': 0.05,
  penalty: 0.06,
  'restart-on-reject': 0.04,
  concurrency: 0.03,
};

/**
 * The values of a candidate's time that stand out. A bucket's token time stands out when it, or the
 * time in which the whole bucket fills, or the tokens in a second, do.
 */
export function standingOut(candidate: Candidate, reportedMs: readonly number[]): PointMass[] {
  const { timeMs, limit } = candidate;
  if (candidate.class !== 'token-bucket') {
    const windows = pointMassesIn(timeMs.lo, timeMs.hi, reportedMs);
    const isRate = candidate.class === 'fixed-window' && limit.hi === 1;
    return isRate ? [...windows, ...wholeRatesIn(timeMs)] : windows;
  }
  const capacity = limit.lo;
  const fills = pointMassesIn(timeMs.lo * capacity, timeMs.hi * capacity, reportedMs);
  return [
    ...fills.map(({ ms, probability }) => ({ ms: ms / capacity, probability: probability / 2 })),
    ...pointMassesIn(Math.max(1001, timeMs.lo), timeMs.hi).map(({ ms, probability }) => ({
      ms,
      probability: probability / 4,
    })),
    ...wholeRatesIn(timeMs),
  ];
}

/** The times of one token each at which so many fall in a second. */
function wholeRatesIn({ lo, hi }: Interval): PointMass[] {
  const masses: PointMass[] = [];
  for (let rate = Math.max(1, Math.ceil(1000 / hi)); rate <= Math.min(100, 1000 / lo); rate += 1) {
    masses.push({ ms: 1000 / rate, probability: 0.3 / (rate * 5.2) });
  }
  return masses;
}

/**
 * With a limit of one request these are what another class is: the fixed window, for the log that
 * counts rejections the wait that each of them restarts.
 */
const SAME_WITH_ONE: ReadonlySet<LimiterClass> = new Set([
  'sliding-log',
  'token-bucket',
  'sliding-log-counting-rejects',
]);

/** Whether it is what another class is as well. Of a time that is shorter than any window a bucket is left. */
function isSameAsAnother({ class: name, limit, timeMs }: Candidate): boolean {
  const isQuick = name === 'token-bucket' && timeMs.hi < MIN_WINDOW_MS;
  return limit.hi === 1 && SAME_WITH_ONE.has(name) && !isQuick;
}

/** The weight of a candidate, split by the values that its time may have. */
export interface Weight {
  /** Of values that stand out, each with its own probability. */
  readonly pointMasses: readonly PointMass[];
  /** Of all the others together. */
  readonly rest: number;
}

/** The prior weight of a candidate: of its class, and of its parameters' intervals. */
export function weigh(candidate: Candidate, context: WeighingContext): Weight {
  const anew = context.startsAnew && !PUT_OFF.has(candidate.class) ? NOT_ANEW : 1;
  const base = CLASS_PROBABILITY[candidate.class] * (candidate.likelihood ?? 1) * anew;
  const { timeMs } = candidate;
  if (candidate.class === 'concurrency') return { pointMasses: [], rest: base };
  if (isSameAsAnother(candidate)) return { pointMasses: [], rest: 0 };
  const tripMs = context.first.hi - context.first.lo;
  // A bucket that refills within a round trip is hardly one: what it shows is more often concurrency.
  const quick =
    candidate.class === 'token-bucket' && timeMs.hi < Math.max(2, 1.5 * tripMs) ? 0.02 : 1;
  const factor = base * refillProbability(candidate) * quick;
  const unreported = scaled(
    timeWeight(candidate, context),
    factor * countingProbability(candidate),
  );
  if (context.reported === undefined) return unreported;
  const reported = scaled(reportedWeight(candidate, context, context.reported), factor * REPORTED);
  return sum(reported, scaled(unreported, 1 - REPORTED));
}

function sum(one: Weight, other: Weight): Weight {
  const probabilities = new Map(one.pointMasses.map(({ ms, probability }) => [ms, probability]));
  for (const { ms, probability } of other.pointMasses)
    probabilities.set(ms, (probabilities.get(ms) ?? 0) + probability);
  return {
    pointMasses: [...probabilities].map(([ms, probability]) => ({ ms, probability })),
    rest: one.rest + other.rest,
  };
}

function scaled({ pointMasses, rest }: Weight, factor: number): Weight {
  return {
    pointMasses: pointMasses.map(({ ms, probability }) => ({
      ms,
      probability: probability * factor,
    })),
    rest: rest * factor,
  };
}

/** The weight of the time when the service's word of its limit is true. */
function reportedWeight(
  candidate: Candidate,
  context: WeighingContext,
  { limit, windowMs }: ReportedLimit,
): Weight {
  const { timeMs, windowMs: counting, refill } = candidate;
  if (counting !== undefined) {
    return contains(counting, windowMs) ? timeWeight(candidate, context) : NOTHING;
  }
  const probabilityAt = phaseWeight(candidate, context);
  const at = (ms: number): Weight =>
    contains(timeMs, ms)
      ? { pointMasses: [{ ms, probability: probabilityAt(ms) }], rest: 0 }
      : NOTHING;
  if (candidate.class === 'token-bucket') return at(windowMs / limit);
  if (refill === undefined) return at(windowMs);
  // The window is the interval of one refill, or the time in which all come back.
  const perToken = windowMs / candidate.limit.hi;
  const lo = Math.max(refill.lo, Math.ceil(timeMs.lo / perToken));
  const hi = Math.min(refill.hi, Math.floor(timeMs.hi / perToken));
  const all = refillProbability(candidate);
  const part = all > 0 ? refillProbability({ ...candidate, refill: { lo, hi } }) / all : 0;
  const filling = { pointMasses: [], rest: part * probabilityAt(Math.sqrt(lo * hi) * perToken) };
  const interval = at(windowMs);
  return scaled({ pointMasses: interval.pointMasses, rest: hi < lo ? 0 : filling.rest }, 0.5);
}

const NOTHING: Weight = { pointMasses: [], rest: 0 };

function contains({ lo, hi }: Interval, value: number): boolean {
  return value >= lo && value <= hi;
}

/** The weight of the time, together with that of the phase where the class has one. */
function timeWeight(candidate: Candidate, context: WeighingContext): Weight {
  const { timeMs } = candidate;
  const rest = restProbability(timeMs.lo, timeMs.hi);
  const phase = phaseWeight(candidate, context);
  const middle = Math.sqrt(timeMs.lo * Math.min(timeMs.hi, MAX_WINDOW_MS));
  return {
    pointMasses: standingOut(candidate, context.reportedMs).map(({ ms, probability }) => ({
      ms,
      probability: probability * phase(ms),
    })),
    rest: rest * phase(middle, true),
  };
}

/**
 * The weight of a candidate's phase for a value of its time, which may be one among many; 1 where the
 * class has none.
 */
function phaseWeight(
  { refill, boundaryMs }: Candidate,
  { wall, first }: WeighingContext,
): (ms: number, isAny?: boolean) => number {
  if (boundaryMs === undefined) return () => 1;
  const width = boundaryMs.hi - boundaryMs.lo;
  const anchored = refill !== undefined;
  const aligned = (ms: number): number => {
    const onClock =
      wall !== undefined && holdsMultiple(boundaryMs, ms, wall.offsetMs, wall.uncertaintyMs);
    const onFirst = anchored && holdsMultiple(boundaryMs, ms, -first.lo, first.hi - first.lo);
    return (onClock ? 0.6 : 0) + (onFirst ? 0.5 : 0);
  };
  const unaligned = wall === undefined ? 0.8 : 0.3;
  return (ms, isAny = false) => {
    const free = unaligned * Math.min(1, width / ms);
    return isAny ? free + (anchored ? aligned(ms) * 0.5 : 0) : free + aligned(ms);
  };
}

/** Whether a multiple of a length lies in an interval that is moved and widened. */
function holdsMultiple(interval: Interval, ms: number, moveMs: number, widenMs: number): boolean {
  const lo = interval.lo + moveMs - widenMs;
  const hi = interval.hi + moveMs + widenMs;
  return Math.floor(hi / ms) * ms >= lo;
}

/** Refills of more than half the bucket are hardly ever met. */
function refillProbability({ refill, limit }: Candidate): number {
  if (refill === undefined) return 1;
  // A token bucket whose tokens come by a clock is hardly ever met; of two nothing else can refill.
  if (refill.hi === 1) return limit.hi === 2 ? 0.1 : 0.01;
  const most = Math.min(refill.hi, limit.hi);
  const span = (lo: number, hi: number): number =>
    hi < lo ? 0 : Math.log((hi + 1) / lo) / Math.log(limit.hi + 1);
  const half = Math.floor(limit.hi / 2);
  return span(refill.lo, Math.min(most, half)) + 0.02 * span(Math.max(refill.lo, half + 1), most);
}

/** The part of all windows in which a penalty may count. */
function countingProbability({ windowMs }: Candidate): number {
  if (windowMs === undefined) return 1;
  const range = Math.log(MAX_WINDOW_MS / MIN_WINDOW_MS);
  return Math.log(windowMs.hi / windowMs.lo) / range;
}
