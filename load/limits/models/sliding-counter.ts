import type { ProbeEvent } from '../transcript.ts';
import { aloneAhead, gridAhead } from './ahead.ts';
import {
  advancing,
  beginOf,
  gridFrom,
  within,
  gridKey,
  joinGrids,
  leaping,
  staying,
  type Grid,
} from './grid.ts';
import { ANYTHING, point, type Interval } from './interval.ts';
import {
  LEAST_WINDOW_MS,
  MOST_LIMIT,
  MOST_WINDOW_MS,
  type Candidate,
  type Model,
} from './model.ts';

/**
 * The weighted count of two windows of the clock: `previous × (1 − elapsed) + current` against N. With
 * κ = (previous + current − N) ÷ previous a request is admitted once κ of its window has passed.
 */
interface CounterState {
  /** Whether a whole place must be free (`count ≤ N − 1`), or any part of one (`count < N`). */
  readonly strict: boolean;
  /** Unknown until the first rejection; the burst is taken to lie in one window. */
  readonly limit: number | null;
  readonly grid: Grid | null;
  readonly previous: number;
  readonly current: number;
  /** When the requests of the first burst were decided; let go of after it. */
  readonly seen: readonly Interval[];
  /** How long the part of the burst after the boundary that fell into it was; 0 when none did. */
  readonly spanMs: number;
  /** When the last admission after the burst was decided. */
  readonly atMs: Interval | null;
  /** Whether what the service said then of the requests left is taken to be wrong. */
  readonly untrue: boolean;
}

/** Of parts of requests, services tell as many as they like to round to. */
const ROUNDING = 1;

/** The part of a limit by which a burst over a boundary may exceed it. */
const MOST_LESS = 0.15;
const MOST_SPLITS = 60;

function step(state: CounterState, event: ProbeEvent): CounterState[] {
  const decided: Interval = { lo: event.sentMs, hi: event.receivedMs };
  if (state.limit === null) return filling(state, event, decided);
  const { grid, current } = state;
  if (grid === null) return [];
  const ways: (CounterState | null)[] = [
    judged(state, staying(grid, event), event, decided),
    judged({ ...state, previous: current, current: 0 }, advancing(grid, event), event, decided),
    ...leaping(grid, event).map((far) =>
      judged({ ...state, previous: 0, current: 0 }, far, event, decided),
    ),
  ];
  const told = event.outcome === 'admitted' ? event.claim?.remaining : undefined;
  return ways.flatMap((way) => (way === null ? [] : asTold(way, told, decided)));
}

/** The states with as many requests left as the service says, and the one in which it is wrong. */
function asTold(state: CounterState, told: number | undefined, decided: Interval): CounterState[] {
  if (told === undefined) return [{ ...state, untrue: false }];
  const { current } = state;
  const fewest = told - ROUNDING;
  const by = fewest < 1 ? -1 : kappaOf({ ...state, current: current + fewest - 1 });
  const after = kappaOf({ ...state, current: current + told + ROUNDING });
  const other = { ...state, untrue: true };
  if (by > 1 || after < 0) return [other];
  let { grid } = state;
  if (grid !== null && by >= 0) grid = within(grid, by, 'by', decided.hi);
  if (grid !== null && after <= 1) grid = within(grid, after, 'after', decided.lo);
  return grid === null ? [other] : [{ ...state, untrue: false, grid }, other];
}

function filling(state: CounterState, event: ProbeEvent, decided: Interval): CounterState[] {
  const { seen } = state;
  const first = seen[0];
  if (event.outcome === 'admitted') {
    return [{ ...state, seen: [...seen, decided], current: state.current + 1 }];
  }
  if (first === undefined) return [];
  const lengthMs = { lo: Math.max(LEAST_WINDOW_MS, decided.lo - first.hi), hi: MOST_WINDOW_MS };
  const grid = gridFrom({ lo: -Infinity, hi: first.hi }, decided.lo, lengthMs);
  return [{ ...state, seen: [], limit: seen.length, grid }, ...split(state, event, decided)];
}

/** The states after a burst into which a boundary fell: part of what came before it weighs less. */
function split(state: CounterState, event: ProbeEvent, decided: Interval): CounterState[] {
  const { seen } = state;
  const ways: CounterState[] = [];
  for (let less = 0; less <= seen.length * MOST_LESS; less += 1) {
    for (let previous = 1; previous < seen.length; previous += 1) {
      const [before, after] = [seen[previous - 1], seen[previous]];
      if (before === undefined || after === undefined || ways.length >= MOST_SPLITS) continue;
      const limit = seen.length - less;
      const begins = { lo: before.lo, hi: after.hi };
      const lengthMs = { lo: LEAST_WINDOW_MS, hi: MOST_WINDOW_MS };
      const grid = gridFrom(begins, decided.lo, lengthMs);
      const current = seen.length - previous;
      const spanMs = decided.hi - begins.lo;
      const burst = { ...state, seen: [], limit, previous, current, spanMs };
      const way = judged(burst, grid, event, decided);
      if (way !== null) ways.push(way);
    }
  }
  return ways;
}

