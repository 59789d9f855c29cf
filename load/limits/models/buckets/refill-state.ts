/** What is followed of a bucket into which tokens fall at intervals, and what the first burst says of it. */

import type { ProbeEvent } from '../../transcript.ts';
import { countedRuns } from '../failed-run.ts';
import { advancing, gridAround, gridFrom, type Grid } from '../grid.ts';
import { isEmpty, type Interval } from '../interval.ts';
import { MAX_WINDOW_MS } from '../model.ts';
import { EMPTY, type Level, type Sum } from './refill-level.ts';

export interface RefillState {
  /** Whether intervals are counted from the request that finds the bucket full, or by a clock. */
  readonly anew: boolean;
  /** Null until the first rejection. */
  readonly capacity: Sum | null;
  readonly refill: Interval;
  readonly level: Level;
  /** Instead of the level what it may be, where refills were not looked at one by one; else null. */
  readonly loose: Interval | null;
  readonly grid: Grid | null;
  /** When the first request was decided, and the second. */
  readonly first: Interval;
  readonly second: Interval | null;
  readonly used: number;
  /** Whether tokens of several refills were seen to add up, and how many came since it was empty. */
  readonly accumulated: boolean;
  /** Whether what the service said last of the tokens left is taken to be wrong. */
  readonly untrue: boolean;
  readonly refills: number;
  /** Requests that were admitted since the last refill. */
  readonly drawn: number;
  /** How long the burst was into which refills of the clock fell; 0 when none did. */
  readonly hitMs: number;
}

/** More refills than these are not distinguished in one wait, nor in the first burst. */
export const MAX_BRANCHES = 7;
/** Tokens may come more often than windows end, but steps this short are even to the eye. */
const MIN_INTERVAL_MS = 20;
const MIN_TRIPS = 2;

/** The states after a run of admissions and failures. */
export function afterRun(
  run: readonly ProbeEvent[],
  initials: readonly RefillState[],
): RefillState[] {
  const decided = ({ sentMs, receivedMs }: ProbeEvent): Interval => ({
    lo: sentMs,
    hi: receivedMs,
  });
  return countedRuns(run).flatMap(({ counted }) => {
    const [first, second] = counted;
    const last = counted.at(-1);
    if (first === undefined || last === undefined) return [];
    return initials.map((one) => ({
      ...one,
      grid: gridAround(decided(last), MIN_INTERVAL_MS),
      first: decided(first),
      second: second === undefined ? null : decided(second),
      used: counted.length,
    }));
  });
}

/** The states after an event of the first burst, which ends with a rejection. */
export function filling(state: RefillState, event: ProbeEvent): RefillState[] {
  const decided: Interval = { lo: event.sentMs, hi: event.receivedMs };
  const isFirst = state.grid === null;
  if (event.outcome === 'admitted') {
    return [
      {
        ...state,
        grid: gridAround(decided, MIN_INTERVAL_MS),
        first: isFirst ? decided : state.first,
        second: isFirst ? null : (state.second ?? decided),
        used: state.used + 1,
      },
    ];
  }
  if (isFirst) return [];
  return state.anew ? sinceFull(state, event) : byClock(state, event, decided);
}

function shortestOf({ first }: RefillState): number {
  return Math.max(MIN_INTERVAL_MS, MIN_TRIPS * (first.hi - first.lo));
}

/** The state of an empty bucket of `constant − fell × q`, where a q below the capacity is left. */
function emptied(
  state: RefillState,
  grid: Grid | null,
  constant: number,
  fell: number,
  hitMs: number,
): RefillState[] {
  // One at a time since it was full is an even refill.
  const refill = { lo: state.anew ? 2 : 1, hi: Math.floor((constant - 1) / (fell + 1)) };
  if (grid === null || isEmpty(refill)) return [];
  const capacity = { constant, factor: -fell };
  return [
    {
      ...state,
      untrue: false,
      level: EMPTY,
      loose: null,
      refills: 0,
      drawn: 0,
      capacity,
      refill,
      grid,
      hitMs,
    },
  ];
}

function byClock(state: RefillState, event: ProbeEvent, decided: Interval): RefillState[] {
  const { first, used } = state;
  const shortest = shortestOf(state);
  const spanMs = decided.hi - first.lo;
  const from = (begins: Interval, least: number, most: number): Grid | null =>
    gridFrom(begins, decided.lo, { lo: Math.max(shortest, least), hi: most });
  const untouched = from({ lo: -Infinity, hi: first.hi }, decided.lo - first.hi, MAX_WINDOW_MS);
  const ways = emptied(state, untouched, used, 0, 0);
  // The canary was made good before the burst began.
  const second = state.second ?? decided;
  const gap = { lo: first.lo, hi: second.hi };
  ways.push(
    ...emptied(state, from(gap, decided.lo - second.hi, MAX_WINDOW_MS), used - 1, 0, spanMs),
  );
  for (let fell = 1; fell <= MAX_BRANCHES; fell += 1) {
    const most = fell === 1 ? MAX_WINDOW_MS : spanMs / (fell - 1);
    const hit = { lo: first.lo, hi: decided.hi };
    const grid = from(hit, (decided.lo - first.hi) / (fell + 1), most);
    ways.push(...emptied(state, grid, used, fell, spanMs));
    // The canary was made good, and the next ones fell into the burst.
    const inGap = gridFrom(gap, second.lo, { lo: shortest, hi: most });
    const later = inGap === null ? null : advancing(inGap, event, fell);
    ways.push(...emptied(state, later, used - 1, fell, spanMs));
  }
  return ways;
}

function sinceFull(state: RefillState, event: ProbeEvent): RefillState[] {
  const { first, used } = state;
  const shortest = shortestOf(state);
  const second = state.second ?? first;
  const ways: RefillState[] = [];
  // The canary was made good, so that the second request found the bucket full.
  const gap = { lo: shortest, hi: second.hi - first.lo };
  for (let fell = 0; fell <= MAX_BRANCHES; fell += 1) {
    const fromFirst = gridFrom(first, first.lo, { lo: shortest, hi: MAX_WINDOW_MS });
    const fromSecond = gridFrom(second, second.lo, gap);
    const after = (grid: Grid | null): Grid | null =>
      grid === null ? null : advancing(grid, event, fell);
    ways.push(...emptied(state, after(fromFirst), used, fell, 0));
    ways.push(...emptied(state, after(fromSecond), used - 1, fell, 0));
  }
  return ways;
}
