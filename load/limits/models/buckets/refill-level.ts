/**
 * How many tokens a bucket holds, as far as it depends on the unknown refill q: the least of several
 * sums `constant + factor × q`, since each refill may be cut off by the capacity, itself such a sum.
 */

import { atLeast, atMost, isEmpty, type Interval } from '../interval.ts';

export interface Sum {
  readonly constant: number;
  readonly factor: number;
}

export type Level = readonly Sum[];

export const EMPTY: Level = [{ constant: 0, factor: 0 }];

/** Refills after which the bucket is taken to be as full as it can be: each leaves its sum. */
const MAX_STEPS = 400;

/** The level after that many refills. */
export function refilled(level: Level, capacity: Sum, refills: number, q: Interval): Level {
  let now = level;
  for (let i = 0; i < Math.min(refills, MAX_STEPS); i += 1) {
    const more = now.map(({ constant, factor }) => ({ constant, factor: factor + 1 }));
    // A sum that is above the capacity for every q that is left never is the least.
    now = [...more.filter((sum) => below(sum, capacity, q)), capacity];
  }
  return now;
}

function below(sum: Sum, other: Sum, q: Interval): boolean {
  const at = (value: number): boolean =>
    sum.constant + sum.factor * value < other.constant + other.factor * value;
  return at(q.lo) || at(q.hi);
}

/** The level after one request was admitted. */
export function taken(level: Level): Level {
  return level.map(({ constant, factor }) => ({ constant: constant - 1, factor }));
}

/** The refills with which at least one token is there; null when there are none. */
export function whereFilled(level: Level, q: Interval): Interval | null {
  let left = q;
  for (const { constant, factor } of level) {
    if (factor === 0 && constant < 1) return null;
    if (factor > 0) left = atLeast(left, Math.ceil((1 - constant) / factor - 1e-9));
    if (factor < 0) left = atMost(left, Math.floor((constant - 1) / -factor + 1e-9));
  }
  return isEmpty(left) ? null : left;
}

/** Each way in which no token can be there: the refills that make one of the sums nothing. */
export function whereEmpty(level: Level, q: Interval): Interval[] {
  const ways: Interval[] = [];
  for (const { constant, factor } of level) {
    if (factor === 0) {
      if (constant <= 0) return [q];
      continue;
    }
    const value = Math.round(-constant / factor);
    const exact = constant + factor * value === 0 && value >= q.lo && value <= q.hi;
    if (exact && ways.every(({ lo }) => lo !== value)) ways.push({ lo: value, hi: value });
  }
  return ways;
}

/** Each way in which exactly so many tokens are there. */
export function whereExactly(level: Level, tokens: number, q: Interval): Interval[] {
  const least = level.map(({ constant, factor }) => ({ constant: constant - tokens + 1, factor }));
  const enough = whereFilled(least, q);
  if (enough === null) return [];
  if (level.some(({ constant, factor }) => factor === 0 && constant === tokens)) return [enough];
  const values = level.map(({ constant, factor }) => (tokens - constant) / factor);
  return [...new Set(values)]
    .filter((value) => Number.isInteger(value) && value >= enough.lo && value <= enough.hi)
    .map((value) => ({ lo: value, hi: value }));
}

/** The least refill with which so many of them fill the bucket; Infinity when none does. */
export function fullFrom(level: Level, capacity: Sum, refills: number): number {
  let least = 1;
  for (const { constant, factor } of level) {
    const gain = factor + refills - capacity.factor;
    const lack = capacity.constant - constant;
    if (gain > 0) least = Math.max(least, Math.ceil(lack / gain - 1e-9));
    else if (lack > 0) return Infinity;
  }
  return least;
}

/** The level with one refill. */
export function levelAt(level: Level, q: number): number {
  return Math.min(...level.map(({ constant, factor }) => constant + factor * q));
}
