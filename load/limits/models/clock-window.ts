import type { ProbeEvent } from '../transcript.ts';
import { aloneAhead, gridAhead } from './ahead.ts';
import { lastWindows } from './first-run.ts';
import {
  beginOf,
  gridAround,
  gridFrom,
  gridKey,
  joinGrids,
  leaping,
  staying,
  type Grid,
} from './grid.ts';
import { ANYTHING, atLeast, atMost, isEmpty, minus, point, type Interval } from './interval.ts';
import { MIN_WINDOW_MS, MAX_LIMIT, MAX_WINDOW_MS, type Candidate, type Model } from './model.ts';

/** N requests in each window of a fixed grid; its phase is not the client's. */
interface ClockState {
  readonly limit: Interval;
  readonly grid: Grid | null;
  readonly count: number;
  /** How closely the burst in which a window began says when it did, ms; Infinity where none began in it. */
  readonly hitMs: number;
}

function step(state: ClockState, event: ProbeEvent): ClockState[] {
  const admitted = event.outcome === 'admitted';
  if (state.grid === null) {
    const grid = gridAround({ lo: event.sentMs, hi: event.receivedMs });
    return admitted ? [{ ...state, grid, count: 1 }] : [];
  }
  const ways: ClockState[] = [];
  const stayed = staying(state.grid, event);
  if (stayed !== null) {
    const count = admitted ? state.count + 1 : state.count;
    const limit = admitted ? atLeast(state.limit, count) : atMost(state.limit, count);
    ways.push({ ...state, limit, grid: stayed, count });
  }
  if (admitted) {
    for (const grid of leaping(state.grid, event, 1)) {
      ways.push({ ...state, grid, count: 1 });
    }
  }
  return ways.filter(({ limit }) => !isEmpty(limit));
}

/** The windows that can be open when the first rejection comes; the first of all may have begun before. */
function afterRun(run: readonly ProbeEvent[]): ClockState[] {
  const endsAfterMs = run.at(-1)?.sentMs ?? 0;
  return lastWindows(run).flatMap(({ first, before, count, windows, spanMs }) => {
    const begins = { lo: before?.lo ?? -Infinity, hi: first.hi };
    const most = windows > 1 ? spanMs / (windows - 1) : MAX_WINDOW_MS;
    const grid = gridFrom(begins, endsAfterMs, {
      lo: MIN_WINDOW_MS,
      hi: Math.min(MAX_WINDOW_MS, most),
    });
    const hitMs = before === undefined ? Infinity : first.hi - before.lo;
    return grid === null ? [] : [{ limit: { lo: count, hi: MAX_LIMIT }, grid, count, hitMs }];
  });
}

function openness({ grid, count, limit }: ClockState): Candidate['open'] {
  if (grid === null || count < limit.lo) return 'yes';
  return count < limit.hi ? 'maybe' : 'no';
}

/**
 * That a window began within the burst is as unlikely as the burst is short. As long as the grid says
 * when, its phase is weighed; what it no longer says is told here, or each place in the burst, with a limit
 * of its own, would be worth as much as all that came before it, and the truth be one of a thousand.
 */
function likelihoodOf({ grid, hitMs }: ClockState): number {
  if (grid === null) return 1;
  const { begins, lengthMs } = grid;
  return Math.min(1, hitMs / Math.min(begins.hi - begins.lo, lengthMs.lo));
}

/** N requests in each window of the clock. */
export const clockWindow: Model<ClockState> = {
  class: 'clock-window',
  initial: [{ limit: { lo: 1, hi: MAX_LIMIT }, grid: null, count: 0, hitMs: Infinity }],
  afterRun,
  step,
  key: ({ limit, grid, count }) =>
    `${limit.lo}/${limit.hi}/${count}/${grid === null ? '' : gridKey(grid)}`,
  roughKey: ({ limit, count }) => `${limit.lo}/${limit.hi}/${count}`,
  join: (a, b) => ({
    ...a,
    hitMs: Math.max(a.hitMs, b.hitMs),
    grid: a.grid === null || b.grid === null ? a.grid : joinGrids(a.grid, b.grid),
  }),
  candidate: (state) => ({
    class: 'clock-window',
    limit: state.limit,
    timeMs: state.grid?.lengthMs ?? ANYTHING,
    open: openness(state),
    base: state.grid?.begins ?? ANYTHING,
    factor: 1,
    likelihood: likelihoodOf(state),
    left: minus(state.limit, point(state.count)),
    ahead: ({ limit, timeMs, phase }) =>
      state.grid === null
        ? aloneAhead()
        : gridAhead({
            limit,
            lengthMs: timeMs,
            beginMs: beginOf(state.grid, timeMs, phase),
            current: state.count,
            previous: null,
            strict: false,
          }),
    ...(state.grid === null ? {} : { boundaryMs: state.grid.begins, nextMs: state.grid.ends }),
  }),
};
