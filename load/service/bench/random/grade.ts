/** How an estimate compares with a truth that was drawn by chance. */

import type { EnvelopeRow } from '../../../../contracts/run/load/limit-measurement.ts';
import type { ClassEstimate, LimitEstimate, Parameter } from '../../../limits/index.ts';
import { nameOf } from '../../../probe/facts/facts.ts';
import type { RandomTruth } from '../../../real-limiters/limiter-truth.ts';

/**
 * `right as far as tried`: the inner of two limits is named, and it is reported as far as which it was
 * tried; the outer one rejected nothing by then · `right`: named, the limit and times within 5 % and
 * refills within 10 % · `ambiguous`: not named, the truth among what is left; of several limits at
 * once: one of them among it, or that no single class fits · `inconclusive`: nothing is said ·
 * `missed`: not named, and the truth is not among what is left ·
 * `WRONG`: named as something that it is not.
 */
export type RandomGrade =
  'right' | 'right as far as tried' | 'ambiguous' | 'inconclusive' | 'missed' | 'WRONG';

/** All of them, best first. */
export const RANDOM_GRADES: readonly RandomGrade[] = [
  'right',
  'right as far as tried',
  'ambiguous',
  'inconclusive',
  'missed',
  'WRONG',
];

const TIME_ERROR = 0.05;
const LIMIT_ERROR = 0.05;
const REFILL_ERROR = 0.1;
/** Ends of intervals are told to a few digits. */
const EDGE = 1.01;
/** Tokens that come at steps shorter than this many round trips, or ms, come continuously. */
const FINE_TRIPS = 2;
const FINE_MS = 20;

/** What is compared; more kinds of estimates may come to be than this knows. */
export type Graded = Pick<LimitEstimate, 'classes' | 'refillPerSecond'> & {
  readonly kind: string;
  /** What is told of how far it was tried; nothing where it is absent. */
  readonly envelope?: readonly EnvelopeRow[];
  /** Whether the outer of two limits rejected what the inner one admitted; absent where nobody knows. */
  readonly metOuter?: boolean;
};

/** @param tripMs what a round trip takes on average */
export function gradeRandom(truth: RandomTruth, estimate: Graded, tripMs: number): RandomGrade {
  const { kind, classes } = estimate;
  const truths = sameAs(truth, tripMs);
  const isBeyondClasses = truth.parts !== undefined || truth.class === 'shaping-with-reject';
  switch (kind) {
    case 'identified':
      if (truths.some((one) => classes.some((found) => equals(found, one)))) return 'right';
      return isRightAsTried(truth, estimate, tripMs) ? 'right as far as tried' : 'WRONG';
    case 'stacked':
      return truth.parts?.every((part) =>
        sameAs(part, tripMs).some((one) => classes.some((found) => equals(found, one))),
      ) === true
        ? 'right'
        : 'WRONG';
    case 'shaped':
      if (truth.class !== 'shaping-with-reject') return 'WRONG';
      return near(estimate.refillPerSecond, truth.perSecond, REFILL_ERROR) ? 'right' : 'WRONG';
    case 'composite':
      if (truth.class === 'none') return 'right';
      return isBeyondClasses ? 'ambiguous' : 'missed';
    case 'ambiguous': {
      // It is said that no one is sure, of a limiter that is none of the classes.
      if (truth.class === 'none') return 'ambiguous';
      if (classes.length === 0) return isBeyondClasses ? 'ambiguous' : 'inconclusive';
      const parts = truth.parts?.flatMap((part) => sameAs(part, tripMs)) ?? truths;
      return parts.some((one) => classes.some((found) => contains(found, one)))
        ? 'ambiguous'
        : 'missed';
    }
    case 'inconclusive':
      return 'inconclusive';
    default:
      return 'missed';
  }
}

