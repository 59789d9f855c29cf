/** Two limits at once: one that is known, and another that rejects what the first one would admit. */

import { burstsOf, rank, withoutReport } from './bursts.ts';
import { prior, learn, weighed, type Posterior } from './posterior.ts';
import { classesOf, isPrecise, type ClassEstimate } from './estimate.ts';
import { allTrackers, type LimiterClass, type Tracker } from '../models/index.ts';
import { NEVER, type IsOver } from '../is-over.ts';
import type { ProbeEvent, Transcript } from '../transcript.ts';

/** Two limits, of which the outer one sees only what the inner one does not explain. */
export interface Stack {
  readonly inner: ClassEstimate;
  /** The inner limit as it follows what it explains. */
  readonly tracker: Tracker;
  readonly outer: Posterior;
  /**
   * The same where the outer one counts what the inner one rejects, or the other way round; absent where
   * only one of the two explains what was seen.
   */
  readonly otherwise?: Posterior;
  /** Whether `outer` is the one in which what the inner one rejects is counted as well. */
  readonly countsAll: boolean;
  /** Rejections that the inner limit does not explain. */
  readonly beyond: number;
  /** Requests since it was first thought of. */
  readonly since: number;
}

/** How sure a class must be to be taken for the inner limit, at some point of the transcript. */
const MIN_CLASS_PROBABILITY = 0.9;
/** Of several that were the likeliest at some time, this many are tried. */
const MAX_TRIED = 4;
/** Its time may turn out to be this much shorter or longer than was thought then. */
const SAME_TIME = 1.1;
/** What an outer limit is: of others, what an inner one leaves to be seen tells too little. */
const OUTER: ReadonlySet<LimiterClass> = new Set([
  'fixed-window',
  'clock-window',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
]);
/**
 * Never taken for the inner limit: with an outer one beside them, limits that hold a client off after a rejection
 * explain too much, as a window that each request restarts.
 */
const NOT_INNER: ReadonlySet<LimiterClass> = new Set(['penalty', 'restart-on-reject']);
/** The inner limit was used up this often, except for a part of it. */
const RUNS = 2;
const WHOLE = 0.8;

/** The stack that explains a transcript which no single class does; null if none is found before the time is over. */
export function stackOf(transcript: Transcript, isOver: IsOver = NEVER): Stack | null {
  const bursts = burstsOf(transcript.events);
  const nothing = prior(transcript.wall);
  for (const inner of innerLimits(bursts, transcript, isOver)) {
    const first = allTrackers().find((tracker) => tracker.class === inner.class);
    if (first === undefined) continue;
    const outer = {
      ...nothing,
      trackers: nothing.trackers.filter((one) => OUTER.has(one.class)),
    };
    const begun: Stack = {
      inner,
      tracker: first,
      outer,
      otherwise: outer,
      countsAll: false,
      beyond: 0,
      since: 0,
    };
    const stack = bursts.reduce<Stack | null>(
      (now, burst) => (now === null || isOver() ? null : stacked(now, burst)),
      begun,
    );
    if (stack !== null && stack.beyond > 0 && stack.outer.trackers.length > 0)
      return { ...stack, since: 0 };
  }
  return null;
}

/** The stack after one more burst; null where the inner limit cannot have admitted what was. */
export function stacked(stack: Stack, burst: readonly ProbeEvent[]): Stack | null {
  let { tracker, beyond } = stack;
  let isBeyond = false;
  const passed: ProbeEvent[] = [];
  const counted: ProbeEvent[] = [];
  const { outer, otherwise, countsAll } = stack;
  const last = outer.transcript.events.at(-1);
  const ordered = [...burst].sort((a, b) => rank(a) - rank(b) || a.sentMs - b.sentMs);
  for (const event of ordered.map(withoutReport)) {
    const next = tracker.observe(event);
    // What is sent together with a request that the outer one rejected meets the outer one as well.
    const mayBeInner = event.outcome !== 'rejected' || (!isBeyond && holds(next, stack.inner));
    const isInner = next.isLeft && mayBeInner;
    if (event.outcome !== 'rejected') {
      if (!isInner) return null;
      passed.push(event);
      counted.push(event);
    } else if (isInner) counted.push({ ...event, outcome: 'admitted' });
    else {
      passed.push(event);
      counted.push(event);
      isBeyond = true;
      // Those in a row are one accident.
      if ((passed.at(-2) ?? last)?.outcome !== 'rejected') beyond += 1;
    }
    // What the outer one rejects may have been counted by the inner one before.
    tracker = isInner ? next : tracker.observe({ ...event, outcome: 'failed' });
  }
  const after = (one: Posterior, all: boolean): Posterior => {
    const seen = all ? counted : passed;
    return seen.length === 0 ? one : learn(one, seen);
  };
  const grown = { ...stack, tracker, beyond, since: stack.since + burst.length };
  return chosen({
    ...grown,
    outer: after(outer, countsAll),
    ...(otherwise === undefined ? {} : { otherwise: after(otherwise, !countsAll) }),
  });
}

