import type { ProbeEvent } from '../transcript.ts';
import { aloneAhead, logAhead } from './ahead.ts';
import { ANYTHING, atLeast, atMost, isEmpty, type Interval } from './interval.ts';
import {
  LEAST_WINDOW_MS,
  MOST_LIMIT,
  MOST_WINDOW_MS,
  type Candidate,
  type Tracker,
} from './model.ts';

type LogClass = 'sliding-log' | 'sliding-log-counting-rejects';

/** What is left of the windows of one limit. */
interface Row {
  readonly limit: number;
  readonly windowMs: Interval;
}

/**
 * At most N requests in any window. Request j is admitted exactly when the Nth counted one before it
 * is a window old, so each event bounds the window of each N by itself.
 *
 * @param name whether rejected requests count as well
 */
export function slidingLog(name: LogClass): Tracker {
  return follow(name, [], null);
}

function follow(
  name: LogClass,
  counted: readonly ProbeEvent[],
  rows: readonly Row[] | null,
): Tracker {
  return {
    class: name,
    observe: (event) => {
      const all = [...counted, event];
      if (event.outcome === 'failed') return follow(name, counted, rows);
      if (event.outcome === 'admitted') {
        return follow(name, all, rows === null ? null : narrowed(rows, counted, event));
      }
      const known = rows ?? firstRows(counted);
      const keep = name === 'sliding-log' ? counted : all;
      return follow(name, keep, narrowed(known, counted, event));
    },
    candidates: () =>
      rows === null ? [unlimited(name)] : rows.map((row) => candidate(name, counted, row)),
  };
}

/** Every limit that the first rejection leaves, with what the admissions before it say of it. */
function firstRows(counted: readonly ProbeEvent[]): Row[] {
  const rows: Row[] = [];
  for (let limit = 1; limit <= counted.length; limit += 1) {
    let hi = MOST_WINDOW_MS;
    counted.forEach((event, index) => {
      const old = counted[index - limit];
      if (old !== undefined) hi = Math.min(hi, event.receivedMs - old.sentMs);
    });
    if (hi >= LEAST_WINDOW_MS) rows.push({ limit, windowMs: { lo: LEAST_WINDOW_MS, hi } });
  }
  return rows;
}

function narrowed(rows: readonly Row[], counted: readonly ProbeEvent[], event: ProbeEvent): Row[] {
  return rows.flatMap(({ limit, windowMs }) => {
    const old = counted[counted.length - limit];
    if (old === undefined) return event.outcome === 'admitted' ? [{ limit, windowMs }] : [];
    const rest =
      event.outcome === 'admitted'
        ? atMost(windowMs, event.receivedMs - old.sentMs)
        : atLeast(windowMs, event.sentMs - old.receivedMs);
    return isEmpty(rest) ? [] : [{ limit, windowMs: rest }];
  });
}

function unlimited(name: LogClass): Candidate {
  return {
    class: name,
    limit: { lo: 1, hi: MOST_LIMIT },
    timeMs: { lo: LEAST_WINDOW_MS, hi: MOST_WINDOW_MS },
    open: 'maybe',
    base: ANYTHING,
    factor: 1,
    ahead: aloneAhead,
  };
}

function candidate(name: LogClass, counted: readonly ProbeEvent[], row: Row): Candidate {
  const old = counted[counted.length - row.limit];
  return {
    class: name,
    limit: { lo: row.limit, hi: row.limit },
    timeMs: row.windowMs,
    open: old === undefined ? 'yes' : 'no',
    base: old === undefined ? ANYTHING : { lo: old.sentMs, hi: old.receivedMs },
    factor: 1,
    ahead: ({ limit, timeMs }) =>
      logAhead(
        limit,
        timeMs,
        counted.slice(-limit).map(({ sentMs, receivedMs }) => (sentMs + receivedMs) / 2),
        name === 'sliding-log-counting-rejects',
      ),
  };
}