/** κ of the next request of a window. */
function kappaOf({ strict, limit, previous, current }: CounterState): number {
  const over = previous + current - (limit ?? MOST_LIMIT) + (strict ? 1 : 0);
  if (previous > 0) return over / previous;
  return current < (limit ?? MOST_LIMIT) ? -1 : Infinity;
}

/** The state after an event of this window, or null when it cannot have been decided so. */
function judged(
  state: CounterState,
  grid: Grid | null,
  event: ProbeEvent,
  decided: Interval,
): CounterState | null {
  if (grid === null) return null;
  const kappa = kappaOf(state);
  const admitted = event.outcome === 'admitted';
  if (admitted ? kappa > 1 : kappa < 0) return null;
  const binding = kappa >= 0 && kappa <= 1;
  const narrowed = !binding
    ? grid
    : admitted
      ? within(grid, kappa, 'by', decided.hi)
      : within(grid, kappa, 'after', decided.lo);
  if (narrowed === null) return null;
  return {
    ...state,
    grid: narrowed,
    ...(admitted ? { current: state.current + 1, atMs: decided } : {}),
  };
}

function initial(strict: boolean): CounterState {
  return {
    strict,
    limit: null,
    grid: null,
    previous: 0,
    current: 0,
    seen: [],
    spanMs: 0,
    atMs: null,
    untrue: false,
  };
}

/** What is left where what the service says of it is taken to be wrong. */
const NONE: Interval = { lo: Infinity, hi: -Infinity };

function candidate(state: CounterState): Candidate {
  const { limit, grid, current } = state;
  const shared = { class: 'sliding-counter' as const };
  if (limit === null || grid === null) {
    const timeMs = { lo: LEAST_WINDOW_MS, hi: MOST_WINDOW_MS };
    const unknown = { lo: Math.max(1, current), hi: MOST_LIMIT };
    return {
      ...shared,
      limit: unknown,
      timeMs,
      open: 'maybe',
      base: ANYTHING,
      factor: 1,
      ahead: aloneAhead,
    };
  }
  const { begins, ends, lengthMs } = grid;
  const kappa = kappaOf(state);
  const ahead: Candidate['ahead'] = ({ timeMs, phase }) =>
    gridAhead({
      limit,
      lengthMs: timeMs,
      beginMs: beginOf(grid, timeMs, phase),
      current,
      previous: state.previous,
      strict: state.strict,
    });
  // That a boundary falls into the burst is as unlikely as the burst is short.
  const hit = state.spanMs === 0 ? 1 : Math.min(1, (2 * state.spanMs) / lengthMs.lo);
  const shown = {
    limit: point(limit),
    timeMs: lengthMs,
    boundaryMs: begins,
    ...(state.atMs === null
      ? {}
      : { left: state.untrue ? NONE : leftOf(state, limit, grid, state.atMs) }),
  };
  const base = { ...shared, ...shown, ahead, likelihood: hit / (state.spanMs === 0 ? 1 : 40) };
  if (kappa <= 0) return { ...base, open: 'yes', base: ANYTHING, factor: 1 };
  if (kappa <= 1) return { ...base, open: 'no', base: begins, factor: kappa };
  const next = Math.max(0, kappaOf({ ...state, previous: current, current: 0 }));
  const nextMs = { lo: ends.lo + next * lengthMs.lo, hi: ends.hi + next * lengthMs.hi };
  return { ...base, open: 'no', base: begins, factor: 1 + next, nextMs };
}

/** How many more would have been admitted after the last admission. */
function leftOf(
  { previous, current }: CounterState,
  limit: number,
  { begins, lengthMs }: Grid,
  atMs: Interval,
): Interval {
  const share = (elapsedMs: number, ms: number): number =>
    Math.min(1, Math.max(0, 1 - elapsedMs / ms));
  const least = share(atMs.lo - begins.hi, lengthMs.hi);
  const most = share(atMs.hi - begins.lo, lengthMs.lo);
  const free = limit - current;
  return { lo: Math.floor(free - previous * least), hi: Math.ceil(free - previous * most) };
}

/** Two windows of the clock, the older one counted by the part of it that still overlaps. */
export const slidingCounter: Model<CounterState> = {
  class: 'sliding-counter',
  initial: [initial(false), initial(true)],
  step,
  candidate,
  key: ({ strict, limit, previous, current, grid, untrue }) =>
    `${strict}/${untrue}/${limit ?? ''}/${previous}/${current}/${grid === null ? '' : gridKey(grid)}`,
  join: (a, b) => ({
    ...a,
    grid: a.grid === null || b.grid === null ? a.grid : joinGrids(a.grid, b.grid),
  }),
};
