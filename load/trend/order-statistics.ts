/** Statistics that a few wild values do not move. */

import { total } from '../sums.ts';

/** The middle value; the mean of both if there are two. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2;
}

/** Median distance from the median, scaled to the standard deviation of a normal distribution. */
export function robustSpread(values: readonly number[]): number {
  const middle = median(values);
  return 1.4826 * median(values.map((value) => Math.abs(value - middle)));
}

/** By how much the later values are higher than the earlier ones. */
export interface ShiftEstimate {
  readonly shift: number;
  readonly least: number;
  readonly greatest: number;
}

/**
 * The shift between two samples: the median of all differences, and the order statistics of the
 * differences between which it lies with 95 % confidence, by the normal approximation of the
 * Mann–Whitney statistic (J. L. Hodges and E. L. Lehmann 1963; M. Hollander, D. A. Wolfe and E. Chicken,
 * Nonparametric Statistical Methods, section 4.3). Where the place of the split was chosen as the
 * likeliest one, the interval does not count that choice.
 *
 * @param earlier at least one value
 * @param later at least one value
 */
export function shiftBetween(earlier: readonly number[], later: readonly number[]): ShiftEstimate {
  const differences = Float64Array.from(
    later.flatMap((after) => earlier.map((before) => after - before)),
  ).sort();
  const pairs = differences.length;
  const sd = Math.sqrt((pairs * (earlier.length + later.length + 1)) / 12);
  const place = Math.max(0, Math.floor(pairs / 2 - 1.96 * sd - 0.5));
  return {
    shift: median([...differences]),
    least: differences[place] ?? NaN,
    greatest: differences[pairs - 1 - place] ?? NaN,
  };
}

/**
 * Correlation of each value with the one before it on the same side, about a middle of the sides; values beyond
 * 2.5 spreads count as 2.5, so that single wild nights do not hide it.
 */
export function serialCorrelation(
  sides: readonly (readonly number[])[],
  middleOf: (values: readonly number[]) => number,
): number {
  const residuals = sides.map((values) => {
    const middle = middleOf(values);
    const bound = 2.5 * robustSpread(values);
    return values.map((value) => Math.max(-bound, Math.min(bound, value - middle)));
  });
  const squares = total(residuals.flat().map((one) => one * one));
  const products = residuals.flatMap((side) =>
    side.slice(1).map((one, at) => one * (side[at] ?? 0)),
  );
  return squares === 0 ? 0 : total(products) / squares;
}

/** The mean of some values. */
export function mean(values: readonly number[]): number {
  return total(values) / values.length;
}

/** A difference of logarithms as a percentage: 0.0953 is 10. */
export function percentOf(logDifference: number): number {
  return rounded(100 * Math.expm1(logDifference));
}

/** Four digits: more would only fill the record. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
