import type { ProbeEvent } from '../transcript.ts';
import { windowAhead } from './ahead.ts';
import { lastWindows } from './first-run.ts';
import {
  ANYTHING,
  atLeast,
  atMost,
  hull,
  isEmpty,
  minus,
  point,
  type Interval,
} from './interval.ts';
import {
  MIN_WINDOW_MS,
  MAX_LIMIT,
  middleOf,
  MAX_WINDOW_MS,
  type Candidate,
  type Model,
} from './model.ts';

/** A window that opens with its first request; a rejection blocks for a time, then all is forgotten. */
interface PenaltyState {
  readonly limit: Interval;
  readonly windowMs: Interval;
  readonly penaltyMs: Interval;
  readonly opened: Interval | null;
  readonly count: number;
  /** When the rejection that blocks was decided. */
  readonly blocked: Interval | null;
}

const initial: PenaltyState = {
  limit: { lo: 1, hi: MAX_LIMIT },
  windowMs: { lo: MIN_WINDOW_MS, hi: MAX_WINDOW_MS },
  penaltyMs: { lo: MIN_WINDOW_MS, hi: MAX_WINDOW_MS },
  opened: null,
  count: 0,
  blocked: null,
};

/** The windows that can be open when the first rejection comes. */
function afterRun(run: readonly ProbeEvent[]): PenaltyState[] {
  return lastWindows(run).map(({ first, count, windows, spanMs }) => ({
    ...initial,
    limit: { lo: count, hi: MAX_LIMIT },
    windowMs: windows === 0 ? initial.windowMs : atMost(initial.windowMs, spanMs / windows),
    opened: first,
    count,
  }));
}

function step(state: PenaltyState, event: ProbeEvent): PenaltyState[] {
  const decided: Interval = { lo: event.sentMs, hi: event.receivedMs };
  const admitted = event.outcome === 'admitted';
  const fresh = { opened: decided, count: 1, blocked: null };
  const ways: PenaltyState[] = [];
  if (state.blocked !== null) {
    if (admitted) {
      const penaltyMs = atMost(state.penaltyMs, decided.hi - state.blocked.lo);
      ways.push({ ...state, ...fresh, penaltyMs });
    } else {
      const penaltyMs = atLeast(state.penaltyMs, decided.lo - state.blocked.hi);
      ways.push({ ...state, penaltyMs });
    }
  } else {
    if (admitted) {
      const windowMs =
        state.opened === null
          ? state.windowMs
          : atMost(state.windowMs, decided.hi - state.opened.lo);
      ways.push({ ...state, ...fresh, windowMs });
    }
    if (state.opened !== null) {
      const windowMs = atLeast(state.windowMs, decided.lo - state.opened.hi);
      const count = state.count + 1;
      if (admitted) ways.push({ ...state, windowMs, limit: atLeast(state.limit, count), count });
      else
        ways.push({
          ...state,
          windowMs,
          limit: atMost(state.limit, state.count),
          blocked: decided,
        });
    }
  }
  return ways.filter(
    (way) => !isEmpty(way.limit) && !isEmpty(way.windowMs) && !isEmpty(way.penaltyMs),
  );
}

function openness({ opened, blocked, count, limit }: PenaltyState): Candidate['open'] {
  if (blocked !== null) return 'no';
  if (opened === null || count < limit.lo) return 'yes';
  return 'maybe';
}

/** N requests in a window; a rejection blocks for a time of its own. */
export const penalty: Model<PenaltyState> = {
  class: 'penalty',
  initial: [initial],
  afterRun,
  step,
  key: ({ opened, blocked, count, limit }) =>
    `${opened?.lo ?? ''}/${blocked?.lo ?? ''}/${count}/${limit.lo}/${limit.hi}`,
  join: (a, b) => ({
    ...a,
    windowMs: hull(a.windowMs, b.windowMs),
    penaltyMs: hull(a.penaltyMs, b.penaltyMs),
  }),
  candidate: (state) => ({
    class: 'penalty',
    limit: state.limit,
    timeMs: state.penaltyMs,
    windowMs: state.windowMs,
    open: openness(state),
    base: state.blocked ?? ANYTHING,
    factor: 1,
    left: state.blocked !== null ? point(0) : minus(state.limit, point(state.count)),
    ahead: ({ limit, timeMs, countingMs = timeMs }) => {
      const windowMs = Math.max(state.windowMs.lo, Math.min(state.windowMs.hi, countingMs));
      const { blocked, opened } = state;
      const since = blocked ?? opened;
      return windowAhead({
        limit,
        windowMs,
        endMs:
          since === null ? -Infinity : middleOf(since) + (blocked === null ? windowMs : timeMs),
        left: blocked === null ? Math.max(0, limit - state.count) : 0,
        blocked: blocked !== null,
        onReject: { blockMs: timeMs },
      });
    },
  }),
};
