import type { ProbeEvent } from '../../transcript.ts';
import { aloneAhead, bucketAhead } from '../ahead.ts';
import { fitOfReport } from '../report-fit.ts';
import { ANYTHING, atLeast, atMost, isEmpty, point, type Interval } from '../interval.ts';
import { MAX_LIMIT, MAX_WINDOW_MS, type Candidate, type Tracker } from '../model.ts';

/** What is left of the token times of one capacity. */
interface Row {
  readonly capacity: number;
  readonly tokenMs: Interval;
  /** How likely it makes what the service said of itself. */
  readonly likelihood: number;
}

const MIN_TOKEN_MS = 1;
/** Of a thousand capacities, each of which a thousand admissions bound, so many bounds are looked at for a request. */
const MAX_BOUNDS = 100_000;

/**
 * A bucket of B tokens that fills by one each T, evenly; GCRA and the leaky meter are the same thing.
 *
 * With the theoretical arrival time of GCRA unrolled, request j is admitted exactly when for each
 * admitted request i before it, n admissions earlier, `(n − B + 1) T ≤ t_j − t_i`. So each event
 * bounds T for each B by itself.
 */
export function tokenBucket(): Tracker {
  return follow([], null);
}

function follow(admitted: readonly ProbeEvent[], rows: readonly Row[] | null): Tracker {
  return {
    class: 'token-bucket',
    cut: false,
    isLeft: rows === null || rows.length > 0,
    observe: (event) => {
      switch (event.outcome) {
        case 'failed':
          return follow(admitted, rows);
        case 'admitted': {
          const all = [...admitted, event];
          const bounds = (rows?.length ?? 0) * admitted.length;
          const stride = Math.max(1, Math.ceil(bounds / MAX_BOUNDS));
          const before = admitted.length;
          const left =
            rows?.flatMap((row) => afterAdmission(row, admitted, event, before, stride)) ?? null;
          return follow(all, left?.map((row) => judged(row, all, event)) ?? null);
        }
        case 'rejected':
          return follow(
            admitted,
            (rows ?? firstRows(admitted)).flatMap((row) => afterRejection(row, admitted, event)),
          );
      }
    },
    candidates: () => (rows === null ? [unlimited] : rows.map((row) => candidate(row, admitted))),
  };
}

function firstRows(admitted: readonly ProbeEvent[]): Row[] {
  const rows: Row[] = [];
  // A bound that is left out only leaves more open, so long bursts are looked at in strides.
  const stride = Math.ceil(admitted.length / 60);
  for (let capacity = 1; capacity <= admitted.length; capacity += 1) {
    let left: Row[] = [
      { capacity, tokenMs: { lo: MIN_TOKEN_MS, hi: MAX_WINDOW_MS }, likelihood: 1 },
    ];
    for (let j = capacity; j < admitted.length && left.length > 0; j += stride) {
      const event = admitted[j];
      if (event !== undefined) {
        left = left.flatMap((row) => afterAdmission(row, admitted, event, j, stride));
      }
    }
    rows.push(...left);
  }
  return rows;
}

/** @param before how many of the admitted requests came before the event */
function afterAdmission(
  row: Row,
  admitted: readonly ProbeEvent[],
  event: ProbeEvent,
  before: number,
  stride: number,
): Row[] {
  let most = Infinity;
  for (let i = 0; i <= before - row.capacity; i += stride) {
    const tokens = before - i - row.capacity + 1;
    const sentMs = admitted[i]?.sentMs ?? -Infinity;
    most = Math.min(most, (event.receivedMs - sentMs) / tokens);
  }
  const tokenMs = atMost(row.tokenMs, most);
  return isEmpty(tokenMs) ? [] : [{ ...row, tokenMs }];
}

function afterRejection(row: Row, admitted: readonly ProbeEvent[], event: ProbeEvent): Row[] {
  let least = Infinity;
  for (let i = 0; i <= admitted.length - row.capacity; i += 1) {
    const tokens = admitted.length - i - row.capacity + 1;
    const receivedMs = admitted[i]?.receivedMs ?? -Infinity;
    least = Math.min(least, (event.sentMs - receivedMs) / tokens);
  }
  const tokenMs = atLeast(row.tokenMs, least);
  return isEmpty(tokenMs) ? [] : [{ ...row, tokenMs }];
}

function judged(row: Row, admitted: readonly ProbeEvent[], event: ProbeEvent): Row {
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
function candidate(
  { capacity, tokenMs, likelihood }: Row,
  admitted: readonly ProbeEvent[],
): Candidate {
  const middle = Math.sqrt(tokenMs.lo * tokenMs.hi);
  let latest = -Infinity;
  let binding: { base: Interval; factor: number } | null = null;
  for (let i = 0; i <= admitted.length - capacity; i += 1) {
    const event = admitted[i];
    if (event === undefined) continue;
    const factor = admitted.length - i - capacity + 1;
    const due = event.receivedMs + factor * middle;
    if (due <= latest) continue;
    latest = due;
    binding = { base: { lo: event.sentMs, hi: event.receivedMs }, factor };
  }
  return {
    class: 'token-bucket',
    limit: point(capacity),
    timeMs: tokenMs,
    open: binding === null ? 'yes' : 'no',
    base: binding?.base ?? ANYTHING,
    factor: binding?.factor ?? 1,
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
  admitted: readonly ProbeEvent[],
): { readonly tokens: number; readonly atMs: number } {
  // The time at which the bucket would be full again, admission after admission.
  let fullMs = -Infinity;
  let atMs = 0;
  for (const { sentMs, receivedMs } of admitted) {
    atMs = (sentMs + receivedMs) / 2;
    fullMs = Math.max(fullMs, atMs) + timeMs;
  }
  return { tokens: Math.max(0, capacity - Math.max(0, fullMs - atMs) / timeMs), atMs };
}

function leftOf(capacity: number, { lo, hi }: Interval, admitted: readonly ProbeEvent[]): Interval {
  const [more, less] = [tokensAt(capacity, lo, admitted), tokensAt(capacity, hi, admitted)];
  return { lo: Math.floor(less.tokens), hi: Math.floor(more.tokens) };
}
