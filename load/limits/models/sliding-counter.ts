import type { ProbeEvent } from '../transcript.ts';
import { aloneAhead, gridAhead } from './ahead.ts';
import { afterRun, filling, initial, judged, kappaOf, type CounterState } from './counter-state.ts';
import {
  advancing,
  beginOf,
  gridFrom,
  within,
  gridKey,
  joinGrids,
  leaping,
  roughGridKey,
  staying,
  type Grid,
} from './grid.ts';
import { ANYTHING, atMost, point, type Interval } from './interval.ts';
import {
  MIN_WINDOW_MS,
  MAX_LIMIT,
  MAX_WINDOW_MS,
  type Candidate,
  type Extent,
  type LimiterClass,
  type Model,
} from './model.ts';

/** Windows mostly begin by the clock where rejections do not count, and with a request where they do. */
const BEGIN_PROBABILITY = { clock: 0.8, first: 0.1, anew: 0.1 } as const;
const COUNTING_PROBABILITY = { clock: 0.2, first: 0.3, anew: 0.5 } as const;

/** Of parts of requests, services tell as many as they like to round to. */
const ROUNDING = 1;

function step(state: CounterState, event: ProbeEvent): CounterState[] {
  const decided: Interval = { lo: event.sentMs, hi: event.receivedMs };
  if (state.limit === null) return filling(state, event, decided);
  const { grid, current } = state;
  if (grid === null) return [];
  const ways: (CounterState | null)[] = [
    judged(state, staying(grid, event), event, decided),
    judged({ ...state, previous: current, current: 0 }, advancing(grid, event), event, decided),
    ...(state.begins === 'anew' ? startingAnew(grid, event) : leaping(grid, event)).map((far) =>
      judged({ ...state, previous: 0, current: 0 }, far, event, decided),
    ),
  ];
  const reported = event.outcome === 'admitted' ? event.report?.remaining : undefined;
  return ways.flatMap((way) => (way === null ? [] : asReported(way, reported, decided)));
}

/** The windows that begin with a request before which two have passed, or more. */
function startingAnew({ begins, lengthMs }: Grid, { sentMs, receivedMs }: ProbeEvent): Grid[] {
  const passed = atMost(lengthMs, (receivedMs - begins.lo) / 2);
  const grid = gridFrom({ lo: sentMs, hi: receivedMs }, sentMs, passed);
  return grid === null ? [] : [grid];
}

/** The states with as many requests left as the service says, and the one in which it is wrong. */
function asReported(
  state: CounterState,
  reported: number | undefined,
  decided: Interval,
): CounterState[] {
  if (reported === undefined) return [{ ...state, untrue: false }];
  const { current } = state;
  const fewest = reported - ROUNDING;
  const by = fewest < 1 ? -1 : kappaOf({ ...state, current: current + fewest - 1 });
  const after = kappaOf({ ...state, current: current + reported + ROUNDING });
  const other = { ...state, untrue: true };
  if (by > 1 || after < 0) return [other];
  let { grid } = state;
  if (grid !== null && by >= 0) grid = within(grid, by, 'by', decided.hi);
  if (grid !== null && after <= 1) grid = within(grid, after, 'after', decided.lo);
  return grid === null ? [other] : [{ ...state, untrue: false, grid }, other];
}

/** What is left where what the service says of it is taken to be wrong. */
const NONE: Interval = { lo: Infinity, hi: -Infinity };

function candidate(state: CounterState): Candidate {
  const { limit, grid, current, begins: kind, countsRejects } = state;
  if (limit === null || grid === null) {
    const timeMs = { lo: MIN_WINDOW_MS, hi: MAX_WINDOW_MS };
    const unknown = { lo: Math.max(1, current), hi: MAX_LIMIT };
    return {
      class: classOf(countsRejects),
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
      countsRejects,
      anew: kind === 'anew',
    });
  const next = Math.max(0, kappaOf({ ...state, previous: current, current: 0 }));
  const isLate = kappa > 1;
  const isOpen = kappa <= 0;
  // Written out whole: this is made for each state and event.
  const reported: { -readonly [K in keyof Candidate]: Candidate[K] } = {
    class: classOf(countsRejects),
    limit: point(limit),
    timeMs: lengthMs,
    ahead,
    likelihood: likelihoodOf(state),
    open: isOpen ? 'yes' : 'no',
    base: isOpen ? ANYTHING : begins,
    factor: isOpen ? 1 : isLate ? 1 + next : kappa,
  };
  if (kind === 'clock') reported.boundaryMs = begins;
  if (state.atMs !== null)
    reported.left = state.untrue ? NONE : leftOf(state, limit, grid, state.atMs);
  if (isLate) {
    reported.nextMs = { lo: ends.lo + next * lengthMs.lo, hi: ends.hi + next * lengthMs.hi };
  }
  return reported;
}

/** That a boundary falls into the burst is as unlikely as the burst is short. */
function likelihoodOf(state: CounterState): number {
  const { spanMs, grid } = state;
  if (spanMs === 0 || grid === null) return probabilityOf(state);
  return (probabilityOf(state) * Math.min(1, (2 * spanMs) / grid.lengthMs.lo)) / 40;
}

/** What of a state says how much it is worth. */
function extentOf(state: CounterState): Extent {
  const { grid, begins } = state;
  if (grid === null) return candidate(state);
  const extent = { timeMs: grid.lengthMs, likelihood: likelihoodOf(state) };
  return begins === 'clock' ? { ...extent, boundaryMs: grid.begins } : extent;
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

function classOf(countsRejects: boolean): LimiterClass {
  return countsRejects ? 'sliding-counter-counting-rejects' : 'sliding-counter';
}

/** How many of the counters of a class keep their windows so. */
function probabilityOf({ begins, countsRejects, strict, limit }: CounterState): number {
  // Of one request that may be over in part nothing is left at the end of its window: a clock's window.
  if (limit === 1 && !strict && !countsRejects) return 0;
  return (countsRejects ? COUNTING_PROBABILITY : BEGIN_PROBABILITY)[begins];
}

function model(countsRejects: boolean): Model<CounterState> {
  const initials = (['clock', 'first', 'anew'] as const).flatMap((begins) =>
    [false, true].map((strict) => initial(strict, countsRejects, begins)),
  );
  return {
    class: classOf(countsRejects),
    initial: initials,
    afterRun: (run) => afterRun(run, initials),
    step,
    candidate,
    extent: extentOf,
    roughKey: ({ strict, begins, limit, previous, current, grid, untrue }) =>
      `${strict}/${begins}/${untrue}/${limit ?? ''}/${previous}/${current}/${grid === null ? '' : roughGridKey(grid)}`,
    key: ({ strict, begins, limit, previous, current, grid, untrue }) =>
      `${strict}/${begins}/${untrue}/${limit ?? ''}/${previous}/${current}/${grid === null ? '' : gridKey(grid)}`,
    join: (a, b) => ({
      ...a,
      grid: a.grid === null || b.grid === null ? a.grid : joinGrids(a.grid, b.grid),
    }),
  };
}

/** Two windows, the older one counted by the part of it that still overlaps. */
export const slidingCounter: Model<CounterState> = model(false);

/** The same, where rejected requests count as well: as of tables of counters that proxies keep. */
export const slidingCounterCountingRejects: Model<CounterState> = model(true);
