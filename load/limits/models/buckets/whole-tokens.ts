import type { ProbeEvent } from '../../transcript.ts';
import type { Ahead } from '../ahead.ts';
import { ANYTHING, hull, isEmpty, meet, point, type Interval } from '../interval.ts';
import { middleOf, MAX_LIMIT, MAX_WINDOW_MS, type Candidate, type Model } from '../model.ts';

/**
 * A bucket that counts in whole tokens the time since any came last, and loses the rest of it: with each
 * request that finds a token come, the wait for the next one begins anew.
 */
interface WholeTokens {
  /** Null until the first rejection. */
  readonly capacity: number | null;
  readonly tokenMs: Interval;
  readonly tokens: number;
  /** When tokens came last, or the bucket was made. */
  readonly last: Interval;
  /** The requests of the first burst; dropped after it. */
  readonly seen: readonly Interval[];
}

const MIN_TOKEN_MS = 20;
/** How many token buckets are of this kind. */
const SHARE = 0.03;
/** Tokens of one wait that are distinguished. */
const MAX_COME = 24;

/** The token times with which so many have come, from one time to another; up to `most` of them. */
function timesFor(last: Interval, now: Interval, least: number, most: number): Interval {
  return {
    lo: most === Infinity ? 0 : (now.lo - last.hi) / (most + 1),
    hi: least === 0 ? Infinity : (now.hi - last.lo) / least,
  };
}

function step(state: WholeTokens, event: ProbeEvent): WholeTokens[] {
  const now: Interval = { lo: event.sentMs, hi: event.receivedMs };
  const { capacity, last, tokens } = state;
  if (capacity === null) return filling(state, event, now);
  const room = capacity - tokens;
  const ways: WholeTokens[] = [];
  const rest = (come: number): number => tokens + come - (event.outcome === 'admitted' ? 1 : 0);
  for (let come = 0; come <= Math.min(room, MAX_COME); come += 1) {
    if (event.outcome === 'rejected' ? tokens + come > 0 : tokens + come < 1) continue;
    const most = come === room ? Infinity : come;
    const tokenMs = meet(state.tokenMs, timesFor(last, now, come, most));
    // With a full bucket nobody knows whether any came: the wait may go on from before, or begin anew.
    if (come > 0 || room > 0) {
      ways.push({ ...state, tokenMs, tokens: rest(come), last: come > 0 ? now : last });
    } else {
      const [none, some] = [timesFor(last, now, 0, 0), timesFor(last, now, 1, Infinity)];
      ways.push({ ...state, tokenMs: meet(state.tokenMs, none), tokens: rest(0) });
      ways.push({ ...state, tokenMs: meet(state.tokenMs, some), tokens: rest(0), last: now });
    }
  }
  return ways.filter(({ tokenMs }) => !isEmpty(tokenMs));
}

/** The states after an event of the first burst, into which one token may have come, or none. */
function filling(state: WholeTokens, event: ProbeEvent, now: Interval): WholeTokens[] {
  if (event.outcome === 'admitted') return [{ ...state, seen: [...state.seen, now] }];
  const { seen } = state;
  const [first, second] = seen;
  if (first === undefined) return [];
  const empty = { ...state, seen: [], tokens: 0 };
  const ways = [
    { ...empty, capacity: seen.length, last: first, tokenMs: timesFor(first, now, 0, 0) },
  ];
  for (const [at, came] of seen.entries()) {
    const before = seen[at - 1];
    if (before === undefined || second === undefined) continue;
    // None until the request before, one by this one, and none from there on.
    const tokenMs = meet(
      meet(timesFor(first, before, 0, 0), timesFor(first, came, 1, at === 1 ? Infinity : 1)),
      timesFor(came, now, 0, 0),
    );
    ways.push({ ...empty, capacity: seen.length - 1, last: came, tokenMs });
  }
  return ways
    .map((way) => ({ ...way, tokenMs: meet(state.tokenMs, way.tokenMs) }))
    .filter(({ capacity, tokenMs }) => capacity > 1 && !isEmpty(tokenMs));
}

/** The limiter from now on. */
export function wholeTokensAhead(
  capacity: number,
  tokenMs: number,
  tokensThen: number,
  lastThenMs: number,
): Ahead {
  let [tokens, lastMs] = [tokensThen, lastThenMs];
  return {
    take: (atMs, count) => {
      const come = Math.floor((atMs - lastMs) / tokenMs);
      if (come > 0) [tokens, lastMs] = [Math.min(capacity, tokens + come), atMs];
      const admitted = Math.min(count, tokens);
      tokens -= admitted;
      return admitted;
    },
    changes: (fromMs) =>
      [1, 2, capacity - tokens]
        .map((come) => lastMs + come * tokenMs)
        .filter((atMs) => atMs > fromMs),
    copy: () => wholeTokensAhead(capacity, tokenMs, tokens, lastMs),
  };
}

function candidate(state: WholeTokens): Candidate {
  const { capacity, tokenMs, tokens, last, seen } = state;
  const limit =
    capacity === null ? { lo: Math.max(1, seen.length), hi: MAX_LIMIT } : point(capacity);
  return {
    class: 'token-bucket',
    limit,
    timeMs: tokenMs,
    open: capacity === null ? 'maybe' : tokens > 0 ? 'yes' : 'no',
    base: capacity === null ? ANYTHING : last,
    factor: 1,
    likelihood: SHARE,
    ...(capacity === null ? {} : { left: point(tokens) }),
    ahead: ({ limit: most, timeMs }) =>
      wholeTokensAhead(most, timeMs, capacity === null ? most : tokens, middleOf(last)),
  };
}

/** B tokens that come one each T, counted in whole ones; the fractions are lost. */
export const wholeTokens: Model<WholeTokens> = {
  class: 'token-bucket',
  initial: [
    {
      capacity: null,
      tokenMs: { lo: MIN_TOKEN_MS, hi: MAX_WINDOW_MS },
      tokens: 0,
      last: ANYTHING,
      seen: [],
    },
  ],
  step,
  candidate,
  key: ({ capacity, tokens, last, seen }) =>
    `${capacity ?? ''}/${tokens}/${seen.length}/${last.lo}/${last.hi}`,
  join: (a, b) => ({ ...a, tokenMs: hull(a.tokenMs, b.tokenMs) }),
};
