/**
 * Limiters with windows, of known values, run over a transcript. They share no code with `models/`, so
 * that a mistake there shows here.
 */

import { showAlive } from '../../../target/budget/liveness.ts';
import type { Interval } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';

/** A limiter at one moment; `begun` is when its window, or its block, began. */
export interface WindowState {
  readonly begun: Interval | null;
  readonly count: Interval;
  /** The count of the window before, where it still weighs. */
  readonly before: Interval;
}

/** Answers every way in which the limiter can have answered the event so. */
export type Step = (state: WindowState, event: ProbeEvent) => readonly WindowState[];

/** More states than this are not followed: then nothing is contradicted. */
const MAX_STATES = 2000;
/** Phases of windows of a clock that are tried. */
const PHASES = 40;
/** Windows that an event may belong to, beyond which its phase is unknown. */
const MAX_SLOTS = 6;
const NONE: Interval = { lo: 0, hi: 0 };

export const NOTHING_YET: WindowState = { begun: null, count: NONE, before: NONE };

/** The place of the first event that no way explains; -1 where all are explained. */
export function firstMisfit(
  events: readonly ProbeEvent[],
  initial: readonly WindowState[],
  step: Step,
): number {
  let states = initial;
  for (let at = 0; at < events.length;) {
    showAlive();
    const first = events[at];
    let end = at + 1;
    if (first?.burst !== undefined) while (events[end]?.burst === first.burst) end += 1;
    const next = new Map<string, WindowState>();
    for (const order of ordersOf(events.slice(at, end))) {
      let ways = states;
      for (const event of order) ways = unique(ways.flatMap((state) => step(state, event)));
      for (const state of ways) next.set(keyOf(state), state);
    }
    if (next.size === 0) return at;
    if (next.size > MAX_STATES) return -1;
    states = [...next.values()];
    at = end;
  }
  return -1;
}

/** Nobody knows in which order requests of one burst were decided. */
function ordersOf(burst: readonly ProbeEvent[]): (readonly ProbeEvent[])[] {
  const rejected = burst.filter(({ outcome }) => outcome === 'rejected');
  if (rejected.length === 0 || rejected.length === burst.length) return [burst];
  const others = burst.filter(({ outcome }) => outcome !== 'rejected');
  const asReceived = [...burst].sort((a, b) => a.receivedMs - b.receivedMs);
  return [[...others, ...rejected], [...rejected, ...others], asReceived];
}

function unique(states: readonly WindowState[]): WindowState[] {
  return [...new Map(states.map((state) => [keyOf(state), state])).values()];
}

function keyOf({ begun, count, before }: WindowState): string {
  return [begun?.lo, begun?.hi, count.lo, count.hi, before.lo, before.hi].join('/');
}

/** Times at which an event can have been decided. */
function decidedIn({ sentMs, receivedMs }: ProbeEvent): Interval {
  return { lo: sentMs, hi: receivedMs };
}

/** One more request; one that failed may not have been counted. */
function oneMore({ lo, hi }: Interval, { outcome }: ProbeEvent): Interval {
  return { lo: outcome === 'failed' ? lo : lo + 1, hi: hi + 1 };
}

/** A window that opens with a request; anew with a rejection where those restart it. */
export function openingWindow(limit: number, windowMs: Interval, restarts: boolean): Step {
  return (state, event) => {
    const { begun, count } = state;
    const at = decidedIn(event);
    const ways: WindowState[] = [];
    const isOver = begun === null || at.hi - begun.lo >= windowMs.lo;
    if (isOver && event.outcome !== 'rejected') {
      ways.push({ ...state, begun: at, count: oneMore(NONE, event) });
      if (event.outcome === 'failed') ways.push(state);
    }
    if (begun === null || at.lo - begun.hi >= windowMs.hi) return ways;
    const still = { lo: Math.max(begun.lo, at.lo - windowMs.hi), hi: begun.hi };
    if (event.outcome === 'rejected') {
      const full = { lo: Math.max(count.lo, limit), hi: count.hi };
      if (count.hi >= limit) ways.push({ ...state, begun: restarts ? at : still, count: full });
    } else if (count.lo < limit) {
      const open = { lo: count.lo, hi: Math.min(count.hi, limit - 1) };
      ways.push({ ...state, begun: still, count: oneMore(open, event) });
    } else if (event.outcome === 'failed') ways.push({ ...state, begun: still });
    return ways;
  };
}

/** A number of requests in a window, then none for a time that begins with the first one too many. */
export function block(limit: number, blockMs: Interval): Step {
  return (state, event) => {
    const { begun, count } = state;
    const at = decidedIn(event);
    const isOver = begun === null || at.hi - begun.lo >= blockMs.lo;
    const ways: WindowState[] = [];
    if (event.outcome !== 'rejected') {
      const past = begun === null ? count : NONE;
      if (isOver) ways.push({ ...state, begun: null, count: oneMore(past, event) });
      if (begun !== null && event.outcome === 'failed') ways.push(state);
      return ways;
    }
    if (begun === null && count.hi >= limit) ways.push({ ...state, begun: at, count: NONE });
    if (begun !== null && at.lo - begun.hi < blockMs.hi) ways.push(state);
    return ways;
  };
}

