import { burstsOf } from './bursts.ts';
import {
  followed,
  learn,
  prior,
  thorough,
  weighed,
  type Posterior,
  type Alternative,
} from './posterior.ts';
import type { Candidate, Interval, LimiterClass } from '../models/index.ts';
import { hull } from '../models/interval.ts';
import { isAside, PRECISE_RATIO } from '../models/usual.ts';
import type { ClassEstimate, Parameter } from './class-estimate.ts';
import type { LimitEstimate, OpenReason } from './limit-estimate.ts';
import { isByAccident } from './coincidence.ts';
import { isProven } from './proof.ts';
import { unexplainedBy } from './replay.ts';
import { rivalsOf } from './rivals.ts';
import { shapingOf } from './shaping.ts';
import { NEVER, type IsOver } from '../is-over.ts';
import type { Transcript } from '../transcript.ts';

export type { ClassEstimate, LimitEstimate, OpenReason, Parameter };

/** Posterior needed in one class before it is called identified. */
export const MIN_SURE_PROBABILITY = 0.98;
/** There are limiters that no class here holds, and some look like one of them for as long as is asked. */
const MAX_SURE = 0.97;
/** What is left of a class's weight is a remote corner of it, and blurs no parameter. */
const BULK = 0.99;
/** A class with less is not named. */
const MIN_PROBABILITY = 0.005;

/** Bursts after which it is worth weighing what is left. */
const WEIGHED_EACH = 16;

/** What the transcript says of the limit. The same transcript, the same estimate, unless the time is over. */
export function estimate(transcript: Transcript, isOver: IsOver = NEVER): LimitEstimate {
  const posterior = burstsOf(transcript.events).reduce((before, burst, index) => {
    const next = learn(before, burst);
    // Weighing tells which classes need not be followed any more; before a rejection none is.
    const isDue = index % WEIGHED_EACH === 0 && next.ruledOut.size > 0;
    return isDue ? weighed(next) : next;
  }, prior(transcript.wall));
  return concludeAtEnd(posterior, isOver);
}

/**
 * The same for a posterior that was followed event by event, at the end of a probe: what was dropped since
 * there was too much of it may be the truth, and is looked at once more if nothing is named and time is left.
 */
export function concludeAtEnd(before: Posterior, isOver: IsOver = NEVER): LimitEstimate {
  const posterior = followed(before);
  const found = conclude(weighed(posterior));
  const isOpen = found.kind === 'ambiguous' || found.kind === 'composite';
  if (!isOpen) return found;
  const more = thorough(posterior, isOver);
  return isOver() ? found : conclude(weighed(more));
}

/** The same for a posterior with its probabilities worked out. */
export function conclude(posterior: Posterior): LimitEstimate {
  const { events } = posterior.transcript;
  const shared = {
    mismatches: [...posterior.ruledOut].map(([one, afterEvents]) => ({ class: one, afterEvents })),
    admittedInARow: longestRun(posterior),
  };
  const none = { ...shared, classes: [], confidence: 0 };
  const shaping = shapingOf(events);
  if (shaping !== null) {
    const { perSecond: refillPerSecond } = shaping;
    return { ...none, kind: 'shaped', confidence: 0.9, refillPerSecond, shaping };
  }
  if (!events.some((event) => event.outcome === 'rejected')) {
    const isReported = events.some((event) => event.report?.limit !== undefined);
    return { ...none, kind: isReported ? 'above-budget' : 'unlimited-within-budget' };
  }
  const classes = classesOf(posterior);
  const [best] = classes;
  const composite = (open: OpenReason): LimitEstimate => ({ ...none, kind: 'composite', open });
  if (best === undefined) return composite({ kind: 'none-left' });
  const isSettled = best.probability >= MIN_SURE_PROBABILITY && isPrecise(best);
  const { class: name } = best;
  if (isSettled && isByAccident(best, events))
    return composite({ kind: 'by-accident', class: name });
  const sure = isSettled && isProven(posterior, name);
  const at = sure ? unexplainedBy(best, events) : null;
  if (at !== null) {
    const mismatches = [...none.mismatches, { class: name, afterEvents: at + 1 }];
    return { ...composite({ kind: 'unexplained', class: name, answer: at + 1 }), mismatches };
  }
  const rivals = sure ? rivalsOf(best, posterior) : [];
  if (rivals.length > 0) {
    const probability = best.probability / (1 + rivals.length);
    const all = [best, ...rivals].map((one) => ({ ...one, probability }));
    const open: OpenReason = { kind: 'rivals' };
    return { ...shared, kind: 'ambiguous', open, classes: all, confidence: probability };
  }
  const confidence = Math.min(MAX_SURE, best.probability);
  if (sure) return { ...shared, kind: 'identified', classes: [best], confidence };
  const isOnly = classes.length === 1 || best.probability >= MIN_SURE_PROBABILITY;
  const kind = isSettled ? 'unproven' : isOnly ? 'imprecise' : 'several';
  return { ...shared, kind: 'ambiguous', open: { kind }, classes, confidence };
}

