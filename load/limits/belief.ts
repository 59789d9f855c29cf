import { allTrackers, type Candidate, type LimiterClass, type Tracker } from './models/index.ts';
import type { ProbeEvent, Transcript, WallClock } from './transcript.ts';
import type { Atom } from './usual.ts';
import { weigh } from './weight.ts';

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
}

/** What is believed before the first request. */
export function firstBelief(wall?: WallClock): Belief {
  return {
    transcript: wall === undefined ? { events: [] } : { events: [], wall },
    trackers: allTrackers(),
    ruledOut: new Map(),
    believed: [],
  };
}

/** What is believed after one more burst; a single request is a burst of one. */
export function learn(belief: Belief, burst: readonly ProbeEvent[]): Belief {
  const ordered = [...burst].sort(
    (a, b) => rank(a) - rank(b) || a.sentMs - b.sentMs || a.receivedMs - b.receivedMs,
  );
  const events = [...belief.transcript.events, ...ordered];
  const ruledOut = new Map(belief.ruledOut);
  const trackers: Tracker[] = [];
  for (const tracker of belief.trackers) {
    const next = ordered.reduce((now, event) => now.observe(event), tracker);
    // Only whole bursts tell of concurrency, and each class may only now be out of candidates.
    if (next.candidates().length > 0) trackers.push(next);
    else ruledOut.set(next.class, events.length);
  }
  const transcript = { ...belief.transcript, events };
  return { transcript, trackers, ruledOut, believed: [] };
}

/** The belief with its shares worked out; learning alone does not need them. */
export function weighed(belief: Belief): Belief {
  const { events, wall } = belief.transcript;
  const firstEvent = events[0];
  const context = {
    claimedMs: claimedWindowsMs(events),
    first: { lo: firstEvent?.sentMs ?? 0, hi: firstEvent?.receivedMs ?? 0 },
    ...(wall === undefined ? {} : { wall }),
  };
  const weights = belief.trackers.flatMap((tracker) =>
    tracker.candidates().map((candidate) => {
      const { atoms, rest } = weigh(candidate, context);
      return { candidate, atoms, share: atoms.reduce((sum, { share }) => sum + share, rest) };
    }),
  );
  const total = weights.reduce((sum, { share }) => sum + share, 0);
  const believed = weights
    .filter(({ share }) => share > total * 1e-6)
    .map(({ candidate, atoms, share }) => ({
      candidate,
      share: share / total,
      atoms: atoms.map((atom) => ({ ms: atom.ms, share: atom.share / total })),
    }));
  return { ...belief, believed };
}

/** Windows that responses claimed, ms. */
function claimedWindowsMs(events: readonly ProbeEvent[]): number[] {
  const windows = events.flatMap(({ claim }) => claim?.windowSeconds ?? []);
  return [...new Set(windows)].slice(0, 8).map((seconds) => seconds * 1000);
}

function rank(event: ProbeEvent): number {
  return event.outcome === 'rejected' ? 1 : 0;
}

/** Groups events that overlap in time into bursts, in the order of sending. */
export function burstsOf(events: readonly ProbeEvent[]): ProbeEvent[][] {
  const bursts: ProbeEvent[][] = [];
  let endMs = -Infinity;
  for (const event of [...events].sort((a, b) => a.sentMs - b.sentMs)) {
    const last = bursts.at(-1);
    if (last !== undefined && event.sentMs < endMs) {
      last.push(event);
      endMs = Math.min(endMs, event.receivedMs);
    } else {
      bursts.push([event]);
      endMs = event.receivedMs;
    }
  }
  return bursts;
}
