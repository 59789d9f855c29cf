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
  type LimiterClass,
  type Model,
} from './model.ts';

/** Limiters whose window opens with the first request after the last one ended. */
interface WindowState {
  readonly limit: Interval;
  readonly windowMs: Interval;
  /** When the window opened; null before the first request. */
  readonly opened: Interval | null;
  readonly count: number;
  /** Whether a request of this window was rejected. */
  readonly exceeded: boolean;
}

const initial: WindowState = {
  limit: { lo: 1, hi: MAX_LIMIT },
  windowMs: { lo: MIN_WINDOW_MS, hi: MAX_WINDOW_MS },
  opened: null,
  count: 0,
  exceeded: false,
};

/** The ways in which the window can have been open, or over, when the event was decided. */
function step(state: WindowState, event: ProbeEvent, restarts: boolean): WindowState[] {
  const decided: Interval = { lo: event.sentMs, hi: event.receivedMs };
  const admitted = event.outcome === 'admitted';
  const ways: WindowState[] = [];

  if (admitted) {
    const windowMs =
      state.opened === null ? state.windowMs : atMost(state.windowMs, decided.hi - state.opened.lo);
    ways.push({ ...state, windowMs, opened: decided, count: 1, exceeded: false });
  }
  if (state.opened !== null) {
    const windowMs = atLeast(state.windowMs, decided.lo - state.opened.hi);
    if (!admitted) {
      const opened = restarts ? decided : state.opened;
      const limit = atMost(state.limit, state.count);
      ways.push({ ...state, windowMs, limit, opened, exceeded: true });
    } else if (!state.exceeded) {
      const count = state.count + 1;
      ways.push({ ...state, windowMs, limit: atLeast(state.limit, count), count });
    }
  }
  return ways.filter((way) => !isEmpty(way.limit) && !isEmpty(way.windowMs));
}

/** The windows that can be open when the first rejection comes. */
function afterRun(run: readonly ProbeEvent[]): WindowState[] {
  return lastWindows(run).map(({ first, count, windows, spanMs }) => ({
    ...initial,
    limit: { lo: count, hi: MAX_LIMIT },
    windowMs: windows === 0 ? initial.windowMs : atMost(initial.windowMs, spanMs / windows),
    opened: first,
    count,
  }));
}

function openness(state: WindowState): Candidate['open'] {
  if (state.opened === null) return 'yes';
  if (state.exceeded || state.count >= state.limit.hi) return 'no';
  return state.count < state.limit.lo ? 'yes' : 'maybe';
}

function model(name: LimiterClass, restarts: boolean): Model<WindowState> {
  return {
    class: name,
    initial: [initial],
    afterRun,
    step: (state, event) => step(state, event, restarts),
    key: ({ opened, count, exceeded, limit }) =>
      `${opened?.lo ?? ''}/${count}/${exceeded}/${limit.lo}/${limit.hi}`,
    join: (a, b) => ({ ...a, windowMs: hull(a.windowMs, b.windowMs) }),
    candidate: (state) => ({
      class: name,
      limit: state.limit,
      timeMs: state.windowMs,
      open: openness(state),
      base: state.opened ?? ANYTHING,
      factor: 1,
      left: state.exceeded ? point(0) : minus(state.limit, point(state.count)),
      ahead: ({ limit, timeMs }) =>
        windowAhead({
          limit,
          windowMs: timeMs,
          endMs: state.opened === null ? -Infinity : middleOf(state.opened) + timeMs,
          left: state.exceeded ? 0 : Math.max(0, limit - state.count),
          onReject: restarts ? 'restart' : 'nothing',
        }),
    }),
  };
}

/** N requests in a window that opens with its first request. */
export const fixedWindow: Model<WindowState> = model('fixed-window', false);

/** The same, but each rejection starts the wait anew. */
export const restartOnReject: Model<WindowState> = model('restart-on-reject', true);