/** The classes that are left with a noteworthy probability, best first. */
export function classesOf(posterior: Posterior): ClassEstimate[] {
  const byClass = new Map<LimiterClass, Alternative[]>();
  for (const one of posterior.alternatives) {
    byClass.set(one.candidate.class, [...(byClass.get(one.candidate.class) ?? []), one]);
  }
  return [...byClass]
    .map(([name, all]) => describe(name, all))
    .filter(({ probability }) => probability >= MIN_PROBABILITY)
    .sort((a, b) => b.probability - a.probability);
}

/** Whether every parameter that makes up the class is known closely. */
export function isPrecise({
  limit,
  windowSeconds,
  penaltySeconds,
  ...rest
}: ClassEstimate): boolean {
  if (limit.lo !== limit.hi) return false;
  if (rest.class === 'concurrency') return true;
  if (rest.refill !== undefined && rest.refill.lo !== rest.refill.hi) return false;
  const time = rest.intervalSeconds ?? penaltySeconds ?? windowSeconds;
  return time !== undefined && time.hi / time.lo <= PRECISE_RATIO;
}

function describe(name: LimiterClass, all: readonly Alternative[]): ClassEstimate {
  const probability = all.reduce((sum, one) => sum + one.probability, 0);
  const likely = bulk(all, BULK * probability);
  const top = likely[0] ?? never();
  const over = (pick: (candidate: Candidate) => Interval): Interval =>
    likely.reduce((sum, one) => hull(sum, pick(one.candidate)), pick(top.candidate));
  const limit = whole(
    over((one) => one.limit),
    top.candidate.limit,
  );
  const time = timeOf(
    top.candidate,
    over((one) => one.timeMs),
    likely,
  );
  const seconds = scaled(time, 1 / 1000);
  const base = { class: name, probability, limit };
  switch (name) {
    case 'concurrency':
      return base;
    case 'token-bucket':
      return {
        ...base,
        burst: limit,
        windowSeconds: filling(time.value * limit.value, likely),
        refillPerSecond: { value: 1000 / time.value, lo: 1000 / time.hi, hi: 1000 / time.lo },
      };
    case 'interval-refill': {
      const refill = whole(
        over((one) => one.refill ?? one.limit),
        top.candidate.refill ?? top.candidate.limit,
      );
      return {
        ...base,
        burst: limit,
        refill,
        intervalSeconds: seconds,
        windowSeconds: filling((time.value * limit.value) / refill.value, likely),
        refillPerSecond: {
          value: refill.value / seconds.value,
          lo: refill.lo / seconds.hi,
          hi: refill.hi / seconds.lo,
        },
      };
    }
    case 'penalty': {
      const window = over((one) => one.windowMs ?? one.timeMs);
      const value = window.lo / 1000;
      return {
        ...base,
        penaltySeconds: seconds,
        windowSeconds: { value, lo: value, hi: window.hi / 1000 },
      };
    }
    default:
      return { ...base, windowSeconds: seconds };
  }
}

/** The fewest that together have a probability, greatest first. */
function bulk(all: readonly Alternative[], probability: number): Alternative[] {
  let sum = 0;
  return [...all]
    .sort((a, b) => b.probability - a.probability)
    .filter((one) => {
      const needed = sum < probability;
      sum += one.probability;
      return needed;
    });
}

/** The time: its interval, and the value in it that stands out, where that has most of the weight. */
function timeOf(top: Candidate, all: Interval, likely: readonly Alternative[]): Parameter {
  const pointMasses = new Map<number, number>();
  for (const { ms, probability } of likely.flatMap((one) => one.pointMasses)) {
    pointMasses.set(ms, (pointMasses.get(ms) ?? 0) + probability);
  }
  const total = likely.reduce((sum, { probability }) => sum + probability, 0);
  const [best] = [...pointMasses].sort((a, b) => b[1] - a[1]);
  const middle = Math.sqrt(top.timeMs.lo * Math.min(top.timeMs.hi, top.timeMs.lo * 1e6));
  const [ms, probability] = best ?? [middle, 0];
  const value = probability <= total / 2 ? middle : ms;
  return { value: isAside(value, all) ? Math.sqrt(all.lo * all.hi) : value, ...all };
}

function whole(all: Interval, top: Interval): Parameter {
  return { value: Number.isFinite(top.hi) ? Math.max(1, Math.floor(top.lo)) : top.lo, ...all };
}

/** The time in which a bucket fills, s: of each that is left by its own capacity and refill. */
function filling(valueMs: number, likely: readonly Alternative[]): Parameter {
  const all = likely.map(({ candidate: { timeMs, limit, refill } }) => ({
    lo: (timeMs.lo * limit.lo) / (refill?.hi ?? 1),
    hi: (timeMs.hi * limit.hi) / (refill?.lo ?? 1),
  }));
  return scaled({ value: valueMs, ...all.reduce(hull) }, 1 / 1000);
}

function scaled({ value, lo, hi }: Parameter, factor: number): Parameter {
  return { value: value * factor, lo: lo * factor, hi: hi * factor };
}

function longestRun({ transcript }: Posterior): number {
  let run = 0;
  let longest = 0;
  for (const { outcome } of transcript.events) {
    if (outcome === 'admitted') run += 1;
    else if (outcome === 'rejected') run = 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function never(): never {
  throw new Error('a class without candidates was described');
}
