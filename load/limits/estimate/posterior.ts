import { rank, withoutOverlapping, withoutReport } from './bursts.ts';
import { reportsHold } from '../claims/reported-left.ts';
import { startsAnew } from '../claims/hint.ts';
import { allTrackers, type Candidate, type LimiterClass, type Tracker } from '../models/index.ts';
import { NEVER, type IsOver } from '../is-over.ts';
import type { ProbeEvent, Transcript, WallClock } from '../transcript.ts';
import type { PointMass } from '../models/usual.ts';
import { weighAll } from './weigh-all.ts';
import { reportedLimit, reportedWindowsMs } from './reported-limit.ts';
import type { ReportedLimit } from './weight.ts';

/** A candidate with its posterior probability. */
export interface Alternative {
  readonly candidate: Candidate;
  readonly probability: number;
  /** The part of the probability that each value of the time has that stands out. */
  readonly pointMasses: readonly PointMass[];
}

/** What the transcript so far leaves, and how likely each of it is. Immutable. */
export interface Posterior {
  readonly transcript: Transcript;
  /** They have seen all but what they are behind with; rejections of one burst come after its admissions. */
  readonly trackers: readonly Tracker[];
  readonly behind: readonly Noted[];
  /** Classes that hardly anything speaks for: not followed until the others are no better. */
  readonly asleep: readonly Asleep[];
  /** For a class that is ruled out, how many events had been seen. */
  readonly ruledOut: ReadonlyMap<LimiterClass, number>;
  readonly alternatives: readonly Alternative[];
  /** The part of the prior that is left of all of them together; known once the probabilities are worked out. */
  readonly weight: number;
  /** Of these, the classes that may be right all the same: there was too much of them to follow. */
  readonly lost: ReadonlySet<LimiterClass>;
  /** Classes that were followed once more, with more of what there was too much of. */
  readonly soughtAgain: ReadonlySet<LimiterClass>;
  /** Whether what the service says is left came true so far; then it is evidence. */
  readonly reportsHold: boolean;
  /** The one limit that it reports as well; known once the probabilities are worked out. */
  readonly reported?: ReportedLimit;
}

/** A burst that is still to be followed, and how many events had been seen with it. */
interface Noted {
  readonly burst: readonly ProbeEvent[];
  readonly count: number;
}

/** A class that is not followed at the moment. */
interface Asleep {
  readonly tracker: Tracker;
  /** What came since. */
  readonly missed: readonly ProbeEvent[];
  /** Its weight when it was last followed; what comes can only take from it. */
  readonly weight: number;
}

/** With no more classes left than these, lost ones are followed once more, with so often as much kept. */
const FEW_CLASSES = 1;
const TIMES_MORE = 3;
/** The same at the end of a probe that has named nothing. */
const TIMES_MORE_AT_END = 10;
/** A class with less than this part of all weight is not followed. */
const ASLEEP = 1e-7;
/** It is again when that was more than this part of what the others weigh now. */
const AWAKE = 1e-6;

/** The prior: what is known before the first request. */
export function prior(wall?: WallClock): Posterior {
  return {
    transcript: wall === undefined ? { events: [] } : { events: [], wall },
    trackers: allTrackers(),
    behind: [],
    asleep: [],
    ruledOut: new Map(),
    alternatives: [],
    weight: 1,
    lost: new Set(),
    soughtAgain: new Set(),
    reportsHold: false,
  };
}

/** The posterior after one more burst; a single request is a burst of one. */
export function learn(posterior: Posterior, burst: readonly ProbeEvent[]): Posterior {
  return followed(noted(posterior, burst));
}

/**
 * The posterior with one more burst of which nothing is concluded yet: to follow it takes milliseconds, in which a
 * bucket refills.
 */
export function noted(posterior: Posterior, burst: readonly ProbeEvent[]): Posterior {
  const number = (posterior.transcript.events.at(-1)?.burst ?? 0) + 1;
  const ordered = burst
    .map((event) => ({ ...event, burst: number }))
    .sort((a, b) => rank(a) - rank(b) || a.sentMs - b.sentMs || a.receivedMs - b.receivedMs);
  const events = [...posterior.transcript.events, ...ordered];
  // Of several at once nobody knows which was counted first.
  const reported =
    posterior.reportsHold && ordered.length === 1 ? ordered : ordered.map(withoutReport);
  return {
    ...posterior,
    transcript: { ...posterior.transcript, events },
    behind: [...posterior.behind, { burst: reported, count: events.length }],
    alternatives: [],
    reportsHold: reportsHold(events),
  };
}

/** The posterior with all that was noted followed. */
export function followed(posterior: Posterior): Posterior {
  if (posterior.behind.length === 0) return posterior;
  const ruledOut = new Map(posterior.ruledOut);
  const lost = new Set(posterior.lost);
  let { trackers, asleep } = posterior;
  for (const { burst, count } of posterior.behind) {
    const left: Tracker[] = [];
    for (const tracker of trackers) {
      const next = burst.reduce((now, event) => now.observe(event), tracker);
      // Only whole bursts tell of concurrency, and each class may only now be out of candidates.
      if (next.isLeft) left.push(next);
      else {
        ruledOut.set(next.class, count);
        if (next.cut) lost.add(next.class);
      }
    }
    trackers = left;
    asleep = asleep.map((one) => ({ ...one, missed: [...one.missed, ...burst] }));
  }
  return { ...posterior, trackers, asleep, ruledOut, lost, behind: [] };
}

