import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { median } from './order-statistics.ts';
import { changeIn } from './shifts.ts';
import { FIRST_LOOK, SplitScan } from './split-scan.ts';

/** Within so many nights a change counts as seen in time. */
const NIGHTS_TO_SEE = 10;
/** In such a share of tries, at least. */
const SURELY = 0.95;
const TRIES = 200;
/** More nights before a change help little, and cost much. */
const MAX_BEFORE = 45;
const MAX_PERCENT = 100;
const EXACT_PERCENT = 0.5;
const SEED = 1;

/**
 * The smallest slow-down, in percent, that the walk over nights would find within ten nights 19 of 20
 * times, if it came next: found by drawing histories from the nights' own deviations (the bootstrap of
 * B. Efron 1979), so that skewed nights and outliers count as they are. The draws are the same for the
 * same nights.
 *
 * @param logs nights since the latest change, as logarithms
 * @returns undefined when even twice the time would not surely be reported
 */
export function smallestReported(logs: readonly number[], threshold: number): number | undefined {
  const before = Math.min(MAX_BEFORE, Math.max(FIRST_LOOK, logs.length));
  const tries = drawnHistories(logs, before);
  const isReported = (percent: number): boolean => {
    const needed = Math.ceil(SURELY * TRIES);
    let reported = 0;
    for (const [at, history] of tries.entries()) {
      if (reported >= needed) return true;
      if (reported + (tries.length - at) < needed) return false;
      if (finds(history, before, Math.log1p(percent / 100), threshold)) reported += 1;
    }
    return reported >= needed;
  };
  if (!isReported(MAX_PERCENT)) return undefined;
  let [missed, seen] = [0, MAX_PERCENT];
  while (seen - missed > EXACT_PERCENT) {
    const middle = (missed + seen) / 2;
    if (isReported(middle)) seen = middle;
    else missed = middle;
  }
  return seen;
}

/** Histories of the deviations from the median, widened by what a small sample of them lacks. */
function drawnHistories(logs: readonly number[], before: number): number[][] {
  const generator = xoroshiro128plus(SEED);
  const middle = median(logs);
  const widened = Math.sqrt(logs.length / Math.max(1, logs.length - 1));
  const deviations = logs.map((value) => widened * (value - middle));
  return Array.from({ length: TRIES }, () =>
    Array.from(
      { length: before + NIGHTS_TO_SEE },
      () => deviations[uniformInt(generator, 0, deviations.length - 1)] ?? 0,
    ),
  );
}

/** Whether a change that comes after so many nights is reported in time; what was reported before counts not. */
function finds(
  history: readonly number[],
  before: number,
  change: number,
  threshold: number,
): boolean {
  const scan = new SplitScan();
  return history.some((value, night) => {
    scan.add(night < before ? value : value + change);
    return night >= before && changeIn(scan, threshold) !== undefined;
  });
}
