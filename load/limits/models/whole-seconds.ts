import type { ProbeEvent } from '../transcript.ts';
import type { Ahead } from './ahead.ts';
import { lastWindows } from './first-run.ts';
import { advancing, gridFrom, gridKey, joinGrids, passedOf, staying, type Grid } from './grid.ts';
import { ANYTHING, atLeast, atMost, isEmpty, minus, point, type Interval } from './interval.ts';
import { middleOf, MAX_LIMIT, type Candidate, type Model } from './model.ts';

/** A window that opens with a request, on a clock that tells whole seconds alone. */
interface WholeState {
  readonly limit: Interval;
  /** The seconds of a window: whole numbers. It is over when so many have begun since it opened. */
  readonly seconds: Interval;
  /** The second in which the last request was decided. */
  readonly grid: Grid | null;
  /** The seconds that have begun since the window opened. */
  readonly passed: number;
  readonly count: number;
  readonly exceeded: boolean;
}

const SECOND_MS = 1000;
const ONE_SECOND: Interval = { lo: SECOND_MS, hi: SECOND_MS };
/** With one it is a window of the clock; with more than this the part that is cut off hardly matters. */
const SECONDS: Interval = { lo: 2, hi: 20 };
/** How many of the windows that open with a request are of this kind. */
const PROBABILITY = 0.05;
/** The phase of a clock is not known any better than this, as a part of a second. */
const MIN_PHASE = 0.01;

/** Each second in which an event can have been decided, with how many have begun since. */
function secondsOf(grid: Grid, event: ProbeEvent): (readonly [begun: number, grid: Grid])[] {
  const { lo, hi } = passedOf(grid, event);
  const ways: (readonly [number, Grid])[] = [];
  for (let begun = lo; begun <= Math.min(hi, lo + 2); begun += 1) {
    const here = begun === 0 ? staying(grid, event) : advancing(grid, event, begun);
    if (here !== null) ways.push([begun, here]);
  }
  return ways;
}

function secondAround({ lo, hi }: Interval): Grid | null {
  return gridFrom({ lo: -Infinity, hi }, lo, ONE_SECOND);
}

function step(state: WholeState, event: ProbeEvent): WholeState[] {
  const admitted = event.outcome === 'admitted';
  if (state.grid === null) {
    const grid = secondAround({ lo: event.sentMs, hi: event.receivedMs });
    return admitted && grid !== null ? [{ ...state, grid, passed: 0, count: 1 }] : [];
  }
  const ways: WholeState[] = [];
  for (const [begun, grid] of secondsOf(state.grid, event)) {
    const passed = state.passed + begun;
    const open = { ...state, grid, passed, seconds: atLeast(state.seconds, passed + 1) };
    if (!admitted) {
      ways.push({ ...open, limit: atMost(state.limit, state.count), exceeded: true });
      continue;
    }
    const count = state.count + 1;
    if (!state.exceeded) ways.push({ ...open, count, limit: atLeast(state.limit, count) });
    const seconds = atMost(state.seconds, passed);
    ways.push({ ...state, grid, seconds, passed: 0, count: 1, exceeded: false });
  }
  return ways.filter((way) => !isEmpty(way.limit) && !isEmpty(way.seconds));
}

/** The windows that can be open when the first rejection comes. */
function afterRun(run: readonly ProbeEvent[]): WholeState[] {
  const last = run.at(-1);
  if (last === undefined) return [];
  return lastWindows(run).flatMap(({ first, count, windows, spanMs }) => {
    const begun = secondAround(first);
    if (begun === null) return [];
    // A window lasts for less than a second less than its seconds.
    const most = windows === 0 ? SECONDS.hi : Math.floor(spanMs / windows / SECOND_MS) + 1;
    return secondsOf(begun, last).flatMap(([passed, grid]): WholeState[] => {
      const seconds = { lo: Math.max(SECONDS.lo, passed + 1), hi: Math.min(SECONDS.hi, most) };
      const limit = { lo: count, hi: MAX_LIMIT };
      return isEmpty(seconds) ? [] : [{ limit, seconds, grid, passed, count, exceeded: false }];
    });
  });
}

/** The limiter from now on: `openedMs` is the second in which its window opened. */
export function wholeAhead(
  limit: number,
  seconds: number,
  openedMs: number,
  leftThen: number,
): Ahead {
  let [opened, left] = [openedMs, leftThen];
  return {
    take: (atMs, count) => {
      const begun = Math.floor((atMs - opened) / SECOND_MS);
      if (begun >= seconds) {
        const second = Math.floor(atMs / SECOND_MS) * SECOND_MS;
        opened = Number.isFinite(opened) ? opened + begun * SECOND_MS : second;
        left = limit;
      }
      const admitted = Math.min(count, left);
      left -= admitted;
      return admitted;
    },
    changes: (fromMs) => {
      const endMs = opened + seconds * SECOND_MS;
      return endMs > fromMs ? [endMs] : [];
    },
    copy: () => wholeAhead(limit, seconds, opened, left),
  };
}

function openness({ exceeded, count, limit }: WholeState): Candidate['open'] {
  if (exceeded || count >= limit.hi) return 'no';
  return count < limit.lo ? 'yes' : 'maybe';
}

function candidate(state: WholeState): Candidate {
  const { limit, seconds, grid, passed, count, exceeded } = state;
  const begins = grid?.begins ?? ANYTHING;
  const base = { lo: begins.lo - passed * SECOND_MS, hi: begins.hi - passed * SECOND_MS };
  const phase = Math.min(1, Math.max(MIN_PHASE, (begins.hi - begins.lo) / SECOND_MS));
  return {
    class: 'fixed-window',
    limit,
    timeMs: { lo: seconds.lo * SECOND_MS, hi: seconds.hi * SECOND_MS },
    open: openness(state),
    base,
    factor: 1,
    left: exceeded ? point(0) : minus(limit, point(count)),
    likelihood: PROBABILITY * phase,
    ahead: ({ limit: most, timeMs, phase: part }) =>
      wholeAhead(
        most,
        Math.round(timeMs / SECOND_MS),
        middleOf(base, part),
        exceeded ? 0 : Math.max(0, most - count),
      ),
  };
}

/**
 * N requests in a window that opens with its first request, counted in whole seconds: its first second
 * is cut short, so that windows of one limiter differ in length by up to one.
 */
export const wholeSecondsWindow: Model<WholeState> = {
  class: 'fixed-window',
  initial: [
    {
      limit: { lo: 1, hi: MAX_LIMIT },
      seconds: SECONDS,
      grid: null,
      passed: 0,
      count: 0,
      exceeded: false,
    },
  ],
  afterRun,
  step,
  candidate,
  key: ({ limit, seconds, grid, passed, count, exceeded }) =>
    [
      `${limit.lo}/${limit.hi}/${seconds.lo}/${seconds.hi}/${passed}/${count}/${exceeded}`,
      grid === null ? '' : gridKey(grid),
    ].join('/'),
  roughKey: ({ limit, seconds, passed, count, exceeded }) =>
    `${limit.lo}/${limit.hi}/${seconds.lo}/${seconds.hi}/${passed}/${count}/${exceeded}`,
  join: (a, b) => ({
    ...a,
    grid: a.grid === null || b.grid === null ? a.grid : joinGrids(a.grid, b.grid),
  }),
};
