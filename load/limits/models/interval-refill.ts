import type { ProbeEvent } from '../transcript.ts';
import { aloneAhead, bucketAhead } from './ahead.ts';
import {
  advancing,
  beginOf,
  gridAround,
  gridFrom,
  gridKey,
  joinGrids,
  leaping,
  passedOf,
  staying,
  type Grid,
} from './grid.ts';
import { ANYTHING, isEmpty, ratio, type Interval } from './interval.ts';
import { MOST_LIMIT, MOST_WINDOW_MS, type Candidate, type Model } from './model.ts';
import {
  EMPTY,
  levelAt,
  refilled,
  taken,
  whereEmpty,
  whereFilled,
  type Level,
  type Sum,
} from './refill-level.ts';

/**
 * A bucket into which q tokens fall at once each interval. With q = B it is a window of the clock, so
 * q < B here. The first burst says that `B = capacity`, less the refills that fell into it.
 */
interface RefillState {
  /** Null until the first rejection. */
  readonly capacity: Sum | null;
  readonly refill: Interval;
  readonly level: Level;
  /** How many refills so far were not looked at one by one: the level is at most what it says. */
  readonly vague: boolean;
  readonly grid: Grid | null;
  /** When the first request was decided, and the second. */
  readonly first: Interval;
  readonly second: Interval | null;
  readonly used: number;
  /** Whether tokens of several refills were seen to add up, and how many came since it was empty. */
  readonly accumulated: boolean;
  readonly refills: number;
  /** How long the burst was into which refills fell; 0 when none did. */
  readonly hitMs: number;
}

/** More refills than these are not told apart in one wait, nor in the first burst. */
const MOST_BRANCHES = 7;
/** A level of more sums is let go of, until the next rejection. */
const MOST_SUMS = 2;
/** Stands for uncounted ones. */
const MOST_REFILLS = 99;
/** Tokens may come more often than windows end, but steps this short are even to the eye. */
const LEAST_INTERVAL_MS = 20;
const LEAST_TRIPS = 4;

function leastMs({ first }: RefillState): number {
  return Math.max(LEAST_INTERVAL_MS, LEAST_TRIPS * (first.hi - first.lo));
}

function step(state: RefillState, event: ProbeEvent): RefillState[] {
  return state.capacity === null ? filling(state, event) : running(state, event, state.capacity);
}

function filling(state: RefillState, event: ProbeEvent): RefillState[] {
  const decided: Interval = { lo: event.sentMs, hi: event.receivedMs };
  const isFirst = state.grid === null;
  if (event.outcome === 'admitted') {
    return [
      {
        ...state,
        grid: gridAround(decided, LEAST_INTERVAL_MS),
        first: isFirst ? decided : state.first,
        second: isFirst ? null : (state.second ?? decided),
        used: state.used + 1,
      },
    ];
  }
  if (isFirst) return [];
  const { first, used } = state;
  const spanMs = decided.hi - first.lo;
  const emptied = { ...state, level: EMPTY, refills: 0 };
  const ways: RefillState[] = [];
  const add = (constant: number, fell: number, begins: Interval, lengthMs: Interval): void => {
    const capacity = { constant, factor: -fell };
    const refill = { lo: 1, hi: Math.floor((constant - 1) / (fell + 1)) };
    if (isEmpty(refill) || isEmpty(lengthMs)) return;
    const grid = gridFrom(begins, decided.lo, lengthMs);
    if (grid !== null)
      ways.push({ ...emptied, capacity, refill, grid, hitMs: begins.lo > -Infinity ? spanMs : 0 });
  };
  const shortest = leastMs(state);
  add(
    used,
    0,
    { lo: -Infinity, hi: first.hi },
    {
      lo: Math.max(shortest, decided.lo - first.hi),
      hi: MOST_WINDOW_MS,
    },
  );
  // The canary was made good before the burst began.
  const second = state.second ?? decided;
  const gap = { lo: first.lo, hi: second.hi };
  const restMs = Math.max(shortest, decided.lo - second.hi);
  add(used - 1, 0, gap, { lo: restMs, hi: MOST_WINDOW_MS });
  for (let fell = 1; fell <= MOST_BRANCHES; fell += 1) {
    const most = fell === 1 ? MOST_WINDOW_MS : spanMs / (fell - 1);
    const least = Math.max(shortest, (decided.lo - first.hi) / (fell + 1));
    add(used, fell, { lo: first.lo, hi: decided.hi }, { lo: least, hi: most });
  }
  return ways;
}

