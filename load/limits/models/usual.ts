/** Values that people choose. They break ties between windows that explain a transcript alike. */

import type { Interval } from './interval.ts';

/** Usual windows, ms. */
const USUAL_WINDOWS_MS: readonly number[] = [
  0.5, 1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200, 86_400,
].map((seconds) => seconds * 1000);

/** Whether people choose this window. */
export function isUsual(windowMs: number): boolean {
  return USUAL_WINDOWS_MS.includes(windowMs);
}

/** Times within this ratio are known well enough; the middle is then off by 4 % at most. */
export const PRECISE_RATIO = 1.08;
/** A value that is further from an end of such an interval may be off by more than it may. */
const ASIDE_RATIO = 1.04;

/** Whether a value is no better than the middle of its interval: it lies at one end of a good one. */
export function isAside(value: number, { lo, hi }: Interval): boolean {
  return Math.max(value / lo, hi / value) > ASIDE_RATIO && hi / lo <= PRECISE_RATIO;
}

/** Whole seconds up to two minutes: less usual, still more so than any fraction. */
const WHOLE_SECONDS = 120;

const USUAL_PROBABILITY = 0.6;
const WHOLE_PROBABILITY = 0.1;
const REST_PROBABILITY = 0.3;
/** ln of the ratio of the longest window to the shortest. */
const LOG_RANGE = Math.log(604_800_000 / 200);

/** A value that stands out, with its prior probability. */
export interface PointMass {
  readonly ms: number;
  readonly probability: number;
}

/** The values that stand out in an interval, ms; what the service reports counts as usual ones. */
export function pointMassesIn(
  lo: number,
  hi: number,
  reportedMs: readonly number[] = [],
): PointMass[] {
  const pointMasses = new Map<number, number>();
  const add = (ms: number, probability: number): void => {
    if (ms >= lo && ms <= hi) pointMasses.set(ms, (pointMasses.get(ms) ?? 0) + probability);
  };
  for (const ms of USUAL_WINDOWS_MS) add(ms, USUAL_PROBABILITY / USUAL_WINDOWS_MS.length);
  for (const ms of new Set(reportedMs)) add(ms, 0.1);
  const last = Math.min(WHOLE_SECONDS, Math.floor(hi / 1000));
  for (let second = Math.max(1, Math.ceil(lo / 1000)); second <= last; second += 1) {
    add(second * 1000, WHOLE_PROBABILITY / WHOLE_SECONDS);
  }
  return [...pointMasses].map(([ms, probability]) => ({ ms, probability }));
}

/** The probability of all values that stand out in an interval, no claims among them: counted, not listed. */
export function pointMassProbability(lo: number, hi: number): number {
  let usual = 0;
  for (const ms of USUAL_WINDOWS_MS) if (ms >= lo && ms <= hi) usual += 1;
  const last = Math.min(WHOLE_SECONDS, Math.floor(hi / 1000));
  const whole = Math.max(0, last + 1 - Math.max(1, Math.ceil(lo / 1000)));
  return (
    (usual * USUAL_PROBABILITY) / USUAL_WINDOWS_MS.length +
    (whole * WHOLE_PROBABILITY) / WHOLE_SECONDS
  );
}

/** The prior probability of the values of an interval that do not stand out. */
export function restProbability(lo: number, hi: number): number {
  if (!(lo > 0) || hi < lo) return 0;
  return (REST_PROBABILITY * Math.log(Math.max(hi / lo, 1 + 1e-6))) / LOG_RANGE;
}
