import type { ProbeEvent } from '../../transcript.ts';
import { aloneAhead, bucketAhead } from '../ahead.ts';
import { fitOfReport } from '../report-fit.ts';
import { ANYTHING, atLeast, atMost, isEmpty, point, type Interval } from '../interval.ts';
import { UpperHull } from '../upper-hull.ts';
import { MAX_LIMIT, MAX_WINDOW_MS, type Candidate, type Tracker } from '../model.ts';

/** What is left of the token times of one capacity. */
interface Row {
  readonly capacity: number;
  readonly tokenMs: Interval;
  /** How likely it makes what the service said of itself. */
  readonly likelihood: number;
}

const MIN_TOKEN_MS = 1;

/** The admissions so far, with the hulls on which the one that bounds most is found at once. */
interface Admitted {
  readonly count: number;
  readonly sentMs: UpperHull;
  readonly receivedMs: UpperHull;
  readonly middleMs: UpperHull;
  readonly events: readonly ProbeEvent[];
}

const NONE: Admitted = {
  count: 0,
  sentMs: UpperHull.empty,
  receivedMs: UpperHull.empty,
  middleMs: UpperHull.empty,
  events: [],
};

/**
 * A bucket of B tokens that fills by one each T, evenly; GCRA and the leaky meter are the same thing.
 *
 * With the theoretical arrival time of GCRA unrolled, request j is admitted exactly when for each
 * admitted request i before it, n admissions earlier, `(n − B + 1) T ≤ t_j − t_i`. So each event
 * bounds T for each B by itself.
 */
export function tokenBucket(): Tracker {
  return follow(NONE, null);
}

function follow(admitted: Admitted, rows: readonly Row[] | null): Tracker {
  return {
    class: 'token-bucket',
    cut: false,
    isLeft: rows === null || rows.length > 0,
    observe: (event) => {
      switch (event.outcome) {
        case 'failed':
          return follow(admitted, rows);
        case 'admitted': {
          const all = withOne(admitted, event);
          const left = rows?.flatMap((row) => afterAdmission(row, admitted, event)) ?? null;
          return follow(all, left?.map((row) => judged(row, all, event)) ?? null);
        }
        case 'rejected':
          return follow(
            admitted,
            (rows ?? firstRows(admitted.events)).flatMap((row) =>
              afterRejection(row, admitted, event),
            ),
          );
      }
    },
    candidates: () => (rows === null ? [unlimited] : rows.map((row) => candidate(row, admitted))),
  };
}

function withOne(admitted: Admitted, event: ProbeEvent): Admitted {
  const { sentMs, receivedMs } = event;
  return {
    count: admitted.count + 1,
    sentMs: admitted.sentMs.push(sentMs),
    receivedMs: admitted.receivedMs.push(receivedMs),
    middleMs: admitted.middleMs.push((sentMs + receivedMs) / 2),
    events: [...admitted.events, event],
  };
}

/** Every capacity that the first rejection leaves, with what the admissions before it say of it. */
function firstRows(admitted: readonly ProbeEvent[]): Row[] {
  // The least time between two that are so many admissions apart bounds each capacity below that.
  const leastMs = admitted.map((_, apart) => {
    let least = Infinity;
    for (let j = apart; apart > 0 && j < admitted.length; j += 1) {
      const [from, to] = [admitted[j - apart]?.sentMs ?? NaN, admitted[j]?.receivedMs ?? NaN];
      least = Math.min(least, to - from);
    }
    return least;
  });
  return admitted.flatMap((_, index): Row[] => {
    const capacity = index + 1;
    let most = MAX_WINDOW_MS;
    for (let apart = capacity; apart < admitted.length; apart += 1) {
      most = Math.min(most, (leastMs[apart] ?? Infinity) / (apart - capacity + 1));
    }
    const tokenMs = { lo: MIN_TOKEN_MS, hi: most };
    return isEmpty(tokenMs) ? [] : [{ capacity, tokenMs, likelihood: 1 }];
  });
}

function afterAdmission(row: Row, admitted: Admitted, { receivedMs }: ProbeEvent): Row[] {
  const [x, count] = placeOf(row, admitted);
  const tokenMs = atMost(row.tokenMs, admitted.sentMs.leastSlopeTo(x, receivedMs, count));
  return isEmpty(tokenMs) ? [] : [{ ...row, tokenMs }];
}

function afterRejection(row: Row, admitted: Admitted, { sentMs }: ProbeEvent): Row[] {
  const [x, count] = placeOf(row, admitted);
  const tokenMs = atLeast(row.tokenMs, admitted.receivedMs.leastSlopeTo(x, sentMs, count));
  return isEmpty(tokenMs) ? [] : [{ ...row, tokenMs }];
}

/** From where the tokens are counted that must come until the next request, and how many admissions do. */
function placeOf({ capacity }: Row, { count }: Admitted): readonly [number, number] {
  const x = count - capacity + 1;
  return [x, Math.max(0, x)];
}

function judged(row: Row, admitted: Admitted, event: ProbeEvent): Row {
  return event.report === undefined
    ? row
    : { ...row, likelihood: row.likelihood * fitOfReport(candidate(row, admitted), event) };
}

const unlimited: Candidate = {
  class: 'token-bucket',
  limit: { lo: 1, hi: MAX_LIMIT },
  timeMs: { lo: MIN_TOKEN_MS, hi: MAX_WINDOW_MS },
  open: 'maybe',
  base: ANYTHING,
  factor: 1,
  ahead: aloneAhead,
};

/** The admission that keeps the next request waiting longest, at the middle of the token times. */
function candidate(row: Row, admitted: Admitted): Candidate {
  const { capacity, tokenMs, likelihood } = row;
  const middle = Math.sqrt(tokenMs.lo * tokenMs.hi);
  const [x, count] = placeOf(row, admitted);
  const at = admitted.receivedMs.highestAbove(middle, count);
  const binding = admitted.events[at];
  return {
    class: 'token-bucket',
    limit: point(capacity),
    timeMs: tokenMs,
    open: binding === undefined ? 'yes' : 'no',
    base: binding === undefined ? ANYTHING : { lo: binding.sentMs, hi: binding.receivedMs },
    factor: binding === undefined ? 1 : x - at,
    likelihood,
    left: leftOf(capacity, tokenMs, admitted),
    ahead: ({ timeMs }) => {
      const { tokens, atMs } = tokensAt(capacity, timeMs, admitted);
      return bucketAhead({ capacity, refill: 1, everyMs: timeMs, tokens, atMs, steps: 'evenly' });
    },
  };
}

/** The tokens that are left after the last admission, if one comes each `timeMs`. */
function tokensAt(
  capacity: number,
  timeMs: number,
  { count, events, middleMs }: Admitted,
): { readonly tokens: number; readonly atMs: number } {
  const atMs = middleOfEvent(events.at(-1));
  // The admission since which the bucket has not been full.
  const since = middleMs.highestAbove(timeMs, count);
  const missing = count - since - (atMs - middleOfEvent(events[since])) / timeMs;
  return { tokens: Math.max(0, capacity - Math.max(0, missing)), atMs };
}

function middleOfEvent(event: ProbeEvent | undefined): number {
  return event === undefined ? 0 : (event.sentMs + event.receivedMs) / 2;
}

function leftOf(capacity: number, { lo, hi }: Interval, admitted: Admitted): Interval {
  const [more, less] = [tokensAt(capacity, lo, admitted), tokensAt(capacity, hi, admitted)];
  return { lo: Math.floor(less.tokens), hi: Math.floor(more.tokens) };
}
