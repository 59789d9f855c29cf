import { claimsHold } from '../claims/claimed-left.ts';
import { startsAnew } from '../planner/hint.ts';
import { allTrackers, type Candidate, type LimiterClass, type Tracker } from '../models/index.ts';
import type { ProbeEvent, Transcript, WallClock } from '../transcript.ts';
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
  /** Classes that hardly anything speaks for: not followed until the others are no better. */
  readonly asleep: readonly Asleep[];
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

/** A class that is not followed at the moment. */
interface Asleep {
  readonly tracker: Tracker;
  /** What came since. */
  readonly missed: readonly ProbeEvent[];
  /** Its weight when it was last followed; what comes can only take from it. */
  readonly weight: number;
}

/** A class with less than this part of all weight is not followed. */
const ASLEEP = 1e-7;
/** It is again when that was more than this part of what the others weigh now. */
const AWAKE = 1e-6;

/** What is believed before the first request. */
export function firstBelief(wall?: WallClock): Belief {
  return {
    transcript: wall === undefined ? { events: [] } : { events: [], wall },
    trackers: allTrackers(),
    asleep: [],
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
  const asleep = belief.asleep.map((one) => ({ ...one, missed: [...one.missed, ...told] }));
  const transcript = { ...belief.transcript, events };
  const rest = { ruledOut, believed: [], cut, claimsHold: claimsHold(events) };
  return { transcript, trackers, asleep, ...rest };
}

/** The belief with its shares worked out; learning alone does not need them. */
export function weighed(belief: Belief): Belief {
  const now = weighedAwake(belief);
  if (belief.asleep.length === 0) return now.belief;
  const most = Math.max(...belief.asleep.map(({ weight }) => weight));
  const isWoken = now.weight === 0 || most >= AWAKE * now.weight;
  return isWoken ? weighedAwake(awake(belief)).belief : now.belief;
}

/** The belief with all classes followed up to now. */
function awake(belief: Belief): Belief {
  const ruledOut = new Map(belief.ruledOut);
  let { cut } = belief;
  const trackers = [...belief.trackers];
  for (const { tracker, missed } of belief.asleep) {
    const now = missed.reduce((one, event) => (one.isLeft ? one.observe(event) : one), tracker);
    if (now.isLeft) trackers.push(now);
    else {
      ruledOut.set(now.class, belief.transcript.events.length);
      cut ||= now.cut;
    }
  }
  return { ...belief, trackers, ruledOut, cut, asleep: [] };
}

function weighedAwake(belief: Belief): { readonly belief: Belief; readonly weight: number } {
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
  const byClass = belief.trackers.map((tracker) => {
    const all = weighAll(tracker.candidates(), context);
    return { tracker, all, weight: all.reduce((sum, { share }) => sum + share, 0) };
  });
  const weights = byClass.flatMap(({ all }) => all);
  const total = byClass.reduce((sum, { weight }) => sum + weight, 0);
  const isFollowed = (weight: number): boolean => weight >= ASLEEP * total;
  const trackers = byClass.filter(({ weight }) => isFollowed(weight)).map(({ tracker }) => tracker);
  const asleep = [
    ...belief.asleep,
    ...byClass
      .filter(({ weight }) => !isFollowed(weight))
      .map(({ tracker, weight }) => ({ tracker, weight, missed: [] })),
  ];
  const believed = weights
    .filter(({ share }) => share > total * 1e-6)
    .map(({ candidate, atoms, share }) => ({
      candidate,
      share: share / total,
      atoms: atoms.map((atom) => ({ ms: atom.ms, share: atom.share / total })),
    }));
  const rest = told === undefined ? {} : { told };
  return { belief: { ...belief, trackers, asleep, believed, ...rest }, weight: total };
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

/** The event without what the service said of its limit. */
export function withoutClaim(event: ProbeEvent): ProbeEvent {
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
