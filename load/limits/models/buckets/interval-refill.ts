/** Long because it is one model, and all its steps read the same state. */

import type { ProbeEvent } from '../../transcript.ts';
import { aloneAhead, bucketAhead } from '../ahead.ts';
import {
  advancing,
  beginOf,
  gridFrom,
  gridKey,
  joinGrids,
  leaping,
  passedOf,
  staying,
  type Grid,
} from '../grid.ts';
import { ANYTHING, isEmpty, meet, ratio, type Interval } from '../interval.ts';
import { MAX_LIMIT, type Candidate, type Model } from '../model.ts';
import {
  EMPTY,
  fullFrom,
  levelAt,
  refilled,
  taken,
  whereEmpty,
  whereExactly,
  whereFilled,
  type Sum,
} from './refill-level.ts';
import { afterRun, filling, MAX_BRANCHES, type RefillState } from './refill-state.ts';

/** A level of more sums is dropped, until the next rejection. */
const MAX_SUMS = 2;
/** Stands for uncounted ones. */
const MAX_REFILLS = 99;
/** Refills that may have added up where that is to prove a bucket. */
const FEW_REFILLS = 3;
/** What is left where what the service says of it is taken to be wrong. */
const NONE: Interval = { lo: Infinity, hi: -Infinity };
/** Of each two, one counts from the request that finds the bucket full. */
const ANEW_PROBABILITY = 0.5;

function running(state: RefillState, event: ProbeEvent, capacity: Sum): RefillState[] {
  const { grid } = state;
  if (grid === null) return [];
  const ways: RefillState[] = [];
  const { lo: from, hi: to } = passedOf(grid, event);
  // While the interval is hardly known, how many have passed says little of it.
  const branches = ratio(grid.lengthMs) > 2 ? 2 : MAX_BRANCHES;
  const last = Math.min(to, from + branches);
  for (let passed = from; passed <= last; passed += 1) {
    const here = passed === 0 ? staying(grid, event) : advancing(grid, event, passed);
    if (here !== null) ways.push(...after(state, event, capacity, here, passed));
  }
  if (last === to) return ways;
  for (const far of leaping(grid, event, Math.max(2, last + 1))) {
    const next = { ...state, grid: far, drawn: 0, refills: MAX_REFILLS };
    const held = loosely(next, capacity, { lo: last + 1, hi: Math.max(last + 1, to) });
    const size = capacityOf(state);
    const full = held.loose.lo >= size.hi;
    if (!full || !state.anew) ways.push(...outcomes(full ? filled(next, capacity) : held, event));
    if (state.anew && held.loose.hi >= size.lo) {
      ways.push(...outcomes(restarted(filled(next, capacity), event), event));
    }
  }
  return ways;
}

function filled(state: RefillState, capacity: Sum): RefillState {
  return { ...state, level: [capacity], loose: null };
}

/** The states when exactly so many refills fell. */
function after(
  state: RefillState,
  event: ProbeEvent,
  capacity: Sum,
  grid: Grid,
  passed: number,
): RefillState[] {
  const { refill, loose, anew } = state;
  const drawn = passed > 0 ? 0 : state.drawn;
  const moved = { ...state, grid, drawn, refills: state.refills + passed };
  if (loose !== null) {
    const held = loosely(moved, capacity, { lo: passed, hi: passed });
    const mayFill = anew && passed > 0 && held.loose.hi >= capacityOf(state).lo;
    const anewed = mayFill ? outcomes(restarted(filled(moved, capacity), event), event) : [];
    return [...anewed, ...outcomes(held, event)];
  }
  const fullAt = anew && passed > 0 ? fullFrom(state.level, capacity, passed) : Infinity;
  const fills = meet(refill, { lo: fullAt, hi: Infinity });
  const lacks = meet(refill, { lo: -Infinity, hi: fullAt - 1 });
  const full = isEmpty(fills)
    ? []
    : outcomes(restarted(filled({ ...moved, refill: fills }, capacity), event), event);
  if (isEmpty(lacks)) return full;
  const level = refilled(state.level, capacity, passed, lacks);
  return [...full, ...outcomes(tidied({ ...moved, level, refill: lacks }, capacity), event)];
}

