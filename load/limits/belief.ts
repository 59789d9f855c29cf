import { claimsHold } from './claimed-left.ts';
import { startsAnew } from './hint.ts';
import { allTrackers, type Candidate, type LimiterClass, type Tracker } from './models/index.ts';
import type { ProbeEvent, Transcript, WallClock } from './transcript.ts';
import type { Atom } from './usual.ts';
import { weighAll } from './weigh-all.ts';
import type { ToldLimit } from './weight.ts';

/** A candidate with its share of all belief. */
export interface Believed {
  readonly candidate: Candidate;
  readonly share: number;
  /** The part of the share that each value of the time has that stands out. */
  readonly atoms: readonly Atom[];
}

/** What the transcript so far leaves, and how likely each of it is. Immutable. */
export interface Belief {
  readonly transcript: Transcript;
  /** Events that the trackers have seen; rejections of one burst come after its admissions. */
  readonly trackers: readonly Tracker[];
  /** For a class that is ruled out, how many events had been seen. */
  readonly ruledOut: ReadonlyMap<LimiterClass, number>;
  readonly believed: readonly Believed[];
  /** Whether a class may be right although nothing of it is left: there was too much to follow. */
  readonly cut: boolean;
  /** Whether what the service says is left came true so far; then it is evidence. */
  readonly claimsHold: boolean;
  /** The one limit that it claims as well; known once the shares are worked out. */
  readonly told?: ToldLimit;
}

/** What is believed before the first request. */
export function firstBelief(wall?: WallClock): Belief {
  return {
    transcript: wall === undefined ? { events: [] } : { events: [], wall },
    trackers: allTrackers(),
    ruledOut: new Map(),
    believed: [],
    cut: false,
    claimsHold: false,
  };
}

/** What is believed after one more burst; a single request is a burst of one. */
export function learn(belief: Belief, burst: readonly ProbeEvent[]): Belief {
  const number = (belief.transcript.events.at(-1)?.burst ?? 0) + 1;
  const ordered = burst
    .map((event) => ({ ...event, burst: number }))
    .sort((a, b) => rank(a) - rank(b) || a.sentMs - b.sentMs || a.receivedMs - b.receivedMs);
  const events = [...belief.transcript.events, ...ordered];
  const ruledOut = new Map(belief.ruledOut);
  // Of several at once nobody knows which was counted first.
  const told = belief.claimsHold && ordered.length === 1 ? ordered : ordered.map(withoutClaim);
  const trackers: Tracker[] = [];
  let { cut } = belief;
  for (const tracker of belief.trackers) {
    const next = told.reduce((now, event) => now.observe(event), tracker);
    // Only whole bursts tell of concurrency, and each class may only now be out of candidates.
    if (next.isLeft) trackers.push(next);
    else {
      ruledOut.set(next.class, events.length);
      cut ||= next.cut;
    }
  }
  const transcript = { ...belief.transcript, events };
  return { transcript, trackers, ruledOut, believed: [], cut, claimsHold: claimsHold(events) };
}

/** The belief with its shares worked out; learning alone does not need them. */
export function weighed(belief: Belief): Belief {
  const { events, wall } = belief.transcript;
  const firstEvent = events[0];
  const told = belief.claimsHold ? toldLimit(events) : undefined;
  const context = {
    claimedMs: claimedWindowsMs(events),
    ...(told === undefined ? {} : { told }),
    startsAnew: belief.claimsHold && startsAnew(events),
    first: { lo: firstEvent?.sentMs ?? 0, hi: firstEvent?.receivedMs ?? 0 },
    ...(wall === undefined ? {} : { wall }),
  };
  const weights = belief.trackers.flatMap((tracker) => weighAll(tracker.candidates(), context));
  const total = weights.reduce((sum, { share }) => sum + share, 0);
  const believed = weights
    .filter(({ share }) => share > total * 1e-6)
    .map(({ candidate, atoms, share }) => ({
      candidate,
      share: share / total,
      atoms: atoms.map((atom) => ({ ms: atom.ms, share: atom.share / total })),
    }));
  return { ...belief, believed, ...(told === undefined ? {} : { told }) };
}

/** Windows that responses claimed, ms. */
function claimedWindowsMs(events: readonly ProbeEvent[]): number[] {
  const windows = events.flatMap(({ claim }) => claim?.windowSeconds ?? []);
  return [...new Set(windows)].slice(0, 8).map((seconds) => seconds * 1000);
}

/** The limit that all responses claim alike. */
function toldLimit(events: readonly ProbeEvent[]): ToldLimit | undefined {
  const [first] = events;
  const { limit, windowSeconds } = first?.claim ?? {};
  if (limit === undefined || windowSeconds === undefined) return undefined;
  const isOne = events.every(
    ({ claim }) =>
      claim === undefined || (claim.limit === limit && claim.windowSeconds === windowSeconds),
  );
  return isOne ? { limit, windowMs: windowSeconds * 1000 } : undefined;
}

function withoutClaim(event: ProbeEvent): ProbeEvent {
  const { claim, ...rest } = event;
  return claim === undefined ? event : rest;
}

function rank(event: ProbeEvent): number {
  return event.outcome === 'rejected' ? 1 : 0;
}

/** Events by bursts, in the order of sending; where these are not known, those that overlap are one. */
export function burstsOf(events: readonly ProbeEvent[]): ProbeEvent[][] {
  const bursts: ProbeEvent[][] = [];
  let endMs = -Infinity;
  for (const event of [...events].sort((a, b) => a.sentMs - b.sentMs)) {
    const last = bursts.at(-1);
    const number = last?.[0]?.burst;
    const isKnown = event.burst !== undefined && number !== undefined;
    const together = isKnown ? event.burst === number : event.sentMs < endMs;
    if (last !== undefined && together) {
      last.push(event);
      endMs = Math.min(endMs, event.receivedMs);
    } else {
      bursts.push([event]);
      endMs = event.receivedMs;
    }
  }
  return bursts;
}