function running(state: RefillState, event: ProbeEvent, capacity: Sum): RefillState[] {
  const { grid, refill } = state;
  if (grid === null) return [];
  const ways: RefillState[] = [];
  const { lo: from, hi: to } = passedOf(grid, event);
  // While the interval is hardly known, how many have passed says little of it.
  const branches = ratio(grid.lengthMs) > 2 ? 2 : MOST_BRANCHES;
  const last = Math.min(to, from + branches);
  for (let passed = from; passed <= last; passed += 1) {
    const here = passed === 0 ? staying(grid, event) : advancing(grid, event, passed);
    if (here === null) continue;
    const refills = state.refills + passed;
    const level = state.vague ? state.level : refilled(state.level, capacity, passed, refill);
    const next = { ...state, level, grid: here, refills };
    ways.push(...outcomes(level.length > MOST_SUMS ? blurred(next, capacity) : next, event));
  }
  if (last === to) return ways;
  for (const far of leaping(grid, event, Math.max(2, last + 1))) {
    const full =
      (last + 1) * refill.lo >= capacity.constant + capacity.factor * refill.lo && !state.vague;
    const next = { ...state, grid: far };
    const filled = { ...next, level: [capacity], refills: MOST_REFILLS };
    ways.push(...outcomes(full ? filled : blurred(next, capacity), event));
  }
  return ways;
}

function blurred(state: RefillState, capacity: Sum): RefillState {
  return { ...state, vague: true, level: [capacity], refills: MOST_REFILLS };
}

function outcomes(state: RefillState, event: ProbeEvent): RefillState[] {
  if (event.outcome === 'admitted') {
    if (state.vague) return [state];
    const refill = whereFilled(state.level, state.refill);
    if (refill === null) return [];
    const level = taken(state.level);
    const accumulated =
      state.accumulated || (state.refills > 1 && levelAt(state.level, refill.hi) > refill.hi);
    return [{ ...state, refill, level, accumulated }];
  }
  const empty = { ...state, level: EMPTY, vague: false, refills: 0 };
  if (state.vague) return [empty];
  return whereEmpty(state.level, state.refill).map((refill) => ({ ...empty, refill }));
}

function capacityOf({ capacity, refill, used }: RefillState): Interval {
  if (capacity === null) return { lo: Math.max(2, used), hi: MOST_LIMIT };
  const at = (q: number): number => capacity.constant + capacity.factor * q;
  return { lo: at(refill.hi), hi: at(refill.lo) };
}

function openness(state: RefillState): Candidate['open'] {
  if (state.capacity === null || state.vague) return 'maybe';
  const [a, b] = [levelAt(state.level, state.refill.lo), levelAt(state.level, state.refill.hi)];
  if (Math.min(a, b) >= 1) return 'yes';
  return Math.max(a, b) >= 1 ? 'maybe' : 'no';
}

function ahead(
  state: RefillState,
  timeMs: number,
  phase: number,
  part: number,
): ReturnType<Candidate['ahead']> {
  const { grid, capacity, refill, level } = state;
  if (grid === null || capacity === null) return aloneAhead();
  const q = Math.round(refill.lo + part * (refill.hi - refill.lo));
  return bucketAhead({
    capacity: capacity.constant + capacity.factor * q,
    refill: q,
    everyMs: timeMs,
    tokens: Math.max(0, levelAt(level, q)),
    atMs: beginOf(grid, timeMs, phase),
    steps: true,
  });
}

function roughKey({ capacity, used, hitMs, refill, level, ...state }: RefillState): string {
  return [
    capacity === null ? used : `${capacity.constant}:${capacity.factor}:${hitMs}`,
    `${state.accumulated}/${state.vague}/${refill.lo}/${refill.hi}`,
    level.map(({ constant, factor }) => `${constant}:${factor}`).join(),
  ].join('/');
}

/** q tokens each interval into a bucket of B > q. */
export const intervalRefill: Model<RefillState> = {
  class: 'interval-refill',
  initial: [
    {
      capacity: null,
      refill: { lo: 1, hi: MOST_LIMIT },
      level: EMPTY,
      vague: false,
      grid: null,
      first: ANYTHING,
      second: null,
      used: 0,
      accumulated: false,
      refills: 0,
      hitMs: 0,
    },
  ],
  step,
  key: (state) => `${roughKey(state)}/${state.grid === null ? '' : gridKey(state.grid)}`,
  roughKey,
  join: (a, b) => ({
    ...a,
    refills: Math.max(a.refills, b.refills),
    grid: a.grid === null || b.grid === null ? a.grid : joinGrids(a.grid, b.grid),
  }),
  candidate: (state) => ({
    class: 'interval-refill',
    limit: capacityOf(state),
    refill: state.refill,
    timeMs: state.grid?.lengthMs ?? ANYTHING,
    open: openness(state),
    base: state.grid?.begins ?? ANYTHING,
    factor: 1,
    ahead: ({ timeMs, phase, refillPart }) => ahead(state, timeMs, phase, refillPart),
    accumulated: state.accumulated,
    ...(state.hitMs === 0 || state.grid === null
      ? {}
      : { likelihood: Math.min(1, state.hitMs / state.grid.lengthMs.lo) }),
    ...(state.grid === null ? {} : { boundaryMs: state.grid.begins, nextMs: state.grid.ends }),
  }),
};
