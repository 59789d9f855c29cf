/** What two limits are named: only what has no other explanation. */

import { burstsOf, rank, withoutReport } from './bursts.ts';
import { prior, learn, weighed, type Posterior } from './posterior.ts';
import {
  classesOf,
  isPrecise,
  MIN_SURE_PROBABILITY,
  type ClassEstimate,
  type LimitEstimate,
} from './estimate.ts';
import { allTrackers } from '../models/index.ts';
import { holds, type Stack } from './stacked.ts';
import type { ProbeEvent, Transcript } from '../transcript.ts';

/** What both limits were found to be. */
export interface TwoLimits {
  readonly inner: ClassEstimate;
  readonly outer: ClassEstimate;
}

/** Classes of the outer limit that are reported as one agree on its window by this ratio. */
const SAME_WINDOW = 1.05;
const NOTED = 0.05;
/** Rejections of the outer limit, apart from each other, that make it more than an accident. */
const MIN_BEYOND = 2;
/** With rates closer than this one of the two would be taken for the other. */
const APART = 1.2;
/** How sure the outer limit can be at most, of which the inner one hides a part. */
const MAX_SURE = 0.9;

/**
 * Both limits, where the outer one is known as well; null where it is not yet, or cannot be. What can be
 * said of it must not depend on what it counts, and no other inner limit may do beside it.
 *
 * @param transcript of all that was seen
 */
export function twoLimits(stack: Stack, transcript: Transcript): TwoLimits | null {
  const outer = knownOuter(stack);
  if (outer === null) return null;
  const within = innerWithin(stack, outer, transcript);
  const inner = within === null ? null : onlyInner(stack.inner, within);
  if (inner === null) return null;
  const two = { inner, outer };
  return areApart(two) ? two : null;
}

/** The outer limit, where it is known; null until then. */
export function knownOuter({ outer, otherwise, beyond }: Stack): ClassEstimate | null {
  const best = outerOf(outer);
  if (best === null || beyond < MIN_BEYOND) return null;
  const other = otherwise === undefined ? best : outerOf(otherwise);
  return other !== null && isSame(other, best) ? best : null;
}

/** Whether the outer limit is wider, and lets less through in the long run. */
export function areApart({ inner, outer }: TwoLimits): boolean {
  return (
    outer.limit.value > inner.limit.value &&
    (outer.windowSeconds?.value ?? 0) > (inner.windowSeconds?.value ?? Infinity) &&
    rateOf(inner) > APART * rateOf(outer)
  );
}

/** The outer limit where all that is left of it has one limit and one window, whatever its class. */
function outerOf(outer: Posterior): ClassEstimate | null {
  if (!hasRecovered(outer)) return null;
  const all = classesOf(weighed(outer)).filter(({ probability }) => probability >= NOTED);
  const [best, ...others] = all;
  if (best === undefined || !others.every((one) => isSame(one, best))) return null;
  const probability = all.reduce((sum, one) => sum + one.probability, 0);
  const alike = others.map((one) => one.class);
  return { ...best, probability, ...(alike.length === 0 ? {} : { alike }) };
}

/** Whether one can only be what another one is as well. */
function isSame(one: ClassEstimate, best: ClassEstimate): boolean {
  const [a, b] = [one.windowSeconds, best.windowSeconds];
  if (one.limit.lo !== best.limit.value || one.limit.hi !== best.limit.value) return false;
  if (a === undefined || b === undefined) return false;
  return Math.max(a.hi, b.hi) / Math.min(a.lo, b.lo) <= SAME_WINDOW;
}

/**
 * The inner limit by all that was seen, where what the outer one leaves unexplained has no other explanation; else
 * null. It is known more closely than when it was first thought of.
 */
function onlyInner(inner: ClassEstimate, within: Posterior): ClassEstimate | null {
  const [best] = classesOf(within);
  if (best?.class !== inner.class || best.probability < MIN_SURE_PROBABILITY) return null;
  return isPrecise(best) && agrees(best, inner) ? best : null;
}

/** Whether two estimates of one limit can both be right. */
function agrees(best: ClassEstimate, inner: ClassEstimate): boolean {
  const [a, b] = [best.windowSeconds, inner.windowSeconds];
  if (best.limit.value !== inner.limit.value || a === undefined || b === undefined) return false;
  return Math.max(a.lo, b.lo) <= SAME_WINDOW * Math.min(a.hi, b.hi);
}

/**
 * What the inner limit can be by all that the outer one leaves unexplained, weighed; null where the outer one
 * is none that can be followed. What the outer one rejects the inner one may have counted before.
 *
 * @param outer as it is known
 */
export function innerWithin(
  { countsAll }: Stack,
  outer: ClassEstimate,
  transcript: Transcript,
): Posterior | null {
  const first = allTrackers().find((tracker) => tracker.class === outer.class);
  if (first === undefined) return null;
  let tracker = first;
  let within = prior(transcript.wall);
  for (const burst of burstsOf(transcript.events)) {
    const seen: ProbeEvent[] = [];
    for (const event of [...burst].sort((a, b) => rank(a) - rank(b) || a.sentMs - b.sentMs)) {
      const next = tracker.observe(withoutReport(event));
      if (event.outcome !== 'rejected') {
        tracker = next;
        seen.push(withoutReport(event));
      } else if (next.isLeft && holds(next, outer)) {
        tracker = next;
        seen.push({ ...withoutReport(event), outcome: 'failed' });
      } else {
        seen.push(withoutReport(event));
        if (countsAll) tracker = tracker.observe({ ...event, outcome: 'admitted' });
      }
    }
    within = learn(within, seen);
  }
  return weighed(within);
}

/** Requests a second that it lets through in the long run. */
function rateOf({ limit, windowSeconds }: ClassEstimate): number {
  return limit.value / (windowSeconds?.value ?? Infinity);
}

/** The estimate where two limits explain what no single class does. */
export function withStack(
  estimate: LimitEstimate,
  stack: Stack | null,
  transcript: Transcript,
): LimitEstimate {
  const isOpen = estimate.kind === 'composite' && stack !== null;
  const two = isOpen ? twoLimits(stack, transcript) : null;
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
