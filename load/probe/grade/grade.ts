/** How an estimate compares with the truth. */

import type { EnvelopeRow } from '../../../contracts/run/load/limit-measurement.ts';
import type { ClassEstimate, LimitEstimate, Parameter } from '../../limits/index.ts';
import { nameOf } from '../facts/class-names.ts';
import { sameAs } from './same-as.ts';
import type { LimiterTruth } from '../../../fixtures/known-limiters/truth.ts';

/**
 * `right`: named, the limit and the refill exact, times within 5 % and rates within 10 %; or shown as the
 * misfit that it is · `right as far as tried`: the inner of two limits is named, and it is reported as far as
 * which it was tried; the outer one rejected nothing by then · `ambiguous`: not named, the truth among what is
 * left; of two limits at once: one of them among it, or that no single class fits · `inconclusive`: nothing is
 * said · `missed`: not named, and the truth is not among what is left, or a single class is shown as none ·
 * `WRONG`: named as something that it is not.
 */
export type Grade =
  'right' | 'right as far as tried' | 'ambiguous' | 'inconclusive' | 'missed' | 'WRONG';

/** All of them, best first. */
export const GRADES: readonly [Grade, ...Grade[]] = [
  'right',
  'right as far as tried',
  'ambiguous',
  'inconclusive',
  'missed',
  'WRONG',
];

const TIME_ERROR = 0.05;
const RATE_ERROR = 0.1;
/** Ends of intervals are told to four digits or so. */
const EDGE = 1.005;

/** What is compared; more kinds of estimates may come to be than this knows. */
export type Graded = Pick<LimitEstimate, 'classes' | 'refillPerSecond'> & {
  readonly kind: string;
  /** What is told of how far it was tried; nothing where it is absent. */
  readonly envelope?: readonly EnvelopeRow[];
  /** Whether the outer of two limits rejected what the inner one admitted; absent where nobody knows. */
  readonly metOuter?: boolean;
};

/** @param tripMs what a round trip takes on average */
export function gradeOf(truth: LimiterTruth, estimate: Graded, tripMs: number): Grade {
  const { kind, classes } = estimate;
  switch (kind) {
    case 'identified':
      if (isNamed(truth, classes, tripMs)) return 'right';
      return isRightAsTried(truth, estimate, tripMs) ? 'right as far as tried' : 'WRONG';
    case 'stacked':
      return truth.parts?.every((part) => isNamed(part, classes, tripMs)) === true
        ? 'right'
        : 'WRONG';
    case 'shaped':
      return truth.class === 'shaping-with-reject' &&
        near(estimate.refillPerSecond, truth.perSecond, RATE_ERROR)
        ? 'right'
        : 'WRONG';
    case 'composite':
      if (truth.class === 'none') return 'right';
      return truth.parts === undefined ? 'missed' : 'ambiguous';
    case 'ambiguous':
      return gradeLeft(truth, classes, tripMs);
    case 'inconclusive':
      return 'inconclusive';
    default:
      return 'missed';
  }
}

/** The best of the grades by several truths, any of which is right. */
export function bestGradeOf(
  truths: readonly LimiterTruth[],
  estimate: Graded,
  tripMs: number,
): Grade {
  const grades = truths.map((truth) => gradeOf(truth, estimate, tripMs));
  return GRADES.find((grade) => grades.includes(grade)) ?? 'WRONG';
}

/** Of what is left when no one is sure. */
function gradeLeft(truth: LimiterTruth, classes: readonly ClassEstimate[], tripMs: number): Grade {
  if (classes.length === 0) return truth.parts === undefined ? 'inconclusive' : 'ambiguous';
  const truths = (truth.parts ?? [truth]).flatMap((part) => sameAs(part, tripMs));
  const isLeft = truths.some((one) => classes.some((found) => contains(found, one)));
  return isLeft ? 'ambiguous' : 'missed';
}

function isNamed(truth: LimiterTruth, classes: readonly ClassEstimate[], tripMs: number): boolean {
  return sameAs(truth, tripMs).some((one) => classes.some((found) => equals(found, one)));
}

/** Whether the inner of two limits was named, and what is told of how far leaves room for the outer one. */
function isRightAsTried(
  { parts }: LimiterTruth,
  { classes, envelope = [], metOuter = false }: Graded,
  tripMs: number,
): boolean {
  if (parts === undefined || metOuter || envelope.length === 0) return false;
  const [inner, outer] = parts;
  return (
    isNamed(inner, classes, tripMs) &&
    envelope.every((row) => row.requests <= mostWithin(outer, row.seconds))
  );
}

/** The most that a limit lets in within any so many seconds. */
function mostWithin(
  { class: name, limit, seconds = 0, perSecond }: LimiterTruth,
  within: number,
): number {
  if (perSecond !== undefined) return limit + perSecond * within;
  const windows = Math.floor(within / seconds);
  // Any time that is no longer than a window may touch two, unless it slides.
  return limit * (windows + (name === 'sliding-log' ? 1 : 2));
}

function equals(one: ClassEstimate, truth: LimiterTruth): boolean {
  // Told as one of several classes with this limit and window.
  if (one.alike?.some((name) => nameOf(name) === truth.class) === true) {
    const isNear = near(one.windowSeconds?.value, truth.seconds, TIME_ERROR);
    return one.limit.value === truth.limit && isNear;
  }
  return (
    nameOf(one.class) === truth.class &&
    one.limit.value === truth.limit &&
    (truth.refill === undefined || one.refill?.value === truth.refill) &&
    within(one.windowSeconds, truth.countedSeconds) &&
    (truth.perSecond === undefined
      ? near(timeOf(one)?.value, timeIn(truth), TIME_ERROR)
      : near(one.refillPerSecond?.value, truth.perSecond, RATE_ERROR))
  );
}

function contains(one: ClassEstimate, truth: LimiterTruth): boolean {
  return (
    nameOf(one.class) === truth.class &&
    within(one.limit, truth.limit) &&
    within(one.refill, truth.refill) &&
    within(one.windowSeconds, truth.countedSeconds) &&
    within(timeOf(one), timeIn(truth)) &&
    within(one.refillPerSecond, truth.perSecond)
  );
}

/** What its class waits for, s. */
function timeIn({ intervalSeconds, seconds }: LimiterTruth): number | undefined {
  return intervalSeconds ?? seconds;
}

/** What the class waits for, s; absent where it waits for nothing. */
export function timeOf(one: ClassEstimate): Parameter | undefined {
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
