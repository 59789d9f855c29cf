/** What is followed of a counter over two windows, and what the first burst says of it. */

import type { ProbeEvent } from '../transcript.ts';
import { countedRuns } from './failed-run.ts';
import { gridFrom, within, type Grid } from './grid.ts';
import type { Interval } from './interval.ts';
import { MIN_WINDOW_MS, MAX_LIMIT, MAX_WINDOW_MS } from './model.ts';

/**
 * The weighted count of two windows: `previous × (1 − elapsed) + current` against N. With
 * κ = (previous + current − N) ÷ previous a request is admitted once κ of its window has passed.
 */
export interface CounterState {
  /** Whether a whole place must be free (`count ≤ N − 1`), or any part of one (`count < N`). */
  readonly strict: boolean;
  /** Whether rejected requests are counted as well. */
  readonly countsRejects: boolean;
  /**
   * When windows begin: by a clock, in steps from the first request on, or with the first request after
   * two windows without any.
   */
  readonly begins: 'clock' | 'first' | 'anew';
  /** Unknown until the first rejection; the burst is taken to lie in one window. */
  readonly limit: number | null;
  readonly grid: Grid | null;
  readonly previous: number;
  readonly current: number;
  /** When the requests of the first burst were decided; dropped after it. */
  readonly seen: readonly Interval[];
  /** Whether a boundary may have fallen into the first burst. */
  readonly maySplit: boolean;
  /** How long the part of the burst after the boundary that fell into it was; 0 when none did. */
  readonly spanMs: number;
  /** When the last admission after the burst was decided. */
  readonly atMs: Interval | null;
  /** Whether what the service said then of the requests left is taken to be wrong. */
  readonly untrue: boolean;
}

/** The part of a limit by which a burst over a boundary may exceed it. */
const MAX_LESS = 0.15;
const MAX_SPLITS = 60;

/**
 * The states after a run of admissions and failures. Where failures were not all taken alike a boundary
 * within the run would be one accident beside another.
 */
export function afterRun(
  run: readonly ProbeEvent[],
  initials: readonly CounterState[],
): CounterState[] {
  return countedRuns(run).flatMap(({ counted, isAlike }) => {
    const seen = counted.map(({ sentMs, receivedMs }) => ({ lo: sentMs, hi: receivedMs }));
    return initials.map((one) => ({ ...one, seen, current: seen.length, maySplit: isAlike }));
  });
}

/** The states after an event of the first burst, which ends with a rejection. */
export function filling(state: CounterState, event: ProbeEvent, decided: Interval): CounterState[] {
  const { seen } = state;
  const first = seen[0];
  if (event.outcome === 'admitted') {
    return [{ ...state, seen: [...seen, decided], current: state.current + 1 }];
  }
  if (first === undefined) return [];
  const lengthMs = { lo: Math.max(MIN_WINDOW_MS, decided.lo - first.hi), hi: MAX_WINDOW_MS };
  const grid = gridFrom(
    { lo: state.begins === 'clock' ? -Infinity : first.lo, hi: first.hi },
    decided.lo,
    lengthMs,
  );
  const whole = { ...state, seen: [], limit: seen.length, grid };
  return [rejected(whole), ...(state.maySplit ? split(state, event, decided) : [])];
}

/** The states after a burst into which a boundary fell: part of what came before it weighs less. */
function split(state: CounterState, event: ProbeEvent, decided: Interval): CounterState[] {
  const { seen } = state;
  const ways: CounterState[] = [];
  for (let less = 0; less <= seen.length * MAX_LESS; less += 1) {
    for (let previous = 1; previous < seen.length; previous += 1) {
      const [before, after] = [seen[previous - 1], seen[previous]];
      if (before === undefined || after === undefined || ways.length >= MAX_SPLITS) continue;
      const limit = seen.length - less;
      const begins = { lo: before.lo, hi: after.hi };
      const lengthMs = { lo: MIN_WINDOW_MS, hi: MAX_WINDOW_MS };
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
export function kappaOf({ strict, limit, previous, current }: CounterState): number {
  const over = previous + current - (limit ?? MAX_LIMIT) + (strict ? 1 : 0);
  if (previous > 0) return over / previous;
  return current < (limit ?? MAX_LIMIT) ? -1 : Infinity;
}

/** The state after an event of this window, or null when it cannot have been decided so. */
export function judged(
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
    ...(!admitted && state.countsRejects ? { current: state.current + 1 } : {}),
  };
}

/** The state after a rejection that changes nothing else. */
function rejected(state: CounterState): CounterState {
  return state.countsRejects ? { ...state, current: state.current + 1 } : state;
}

export function initial(
  strict: boolean,
  countsRejects: boolean,
  begins: CounterState['begins'],
): CounterState {
  return {
    strict,
    countsRejects,
    begins,
    limit: null,
    grid: null,
    previous: 0,
    current: 0,
    seen: [],
    maySplit: true,
    spanMs: 0,
    atMs: null,
    untrue: false,
  };
}
