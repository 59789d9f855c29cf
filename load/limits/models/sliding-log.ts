import type { ProbeEvent } from '../transcript.ts';
import { aloneAhead, logAhead } from './ahead.ts';
import { fitOfReport } from './report-fit.ts';
import { ANYTHING, atLeast, atMost, isEmpty, point, type Interval } from './interval.ts';
import { MIN_WINDOW_MS, MAX_LIMIT, MAX_WINDOW_MS, type Candidate, type Tracker } from './model.ts';

type LogClass = 'sliding-log' | 'sliding-log-counting-rejects';

/** What is left of the windows of one limit. */
interface Row {
  readonly limit: number;
  readonly windowMs: Interval;
  /** How likely it makes what the service said of itself. */
  readonly likelihood: number;
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
    cut: false,
    isLeft: rows === null || rows.length > 0,
    observe: (event) => {
      const all = [...counted, event];
      if (event.outcome === 'failed') return follow(name, counted, rows);
      if (event.outcome === 'admitted') {
        const left = rows === null ? null : narrowed(rows, counted, event);
        return follow(
          name,
          all,
          left?.map((row) => judged(row, () => candidate(name, all, row), event)) ?? null,
        );
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
    let hi = MAX_WINDOW_MS;
    counted.forEach((event, index) => {
      const old = counted[index - limit];
      if (old !== undefined) hi = Math.min(hi, event.receivedMs - old.sentMs);
    });
    if (hi >= MIN_WINDOW_MS)
      rows.push({ limit, windowMs: { lo: MIN_WINDOW_MS, hi }, likelihood: 1 });
  }
  return rows;
}

function narrowed(rows: readonly Row[], counted: readonly ProbeEvent[], event: ProbeEvent): Row[] {
  return rows.flatMap((row) => {
    const { limit, windowMs } = row;
    const old = counted[counted.length - limit];
    if (old === undefined) return event.outcome === 'admitted' ? [row] : [];
    const rest =
      event.outcome === 'admitted'
        ? atMost(windowMs, event.receivedMs - old.sentMs)
        : atLeast(windowMs, event.sentMs - old.receivedMs);
    return isEmpty(rest) ? [] : [{ ...row, windowMs: rest }];
  });
}

function judged(row: Row, now: () => Candidate, event: ProbeEvent): Row {
  return event.report === undefined
    ? row
    : { ...row, likelihood: row.likelihood * fitOfReport(now(), event) };
}

function unlimited(name: LogClass): Candidate {
  return {
    class: name,
    limit: { lo: 1, hi: MAX_LIMIT },
    timeMs: { lo: MIN_WINDOW_MS, hi: MAX_WINDOW_MS },
    open: 'maybe',
    base: ANYTHING,
    factor: 1,
    ahead: aloneAhead,
  };
}

/** Those of the last N that are surely, or may be, no window old when the last one came. */
function leftOf(counted: readonly ProbeEvent[], { limit, windowMs }: Row): Interval {
  const last = counted.at(-1);
  if (last === undefined) return point(limit);
  const recent = counted.slice(-limit);
  const surely = recent.filter(({ sentMs }) => last.receivedMs - sentMs < windowMs.lo).length;
  const maybe = recent.filter(({ receivedMs }) => last.sentMs - receivedMs < windowMs.hi).length;
  return { lo: limit - maybe, hi: limit - surely };
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
    left: leftOf(counted, row),
    likelihood: row.likelihood,
    ahead: ({ limit, timeMs }) =>
      logAhead(
        limit,
        timeMs,
        counted.slice(-limit).map(({ sentMs, receivedMs }) => (sentMs + receivedMs) / 2),
        name === 'sliding-log-counting-rejects',
      ),
  };
}
