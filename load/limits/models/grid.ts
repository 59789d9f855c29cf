import type { ProbeEvent } from '../transcript.ts';
import { isEmpty, meet, ratio, type Interval } from './interval.ts';
import { MIN_WINDOW_MS, MAX_WINDOW_MS } from './model.ts';

/** When the present window began, and how long windows are, ms. */
type Point = readonly [beginMs: number, lengthMs: number];

/**
 * Where a train of equal windows stands. Each event bounds `begin + k × length`, so what is left is a
 * convex polygon; the intervals are its extent.
 */
export interface Grid {
  readonly corners: readonly Point[];
  readonly begins: Interval;
  /** When the present window ends. */
  readonly ends: Interval;
  readonly lengthMs: Interval;
}

/** Ways to skip windows that are distinguished, beyond which they are thrown together. */
const MAX_LEAPS = 8;

function gridOf(corners: readonly Point[]): Grid | null {
  if (corners.length === 0) return null;
  let [begin, end, length] = [Infinity, Infinity, Infinity];
  let [beginHi, endHi, lengthHi] = [-Infinity, -Infinity, -Infinity];
  // This runs for each state and event: one walk and no lists.
  for (const corner of corners) {
    const last = corner[0] + corner[1];
    if (corner[0] < begin) begin = corner[0];
    if (corner[0] > beginHi) beginHi = corner[0];
    if (last < end) end = last;
    if (last > endHi) endHi = last;
    if (corner[1] < length) length = corner[1];
    if (corner[1] > lengthHi) lengthHi = corner[1];
  }
  return {
    corners,
    begins: { lo: begin, hi: beginHi },
    ends: { lo: end, hi: endHi },
    lengthMs: { lo: length, hi: lengthHi },
  };
}

/** How far a corner may be beyond a cut. */
const EDGE = 1e-6;

/** The corners where `begin + factor × length` is at most a value; at least, with `sign` −1. */
function cut(
  corners: readonly Point[],
  factor: number,
  value: number,
  sign: 1 | -1,
): readonly Point[] {
  const over = (corner: Point): number => sign * (corner[0] + factor * corner[1] - value);
  let [isIn, isOut] = [true, true];
  for (const corner of corners) {
    if (over(corner) <= EDGE) isOut = false;
    else isIn = false;
  }
  // Most cuts take all or nothing.
  if (isIn) return corners;
  if (isOut) return [];
  const left: Point[] = [];
  let before = corners[corners.length - 1];
  for (const corner of corners) {
    const [a, b] = [over(before ?? corner), over(corner)];
    if (before !== undefined && ((a > 0 && b < 0) || (a < 0 && b > 0))) {
      const part = a / (a - b);
      left.push([
        before[0] + part * (corner[0] - before[0]),
        before[1] + part * (corner[1] - before[1]),
      ]);
    }
    if (b <= EDGE) left.push(corner);
    before = corner;
  }
  return left;
}

/** All grids with the present window begun and over in intervals; null when there are none. */
export function gridFrom(begins: Interval, endsAfterMs: number, lengthMs: Interval): Grid | null {
  if (isEmpty(begins) || isEmpty(lengthMs)) return null;
  const lo = Math.max(begins.lo, endsAfterMs - lengthMs.hi, begins.hi - MAX_WINDOW_MS);
  if (lo > begins.hi) return null;
  const box: Point[] = [
    [lo, lengthMs.lo],
    [begins.hi, lengthMs.lo],
    [begins.hi, lengthMs.hi],
    [lo, lengthMs.hi],
  ];
  return gridOf(cut(box, 1, endsAfterMs, -1));
}

/** Windows of which nothing is known but that one holds the first request. */
export function gridAround(decided: Interval, leastMs: number = MIN_WINDOW_MS): Grid | null {
  const begins = { lo: -Infinity, hi: decided.hi };
  return gridFrom(begins, decided.lo, { lo: leastMs, hi: MAX_WINDOW_MS });
}

/** The grid with a part of the present window over by a time (`by`), or not before it (`after`). */
export function within(grid: Grid, part: number, side: 'by' | 'after', atMs: number): Grid | null {
  const corners = cut(grid.corners, part, atMs, side === 'by' ? 1 : -1);
  return corners === grid.corners ? grid : gridOf(corners);
}