/** The posterior with its probabilities worked out; learning alone does not need them. */
export function weighed(before: Posterior): Posterior {
  const all = followed(before);
  // So few classes are left that lost ones are worth more work.
  const posterior = all.trackers.length <= FEW_CLASSES ? soughtOnceMore(all) : all;
  const now = weighedAwake(posterior);
  if (posterior.asleep.length === 0) return now;
  const most = Math.max(...posterior.asleep.map(({ weight }) => weight));
  const isWoken = now.weight === 0 || most >= AWAKE * now.weight;
  return isWoken ? weighedAwake(awake(posterior)) : now;
}

/**
 * The posterior with everything that there was too much of followed once more, and more of it kept: for
 * the end of a probe that has named nothing. It means nothing if the time is over by then.
 */
export function thorough(before: Posterior, isOver: IsOver = NEVER): Posterior {
  const posterior = awake(followed(before));
  const cut = posterior.trackers.filter((one) => one.cut).map((one) => one.class);
  return soughtAgain(posterior, new Set([...posterior.lost, ...cut]), TIMES_MORE_AT_END, isOver);
}

/** The posterior with its lost classes followed once more, each of them once. */
function soughtOnceMore(posterior: Posterior): Posterior {
  const names = [...posterior.lost].filter((name) => !posterior.soughtAgain.has(name));
  return soughtAgain(posterior, new Set(names), TIMES_MORE);
}

/**
 * The posterior with these classes where they explain the transcript once more of them is followed.
 *
 * @param timesMore so many times as much of each is kept
 */
function soughtAgain(
  posterior: Posterior,
  names: ReadonlySet<LimiterClass>,
  timesMore: number,
  isOver: IsOver = NEVER,
): Posterior {
  const goesOn = ({ isLeft }: Tracker): boolean => isLeft && !isOver();
  const firsts = allTrackers(timesMore).filter((one) => names.has(one.class));
  if (firsts.length === 0) return posterior;
  const { events } = posterior.transcript;
  const all = posterior.reportsHold ? withoutOverlapping(events) : events.map(withoutReport);
  const ruledOut = new Map(posterior.ruledOut);
  const lost = new Set([...posterior.lost].filter((name) => !names.has(name)));
  const trackers = posterior.trackers.filter((one) => !names.has(one.class));
  for (const first of firsts) {
    const tracker = all.reduce((now, event) => (goesOn(now) ? now.observe(event) : now), first);
    if (tracker.isLeft) {
      trackers.push(tracker);
      ruledOut.delete(tracker.class);
    } else {
      ruledOut.set(tracker.class, ruledOut.get(tracker.class) ?? events.length);
      if (tracker.cut) lost.add(tracker.class);
    }
  }
  const sought = new Set([...posterior.soughtAgain, ...names]);
  return { ...posterior, trackers, ruledOut, lost, soughtAgain: sought };
}

/** The posterior with all classes followed up to now. */
function awake(posterior: Posterior): Posterior {
  const ruledOut = new Map(posterior.ruledOut);
  const lost = new Set(posterior.lost);
  const trackers = [...posterior.trackers];
  for (const { tracker, missed } of posterior.asleep) {
    const now = missed.reduce((one, event) => (one.isLeft ? one.observe(event) : one), tracker);
    if (now.isLeft) trackers.push(now);
    else {
      ruledOut.set(now.class, posterior.transcript.events.length);
      if (now.cut) lost.add(now.class);
    }
  }
  return { ...posterior, trackers, ruledOut, lost, asleep: [] };
}

function weighedAwake(posterior: Posterior): Posterior {
  const { events, wall } = posterior.transcript;
  const firstEvent = events[0];
  const reported = posterior.reportsHold ? reportedLimit(events) : undefined;
  const context = {
    reportedMs: reportedWindowsMs(events),
    ...(reported === undefined ? {} : { reported }),
    startsAnew: posterior.reportsHold && startsAnew(events),
    first: { lo: firstEvent?.sentMs ?? 0, hi: firstEvent?.receivedMs ?? 0 },
    ...(wall === undefined ? {} : { wall }),
  };
  const byClass = posterior.trackers.map((tracker) => {
    const all = weighAll(tracker.candidates(), context);
    return { tracker, all, weight: all.reduce((sum, { probability }) => sum + probability, 0) };
  });
  const weights = byClass.flatMap(({ all }) => all);
  const total = byClass.reduce((sum, { weight }) => sum + weight, 0);
  const isFollowed = (weight: number): boolean => weight >= ASLEEP * total;
  const trackers = byClass.filter(({ weight }) => isFollowed(weight)).map(({ tracker }) => tracker);
  const asleep = [
    ...posterior.asleep,
    ...byClass
      .filter(({ weight }) => !isFollowed(weight))
      .map(({ tracker, weight }) => ({ tracker, weight, missed: [] })),
  ];
  const alternatives = weights
    .filter(({ probability }) => probability > total * 1e-6)
    .map(({ candidate, pointMasses, probability }) => ({
      candidate,
      probability: probability / total,
      pointMasses: pointMasses.map((pointMass) => ({
        ms: pointMass.ms,
        probability: pointMass.probability / total,
      })),
    }));
  const rest = reported === undefined ? {} : { reported };
  return { ...posterior, trackers, asleep, alternatives, weight: total, ...rest };
}