/** The stack with the probabilities of what its outer limit may be worked out. */
export function weighedStack({ otherwise, ...stack }: Stack): Stack {
  const outer = weighed(stack.outer);
  return otherwise === undefined
    ? { ...stack, outer }
    : { ...stack, outer, otherwise: weighed(otherwise) };
}

/** The stack without the outer limit that explains nothing any more, where the other one does. */
function chosen({ otherwise, ...stack }: Stack): Stack {
  if (otherwise === undefined || otherwise.trackers.length === 0) return stack;
  if (stack.outer.trackers.length > 0) return { ...stack, otherwise };
  return { ...stack, outer: otherwise, countsAll: !stack.countsAll };
}

/** Classes that were likeliest and known closely at some time before none was left, earliest first. */
function innerLimits(
  bursts: readonly (readonly ProbeEvent[])[],
  { wall }: Transcript,
  isOver: IsOver,
): ClassEstimate[] {
  const found: ClassEstimate[] = [];
  let posterior = prior(wall);
  for (const burst of bursts) {
    if (isOver()) break;
    posterior = learn(posterior, burst);
    if (posterior.transcript.events.every(({ outcome }) => outcome !== 'rejected')) continue;
    // What became narrow by rejections alone, before an admission that it foretold, is not known.
    if (posterior.trackers.length > 0 && burst.some(({ outcome }) => outcome === 'rejected'))
      continue;
    posterior = weighed(posterior);
    const [best] = classesOf(posterior);
    if (best === undefined) break;
    if (NOT_INNER.has(best.class)) continue;
    if (best.probability < MIN_CLASS_PROBABILITY || !isPrecise(best) || !isUsedUp(posterior, best))
      continue;
    const at = found.findIndex(
      (one) => one.class === best.class && one.limit.value === best.limit.value,
    );
    if (at < 0) found.push(best);
    else found[at] = best;
  }
  return found.slice(0, MAX_TRIED);
}

/** Whether it was used up to the last request before, and gave as much once more. */
function isUsedUp({ transcript: { events } }: Posterior, { limit }: ClassEstimate): boolean {
  let [run, runs] = [0, 0];
  for (const { outcome } of events) {
    if (outcome === 'admitted') run += 1;
    else if (outcome === 'rejected') [run, runs] = [0, runs + (run >= limit.value * WHOLE ? 1 : 0)];
  }
  return runs >= RUNS;
}

/** Whether a limit is still what it was taken for. */
export function holds(
  tracker: Tracker,
  { class: name, limit, windowSeconds, intervalSeconds }: ClassEstimate,
): boolean {
  const seconds = name === 'interval-refill' ? intervalSeconds : windowSeconds;
  const tokens = name === 'token-bucket' ? limit.value : 1;
  if (seconds === undefined) return false;
  const [lo, hi] = [seconds.lo / SAME_TIME, seconds.hi * SAME_TIME].map(
    (time) => (1000 * time) / tokens,
  );
  return tracker
    .candidates()
    .some(
      (one) =>
        one.limit.lo <= limit.value &&
        one.limit.hi >= limit.value &&
        one.timeMs.lo <= (hi ?? 0) &&
        one.timeMs.hi >= (lo ?? 0),
    );
}