/** Intervals are counted from this request on. */
function restarted(state: RefillState, { sentMs, receivedMs }: ProbeEvent): RefillState {
  if (state.grid === null) return state;
  const grid = gridFrom({ lo: sentMs, hi: receivedMs }, sentMs, state.grid.lengthMs);
  return { ...state, grid };
}

function tidied(state: RefillState, capacity: Sum): RefillState {
  return state.level.length > MAX_SUMS ? loosely(state, capacity, { lo: 0, hi: 0 }) : state;
}

/** The state after so many refills, of which no more is kept than what the level may be. */
function loosely(
  state: RefillState,
  capacity: Sum,
  refills: Interval,
): RefillState & { readonly loose: Interval } {
  const { refill } = state;
  const now = state.loose ?? levelOf(state);
  const size = capacityOf({ ...state, capacity });
  return {
    ...state,
    level: EMPTY,
    loose: {
      lo: Math.min(size.lo, now.lo + refills.lo * refill.lo),
      hi: Math.min(size.hi, now.hi + refills.hi * refill.hi),
    },
  };
}

function outcomes(state: RefillState, event: ProbeEvent): RefillState[] {
  const { loose, level } = state;
  if (event.outcome === 'rejected') {
    const empty = { ...state, level: EMPTY, loose: null, refills: 0, drawn: 0 };
    if (loose !== null) return loose.lo < 1 ? [empty] : [];
    return whereEmpty(level, state.refill).map((refill) => ({ ...empty, refill }));
  }
  const drawn = state.drawn + 1;
  const reported = event.report?.remaining;
  if (loose !== null) {
    if (loose.hi < 1) return [];
    const left = { lo: Math.max(0, loose.lo - 1), hi: loose.hi - 1 };
    return asReported({ ...state, drawn, loose: left }, reported);
  }
  const refill = whereFilled(level, state.refill);
  if (refill === null) return [];
  // More than one refill, and only a few: after a long wait other limits have recovered as well.
  const few = state.refills > 1 && state.refills <= FEW_REFILLS;
  return asReported({ ...state, drawn, refill, level: taken(level) }, reported).map((way) => {
    const seen = Math.max(drawn, (reported ?? 0) + 1);
    return { ...way, accumulated: state.accumulated || (few && seen > way.refill.hi) };
  });
}

/** The states with exactly as many tokens as the service says, and the one in which it is wrong. */
function asReported(state: RefillState, reported: number | undefined): RefillState[] {
  if (reported === undefined) return [{ ...state, untrue: false }];
  const { loose, level, refill } = state;
  if (loose !== null) {
    if (reported < loose.lo || reported > loose.hi) return [{ ...state, untrue: true }];
    const held = { ...state, untrue: false, loose: { lo: reported, hi: reported } };
    return loose.lo === loose.hi ? [held] : [held, { ...state, untrue: true }];
  }
  const refills = whereExactly(level, reported, refill);
  const ways = refills.map((one) => ({ ...state, untrue: false, refill: one }));
  const isSure = refills.some(({ lo, hi }) => lo === refill.lo && hi === refill.hi);
  return isSure ? ways : [...ways, { ...state, untrue: true }];
}

function capacityOf({ capacity, refill, used }: RefillState): Interval {
  if (capacity === null) return { lo: Math.max(2, used), hi: MAX_LIMIT };
  const at = (q: number): number => capacity.constant + capacity.factor * q;
  return { lo: at(refill.hi), hi: at(refill.lo) };
}

/** Tokens that are there, over all refills that are left. */
function levelOf({ level, loose, refill }: RefillState): Interval {
  if (loose !== null) return loose;
  const [a, b] = [levelAt(level, refill.lo), levelAt(level, refill.hi)];
  return { lo: Math.min(a, b), hi: Math.max(a, b) };
}