/** What weighs in a window of a clock. */
export interface ClockValues {
  readonly limit: number;
  readonly windowMs: Interval;
  /** Whether the window before still counts by the part of it that overlaps. */
  readonly weighsBefore: boolean;
  readonly countsRejects: boolean;
}

/** The phases in which the windows of a clock can begin, with a count before the first request. */
export function phasesOf(
  events: readonly ProbeEvent[],
  windowMs: Interval,
  count = 0,
): WindowState[] {
  const first = events[0]?.sentMs ?? 0;
  const length = windowMs.hi + (events[0]?.receivedMs ?? first) - first;
  return Array.from({ length: PHASES }, (_, index) => ({
    ...NOTHING_YET,
    count: { lo: count, hi: count },
    begun: {
      lo: first - windowMs.hi + (length * index) / PHASES,
      hi: first - windowMs.hi + (length * (index + 1)) / PHASES,
    },
  }));
}

/** How many windows of a clock have ended, at least and at most, and when the present one began. */
interface Slot {
  readonly ended: Interval;
  readonly begun: Interval;
}

/** The windows of a clock in which an event can have been decided, after one that had begun. */
function slotsOf(begun: Interval, at: Interval, windowMs: Interval): Slot[] {
  const last = Math.floor((at.hi - begun.lo) / windowMs.lo);
  const first = Math.max(0, Math.ceil((at.lo - windowMs.hi - begun.hi) / windowMs.hi));
  if (last - first > MAX_SLOTS) {
    return [{ ended: { lo: first, hi: last }, begun: { lo: at.lo - windowMs.hi, hi: at.hi } }];
  }
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index): Slot => {
    const slot = first + index;
    const lo = Math.max(begun.lo + slot * windowMs.lo, at.lo - windowMs.hi);
    const hi = Math.min(begun.hi + slot * windowMs.hi, at.hi);
    return { ended: { lo: slot, hi: slot }, begun: { lo, hi } };
  }).filter((slot) => slot.begun.lo <= slot.begun.hi);
}

/** Windows of a clock, in which the first after two without any request may begin with it. */
export function clockWindows(values: ClockValues): Step {
  const { windowMs, weighsBefore } = values;
  return (state, event) => {
    const at = decidedIn(event);
    if (state.begun === null) return [];
    const ways = slotsOf(state.begun, at, windowMs).map(({ ended, begun }): WindowState => {
      const count = ended.lo === 0 ? state.count : NONE;
      const before = ended.lo === 0 ? state.before : ended.lo === 1 ? state.count : NONE;
      return { begun, count, before: weighsBefore ? before : NONE };
    });
    const isPast = at.hi - state.begun.lo >= 2 * windowMs.lo;
    if (weighsBefore && isPast) ways.push({ ...NOTHING_YET, begun: at });
    return ways.flatMap((way) => answered(way, event, values));
  };
}

/** One token each time that a clock ticks, into a bucket of so many; `count` is what is left in it. */
export function clockTokens(limit: number, everyMs: Interval): Step {
  return ({ begun: before, count: left, ...state }, event) => {
    if (before === null) return [];
    return slotsOf(before, decidedIn(event), everyMs).flatMap(({ ended, begun }) => {
      const lo = Math.min(limit, left.lo + ended.lo);
      const hi = Math.min(limit, left.hi + ended.hi);
      if (event.outcome === 'rejected') {
        return lo > 0 ? [] : [{ ...state, begun, count: NONE }];
      }
      if (event.outcome === 'failed') {
        return [{ ...state, begun, count: { lo: Math.max(0, lo - 1), hi } }];
      }
      return hi < 1 ? [] : [{ ...state, begun, count: { lo: Math.max(0, lo - 1), hi: hi - 1 } }];
    });
  };
}

/** The state in which the window at hand answered so; none where it cannot have. */
function answered(state: WindowState, event: ProbeEvent, values: ClockValues): WindowState[] {
  const { limit, windowMs, countsRejects } = values;
  const { begun, count, before } = state;
  if (begun === null) return [];
  const past = {
    lo: Math.max(0, (event.sentMs - begun.hi) / windowMs.hi),
    hi: Math.min(1, (event.receivedMs - begun.lo) / windowMs.lo),
  };
  // Services round parts of requests as they like.
  const least = Math.floor(before.lo * (1 - Math.max(past.lo, past.hi))) + count.lo;
  const most = Math.ceil(before.hi * (1 - Math.min(past.lo, past.hi))) + count.hi;
  if (event.outcome === 'admitted' && least >= limit) return [];
  if (event.outcome === 'rejected' && most < limit) return [];
  const isCounted = event.outcome !== 'rejected' || countsRejects;
  return [{ ...state, count: isCounted ? oneMore(count, event) : count }];
}
