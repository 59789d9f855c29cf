/** Two limits at once: one that is known, and another that rejects what the first one would admit. */

import { burstsOf, prior, learn, weighed, withoutReport, type Posterior } from './posterior.ts';
import { classesOf, isPrecise, type ClassEstimate, type LimitEstimate } from './estimate.ts';
import { allTrackers, type LimiterClass, type Tracker } from '../models/index.ts';
import type { ProbeEvent, Transcript } from '../transcript.ts';

/** Two limits, of which the outer one sees only what the inner one does not explain. */
export interface Stack {
  readonly inner: ClassEstimate;
  /** The inner limit as it follows what it explains. */
  readonly tracker: Tracker;
  readonly outer: Posterior;
  /** Rejections that the inner limit does not explain. */
  readonly beyond: number;
  /** Requests since it was first thought of. */
  readonly since: number;
}

/** What both limits were found to be. */
export interface TwoLimits {
  readonly inner: ClassEstimate;
  readonly outer: ClassEstimate;
}

/** How sure a class must be to be taken for the inner limit, at some point of the transcript. */
const MIN_CLASS_PROBABILITY = 0.9;
/** Of several that were the likeliest at some time, this many are tried. */
const MAX_TRIED = 4;
/** Its time may turn out to be this much shorter or longer than was thought then. */
const SAME_TIME = 1.1;
/** Classes of the outer limit that are reported as one agree on its window by this ratio. */
const SAME_WINDOW = 1.05;
const NOTED = 0.05;
/** What an outer limit is: of others, what an inner one leaves to be seen tells too little. */
const OUTER: ReadonlySet<LimiterClass> = new Set([
  'fixed-window',
  'clock-window',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
]);
/** Rejections of the outer limit, apart from each other, that make it more than an accident. */
const MIN_BEYOND = 2;
/** With rates closer than this one of the two would be taken for the other. */
const APART = 1.2;
/** How sure the outer limit can be at most, of which the inner one hides a part. */
const MAX_SURE = 0.9;
/** The inner limit was used up this often, except for a part of it. */
const RUNS = 2;
const WHOLE = 0.8;

/** The stack that explains a transcript which no single class does; null where none is found. */
export function stackOf(transcript: Transcript): Stack | null {
  const bursts = burstsOf(transcript.events);
  const nothing = prior(transcript.wall);
  for (const inner of innerLimits(bursts, transcript)) {
    const first = allTrackers().find((tracker) => tracker.class === inner.class);
    if (first === undefined) continue;
    const begun: Stack = {
      inner,
      tracker: first,
      outer: { ...nothing, trackers: nothing.trackers.filter((one) => OUTER.has(one.class)) },
      beyond: 0,
      since: 0,
    };
    const stack = bursts.reduce<Stack | null>(
      (now, burst) => (now === null ? null : stacked(now, burst)),
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
  const others: ProbeEvent[] = [];
  const last = stack.outer.transcript.events.at(-1);
  const ordered = [...burst].sort((a, b) => rank(a) - rank(b) || a.sentMs - b.sentMs);
  for (const event of ordered.map(withoutReport)) {
    const next = tracker.observe(event);
    const isInner = next.isLeft && (event.outcome !== 'rejected' || holds(next, stack.inner));
    if (isInner) tracker = next;
    else if (event.outcome !== 'rejected') return null;
    if (event.outcome !== 'rejected' || !isInner) others.push(event);
    // Those in a row are one accident.
    if (!isInner && (others.at(-2) ?? last)?.outcome !== 'rejected') beyond += 1;
  }
  const outer = others.length === 0 ? stack.outer : learn(stack.outer, others);
  return { ...stack, tracker, outer, beyond, since: stack.since + burst.length };
}

/** Both limits, where the outer one is known as well; null where it is not yet, or cannot be. */
export function twoLimits({ inner, outer, beyond }: Stack): TwoLimits | null {
  const all = classesOf(weighed(outer)).filter(({ probability }) => probability >= NOTED);
  const [best] = all;
  if (best === undefined || beyond < MIN_BEYOND || !hasRecovered(outer)) return null;
  const isOne = all.every((one) => {
    const [a, b] = [one.windowSeconds, best.windowSeconds];
    if (one.limit.lo !== best.limit.value || one.limit.hi !== best.limit.value) return false;
    if (a === undefined || b === undefined) return false;
    return Math.max(a.hi, b.hi) / Math.min(a.lo, b.lo) <= SAME_WINDOW;
  });
  const isOuter =
    best.limit.value > inner.limit.value &&
    (best.windowSeconds?.value ?? 0) > (inner.windowSeconds?.value ?? Infinity) &&
    rateOf(inner) > APART * rateOf(best);
  return isOne && isOuter ? { inner, outer: best } : null;
}

/** Requests a second that it lets through in the long run. */
function rateOf({ limit, windowSeconds }: ClassEstimate): number {
  return limit.value / (windowSeconds?.value ?? Infinity);
}

/** The estimate where two limits explain what no single class does. */
export function withStack(estimate: LimitEstimate, stack: Stack | null): LimitEstimate {
  const isOpen = estimate.kind === 'composite' && stack !== null;
  const two = isOpen ? twoLimits(stack) : null;
  if (two === null) return estimate;
  const { inner, outer } = two;
  return {
    ...estimate,
    kind: 'stacked',
    classes: [inner, outer],
    confidence: MAX_SURE * outer.probability,
  };
}

function hasRecovered({ transcript: { events } }: Posterior): boolean {
  const at = events.findIndex(({ outcome }) => outcome === 'rejected');
  return at >= 0 && events.slice(at).some(({ outcome }) => outcome === 'admitted');
}

/** Classes that were likeliest and known closely at some time before none was left, earliest first. */
function innerLimits(
  bursts: readonly (readonly ProbeEvent[])[],
  { wall }: Transcript,
): ClassEstimate[] {
  const found: ClassEstimate[] = [];
  let posterior = prior(wall);
  for (const burst of bursts) {
    posterior = learn(posterior, burst);
    if (posterior.transcript.events.every(({ outcome }) => outcome !== 'rejected')) continue;
    // What became narrow by rejections alone, before an admission that it foretold, is not known.
    if (posterior.trackers.length > 0 && burst.some(({ outcome }) => outcome === 'rejected'))
      continue;
    posterior = weighed(posterior);
    const [best] = classesOf(posterior);
    if (best === undefined) break;
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

/** Whether the inner limit is still what it was taken for. */
function holds(
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

function rank({ outcome }: ProbeEvent): number {
  return outcome === 'rejected' ? 1 : 0;
}