function openness(state: RefillState): Candidate['open'] {
  if (state.capacity === null) return 'maybe';
  const { lo, hi } = levelOf(state);
  if (lo >= 1) return 'yes';
  return hi >= 1 ? 'maybe' : 'no';
}

function ahead(
  state: RefillState,
  timeMs: number,
  phase: number,
  part: number,
): ReturnType<Candidate['ahead']> {
  const { grid, capacity, refill, level, loose, anew } = state;
  if (grid === null || capacity === null) return aloneAhead();
  const q = Math.round(refill.lo + part * (refill.hi - refill.lo));
  return bucketAhead({
    capacity: capacity.constant + capacity.factor * q,
    refill: q,
    everyMs: timeMs,
    tokens: Math.max(
      0,
      loose === null ? levelAt(level, q) : loose.lo + part * (loose.hi - loose.lo),
    ),
    atMs: beginOf(grid, timeMs, phase),
    steps: anew ? 'anew' : 'clock',
  });
}

function roughKey({ capacity, used, hitMs, refill, level, loose, ...state }: RefillState): string {
  return [
    capacity === null ? used : `${capacity.constant}:${capacity.factor}:${hitMs}`,
    `${state.anew}/${state.accumulated}/${state.untrue}/${state.drawn}/${loose?.lo ?? ''}/${loose?.hi ?? ''}`,
    `${refill.lo}/${refill.hi}`,
    level.map(({ constant, factor }) => `${constant}:${factor}`).join(),
  ].join('/');
}

function likelihoodOf({ anew, hitMs, grid }: RefillState): number {
  const hit = hitMs === 0 || grid === null ? 1 : Math.min(1, hitMs / grid.lengthMs.lo);
  return anew ? ANEW_PROBABILITY * hit : hit;
}

function candidate(state: RefillState): Candidate {
  const { grid, refill, accumulated } = state;
  return {
    // One token at a time is a token bucket, except for the phase that a clock keeps while it is full.
    class: refill.hi === 1 ? 'token-bucket' : 'interval-refill',
    limit: capacityOf(state),
    refill,
    timeMs: grid?.lengthMs ?? ANYTHING,
    open: openness(state),
    base: grid?.begins ?? ANYTHING,
    factor: 1,
    ahead: ({ timeMs, phase, refillPart }) => ahead(state, timeMs, phase, refillPart),
    accumulated,
    likelihood: likelihoodOf(state),
    ...(state.capacity === null ? {} : { left: state.untrue ? NONE : levelOf(state) }),
    ...(grid === null ? {} : { nextMs: grid.ends }),
    ...(grid === null || state.anew ? {} : { boundaryMs: grid.begins }),
  };
}

const initial: RefillState = {
  anew: false,
  capacity: null,
  refill: { lo: 1, hi: MAX_LIMIT },
  level: EMPTY,
  loose: null,
  grid: null,
  first: ANYTHING,
  second: null,
  used: 0,
  accumulated: false,
  untrue: false,
  refills: 0,
  drawn: 0,
  hitMs: 0,
};

const INITIALS: readonly RefillState[] = [initial, { ...initial, anew: true }];

/**
 * q tokens at once each interval into a bucket of B > q; with q = B it would be a window of the clock,
 * or one from the first request. The first burst says that `B = capacity`, less what fell into it.
 */
export const intervalRefill: Model<RefillState> = {
  class: 'interval-refill',
  initial: INITIALS,
  afterRun: (run) => afterRun(run, INITIALS),
  step: (state, event) =>
    state.capacity === null ? filling(state, event) : running(state, event, state.capacity),
  key: (state) => `${roughKey(state)}/${state.grid === null ? '' : gridKey(state.grid)}`,
  roughKey,
  join: (a, b) => ({
    ...a,
    refills: Math.max(a.refills, b.refills),
    grid: a.grid === null || b.grid === null ? a.grid : joinGrids(a.grid, b.grid),
  }),
  candidate,
};
