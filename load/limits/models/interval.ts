/** A closed interval of reals; `lo > hi` is empty. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

export const ANYTHING: Interval = { lo: -Infinity, hi: Infinity };

/** Whether no value is left. */
export function isEmpty({ lo, hi }: Interval): boolean {
  return lo > hi;
}

/** The values of an interval that are at least `least`. */
export function atLeast(interval: Interval, least: number): Interval {
  return least > interval.lo ? { lo: least, hi: interval.hi } : interval;
}

/** The values of an interval that are at most `most`. */
export function atMost(interval: Interval, most: number): Interval {
  return most < interval.hi ? { lo: interval.lo, hi: most } : interval;
}

/** What two intervals share. */
export function meet(a: Interval, b: Interval): Interval {
  return { lo: Math.max(a.lo, b.lo), hi: Math.min(a.hi, b.hi) };
}

/** The smallest interval that holds both. */
export function hull(a: Interval, b: Interval): Interval {
  return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
}

/** All differences of a value of each. */
export function minus(a: Interval, b: Interval): Interval {
  return { lo: a.lo - b.hi, hi: a.hi - b.lo };
}

/** One value. */
export function point(value: number): Interval {
  return { lo: value, hi: value };
}

/** How many times the greatest value is the least; Infinity for open intervals. */
export function ratio({ lo, hi }: Interval): number {
  return lo > 0 ? hi / lo : Infinity;
}