/** Whether the inner of two limits was named, and what is told of how far leaves room for the outer one. */
function isRightAsTried(
  { parts }: RandomTruth,
  { classes, envelope = [], metOuter = false }: Graded,
  tripMs: number,
): boolean {
  if (parts === undefined || metOuter || envelope.length === 0) return false;
  const [inner, outer] = parts;
  const isInner = sameAs(inner, tripMs).some((one) => classes.some((found) => equals(found, one)));
  return isInner && envelope.every((row) => row.requests <= mostWithin(outer, row.seconds));
}

/** The most that a limit lets in within any so many seconds. */
function mostWithin(
  { class: name, limit, seconds = 0, perSecond }: RandomTruth,
  within: number,
): number {
  if (perSecond !== undefined) return limit + perSecond * within;
  const windows = Math.floor(within / seconds);
  // Any time that is no longer than a window may touch two, unless it slides.
  return limit * (windows + (name === 'sliding-log' ? 1 : 2));
}

/** The truth, and the other limiters that nobody could tell from it. */
export function sameAs(truth: RandomTruth, tripMs: number): readonly RandomTruth[] {
  const { class: name, limit, refill, seconds = 0, intervalSeconds = 0 } = truth;
  const as = (...names: readonly RandomTruth['class'][]): readonly RandomTruth[] =>
    names.map((other) => ({ ...truth, class: other }));
  if (name === 'shaping-with-reject') return [truth, ...as('token-bucket')];
  if (name === 'interval-refill') {
    const isFine = 1000 * intervalSeconds <= Math.max(FINE_MS, FINE_TRIPS * tripMs);
    // One token at a time differs only in the phase that it keeps while the bucket is full.
    if (refill !== 1 && !isFine) return [truth];
    const perSecond = (refill ?? 1) / intervalSeconds;
    return [truth, { class: 'token-bucket', limit, perSecond, seconds }];
  }
  if (limit !== 1) return [truth];
  switch (name) {
    case 'fixed-window':
    case 'sliding-log':
    case 'token-bucket':
      return [
        { class: 'fixed-window', limit, seconds },
        { class: 'sliding-log', limit, seconds },
        { class: 'token-bucket', limit, seconds, perSecond: 1 / seconds },
      ];
    case 'restart-on-reject':
    case 'sliding-log-counting-rejects':
      return as('restart-on-reject', 'sliding-log-counting-rejects');
    case 'clock-window':
    case 'sliding-counter':
      return as('clock-window', 'sliding-counter');
    default:
      return [truth];
  }
}

function equals(one: ClassEstimate, truth: RandomTruth): boolean {
  return (
    nameOf(one.class) === truth.class &&
    near(one.limit.value, truth.limit, LIMIT_ERROR) &&
    near(one.refill?.value, truth.refill, REFILL_ERROR) &&
    within(one.windowSeconds, truth.countedSeconds) &&
    (truth.perSecond === undefined
      ? near(timeOf(one)?.value, timeIn(truth), TIME_ERROR)
      : near(one.refillPerSecond?.value, truth.perSecond, REFILL_ERROR))
  );
}

function contains(one: ClassEstimate, truth: RandomTruth): boolean {
  return (
    nameOf(one.class) === truth.class &&
    within(one.limit, truth.limit) &&
    within(one.refill, truth.refill) &&
    within(one.windowSeconds, truth.countedSeconds) &&
    (truth.perSecond === undefined
      ? within(timeOf(one), timeIn(truth))
      : within(one.refillPerSecond, truth.perSecond))
  );
}

/** What its class waits for, s. */
function timeIn({ intervalSeconds, seconds }: RandomTruth): number | undefined {
  return intervalSeconds ?? seconds;
}

function timeOf(one: ClassEstimate): Parameter | undefined {
  return one.intervalSeconds ?? one.penaltySeconds ?? one.windowSeconds;
}

function near(value: number | undefined, truth: number | undefined, error: number): boolean {
  if (truth === undefined) return true;
  return value !== undefined && Math.abs(value / truth - 1) <= error + 1e-9;
}

function within(parameter: Parameter | undefined, truth: number | undefined): boolean {
  if (truth === undefined) return true;
  return parameter !== undefined && truth * EDGE >= parameter.lo && truth <= parameter.hi * EDGE;
}