/** The grid when the event is still in the present window; null when it cannot be. */
export function staying(grid: Grid, event: ProbeEvent): Grid | null {
  return within(grid, 1, 'after', event.sentMs);
}

/** The grid when exactly so many windows have ended since; null when it cannot be. */
export function advancing(grid: Grid, event: ProbeEvent, windows = 1): Grid | null {
  const moved = grid.corners.map(([begin, length]): Point => [begin + windows * length, length]);
  return gridOf(cut(cut(moved, 0, event.receivedMs, 1), 1, event.sentMs, -1));
}

/** The fewest and the most windows that can have ended. */
export function passedOf({ corners }: Grid, event: ProbeEvent): Interval {
  let [fewest, most] = [Infinity, -Infinity];
  for (const [begin, length] of corners) {
    fewest = Math.min(fewest, (event.sentMs - begin) / length - 1);
    most = Math.max(most, (event.receivedMs - begin) / length);
  }
  return { lo: Math.max(0, Math.ceil(fewest - EDGE)), hi: Math.floor(most + EDGE) };
}

/** The grids when `least` or more windows have ended; loosely one, where too many are possible. */
export function leaping(grid: Grid, event: ProbeEvent, least = 2): Grid[] {
  const passed = passedOf(grid, event);
  const from = Math.max(least, passed.lo);
  if (passed.hi < from) return [];
  if (passed.hi - from < MAX_LEAPS) {
    const counts = Array.from({ length: passed.hi - from + 1 }, (_, i) => from + i);
    return counts.flatMap((count) => advancing(grid, event, count) ?? []);
  }
  const lengthMs = { lo: grid.lengthMs.lo, hi: (event.receivedMs - grid.ends.lo) / (least - 1) };
  const loose = gridFrom(
    { lo: grid.ends.lo, hi: event.receivedMs },
    event.sentMs,
    meet(grid.lengthMs, lengthMs),
  );
  return loose === null ? [] : [loose];
}

/** When the present window began, if windows are so long; `phase` from 0 to 1 picks among the times. */
export function beginOf({ begins, ends }: Grid, lengthMs: number, phase: number): number {
  const likely = meet(begins, { lo: ends.lo - lengthMs, hi: ends.hi - lengthMs });
  const { lo, hi } = isEmpty(likely) ? begins : likely;
  return lo + phase * (hi - lo);
}

/** The smallest grid that holds both. */
export function joinGrids(a: Grid, b: Grid): Grid {
  return gridOf(hullOf([...a.corners, ...b.corners])) ?? a;
}

/** The convex hull, by a walk along each side. */
function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const side = (ordered: readonly Point[]): Point[] => {
    const kept: Point[] = [];
    for (const point of ordered) {
      for (let last = kept.at(-1), before = kept.at(-2); last && before;) {
        const turn =
          (last[0] - before[0]) * (point[1] - before[1]) -
          (last[1] - before[1]) * (point[0] - before[0]);
        if (turn > 0) break;
        kept.pop();
        [last, before] = [kept.at(-1), kept.at(-2)];
      }
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  const hull = [...side(sorted), ...side(sorted.reverse())];
  return hull.length > 0 ? hull : [...points.slice(0, 1)];
}

/**
 * Equal for grids that may be made one. Those whose length is hardly known are, since joining them
 * loses little and their number doubles with each event otherwise.
 */
export function gridKey({ begins, ends, lengthMs }: Grid): string {
  if (ratio(lengthMs) > 1.5) {
    const rough = (value: number): number => Math.round(Math.log(value) * 2);
    const place = Math.round((begins.hi / lengthMs.lo) * 4);
    return ['loose', rough(lengthMs.lo), rough(lengthMs.hi), place].join('/');
  }
  const coarse = (value: number): number => Math.round(value / Math.max(20, 0.02 * lengthMs.lo));
  const scale = (value: number): number => Math.round(Math.log(value) * 50);
  return [coarse(begins.lo), coarse(ends.lo), scale(lengthMs.lo), scale(lengthMs.hi)].join('/');
}

/** Equal for grids whose windows are about as long: of too many states these are thrown together. */
export function roughGridKey({ lengthMs }: Grid): string {
  const rough = (value: number): number => Math.round(Math.log(value) * 4);
  return `${rough(lengthMs.lo)}/${rough(lengthMs.hi)}`;
}
