/** Experiments that prove a class which is all but certain (`proof.ts`). */

import type { Alternative } from '../estimate/posterior.ts';
import { UNTIL_REJECTED, type Step } from './experiment.ts';
import type { Ahead } from '../models/ahead.ts';
import type { Candidate } from '../models/index.ts';
import { PUT_OFF } from '../models/model.ts';
import { isAside, isUsual } from '../models/usual.ts';
import { isBeyondBucket, missingBeyond } from '../estimate/beyond-bucket.ts';
import {
  AT_ONCE,
  CLOSED_TIMES,
  partialRuns,
  partialRunsNeeded,
  timesClosed,
} from '../estimate/proof.ts';
import type { ProbeEvent } from '../transcript.ts';

/** How late in a window it is used up, as a part of it before its end. */
const LATE = 0.12;
/** How late where it is to be seen closed as well, and how long before its end that is asked. */
const LATE_CLOSED = 0.35;
const BEFORE_END = 0.05;
/** Of a window that is to be used up late so much must be left. */
const UNUSED = 0.6;
/** A window that is over sooner is left to end. */
const MIN_LEFT = 0.35;
/** So many more are asked for than a bucket has tokens for, and so large a part of the limit. */
const MORE = 1;
const PART_MORE = 0.03;
/** The part of the limit that may have to come back for a window that was used up as it was, not later. */
const MAX_BACK = 0.8;
const MAX_REST = 0.9;
/** A window that was used up in so small a last part of it was used up late. */
const USED_LATE = 0.25;

/** How much later than full a bucket is used up once more, and the pause after its first request. */
const OTHER_PHASE = 0.04;
const PAUSE = 0.3;
/** The part of the limit that is as good as full again, and how often within two windows it is looked for. */
const FULL = 0.93;
const LOOKS = 40;
/** The part of the limit that is as good as all. */
const NEARLY_ALL = 0.8;

/** When to send what. */
export interface Timing {
  readonly nowMs: number;
  /** How late a request may be decided, ms. */
  readonly slackMs: number;
  /** Whether the service says truly how many are left. */
  readonly reportsHold: boolean;
}

/**
 * The steps that prove a class, of its likeliest candidate; none where nothing can be done.
 *
 * @param events all so far
 */
export function stepsToProve(
  { candidate, pointMasses }: Alternative,
  events: readonly ProbeEvent[],
  timing: Timing,
): Step[] {
  const [pointMass] = pointMasses
    .filter(({ ms }) => !isAside(ms, candidate.timeMs))
    .sort((a, b) => b.probability - a.probability);
  const timeMs = pointMass?.ms ?? Math.sqrt(candidate.timeMs.lo * candidate.timeMs.hi);
  const limit = candidate.limit.hi;
  const ahead = candidate.ahead({ limit, timeMs, phase: 0.5, refillPart: 0 });
  switch (candidate.class) {
    case 'fixed-window':
    case 'clock-window': {
      const [endMs] = ahead.changes(timing.nowMs);
      const left = ahead.copy().take(timing.nowMs, limit);
      const isOpen = !isUsual(timeMs) && timesClosed(events, timeMs) < CLOSED_TIMES;
      const missing = (atMs: number): number => missingBeyond(events, candidate, atMs);
      const given = { limit, windowMs: timeMs, endMs, left, gapMs: pacerOf(events) };
      return lateAndBack({ ...given, isOpen, missing }, timing, candidate.class);
    }
    case 'interval-refill': {
      const isAdded = candidate.accumulated === true;
      const isPartial = partialRuns(events, limit) >= partialRunsNeeded(isUsual(timeMs));
      if (isAdded && isPartial) return onceMore(candidate, timeMs, events, timing);
      if (events.at(-1)?.outcome !== 'rejected') {
        return [{ atMs: timing.nowMs, count: UNTIL_REJECTED }];
      }
      const nextMs = ahead.changes(timing.nowMs)[0] ?? timing.nowMs + timeMs;
      // Two refills add up; one alone shows again what a refill brings.
      const atMs = nextMs + (isAdded ? 0 : timeMs) + timing.slackMs + 0.1 * timeMs;
      return [{ atMs, count: (candidate.refill?.hi ?? 1) * (isAdded ? 1 : 2) + 1 }];
    }
    case 'concurrency':
      return [];
    case 'restart-on-reject': {
      const [endMs] = ahead.changes(timing.nowMs);
      // One request after the window's end tells that all is there again, and not only then.
      if (!timing.reportsHold || endMs === undefined || events.at(-1)?.outcome === 'rejected') {
        return onceMore(candidate, timeMs, events, timing);
      }
      return [{ atMs: endMs + timing.slackMs + 0.02 * timeMs, count: 1 }];
    }
    default:
      return onceMore(candidate, timeMs, events, timing);
  }
}

/**
 * Uses a full bucket up once more, at another pace than the first time; or, where that was just done,
 * looks right before and right after the moment at which something is to come back.
 */
function onceMore(
  candidate: Candidate,
  timeMs: number,
  events: readonly ProbeEvent[],
  { nowMs, slackMs }: Timing,
): Step[] {
  const { class: name, limit, refill } = candidate;
  const ahead = candidate.ahead({ limit: limit.hi, timeMs, phase: 0.5, refillPart: 0 });
  const rejectedAt = events.findLastIndex(({ outcome }) => outcome === 'admitted');
  const run = runBefore(events);
  if (events.length - 1 > rejectedAt && run >= limit.hi * NEARLY_ALL) {
    if (name === 'sliding-counter-counting-rejects') {
      return asItOpens(ahead, { nowMs, slackMs });
    }
    const nextMs = opensMs(ahead, nowMs, slackMs);
    if (nextMs === undefined) return [{ atMs: nowMs, count: 1 }];
    const beforeMs = nextMs - 2 * slackMs - 0.02 * (nextMs - nowMs);
    const before = PUT_OFF.has(name) || beforeMs < nowMs ? [] : [{ atMs: beforeMs, count: 1 }];
    return [...before, { atMs: nextMs + slackMs + 0.01 * (nextMs - nowMs), count: 1 }];
  }
  const isBucket = name === 'token-bucket' || name === 'interval-refill';
  const windowMs = isBucket ? (timeMs * limit.hi) / (refill?.lo ?? 1) : timeMs;
  const fullMs = fullAgainMs(ahead, limit.hi, windowMs, nowMs) + slackMs + OTHER_PHASE * windowMs;
  // All at once, as a limit on shorter times would show; where the first request opens something, it goes alone.
  if (name === 'token-bucket') return [{ atMs: fullMs, count: UNTIL_REJECTED }];
  return [
    { atMs: fullMs, count: 1 },
    { atMs: fullMs + PAUSE * timeMs, count: UNTIL_REJECTED },
  ];
}

/** Right before it opens, which puts that off a little, and right after. */
function asItOpens(ahead: Ahead, { nowMs, slackMs }: Pick<Timing, 'nowMs' | 'slackMs'>): Step[] {
  const openMs = opensMs(ahead, nowMs, slackMs);
  if (openMs === undefined) return [{ atMs: nowMs, count: 1 }];
  const beforeMs = openMs - 2 * slackMs - 0.02 * (openMs - nowMs);
  if (beforeMs <= nowMs) return [{ atMs: openMs + slackMs, count: 1 }];
  const asked = ahead.copy();
  asked.take(beforeMs, 1);
  const laterMs = opensMs(asked, beforeMs, slackMs) ?? openMs;
  return [
    { atMs: beforeMs, count: 1 },
    { atMs: laterMs + slackMs + 0.01 * (laterMs - beforeMs), count: 1 },
  ];
}

/** The first time from which a request is admitted: at the others that change something none is yet. */
export function opensMs(ahead: Ahead, fromMs: number, slackMs: number): number | undefined {
  return [...ahead.changes(fromMs)]
    .sort((a, b) => a - b)
    .find((atMs) => ahead.copy().take(atMs + slackMs, 1) === 1);
}

/** When as many are there again as a whole run needs, looked at in steps of a window. */
function fullAgainMs(ahead: Ahead, limit: number, windowMs: number, nowMs: number): number {
  const times = [
    ...Array.from({ length: LOOKS }, (_, index) => nowMs + (index * 2 * windowMs) / LOOKS),
    ...ahead.changes(nowMs),
  ].sort((a, b) => a - b);
  const isFull = (atMs: number): boolean => ahead.copy().take(atMs, limit) >= FULL * limit;
  return times.find(isFull) ?? Math.max(nowMs, ...times);
}

/** Admissions before the rejections that came last. */
function runBefore(events: readonly ProbeEvent[]): number {
  const end = events.findLastIndex(({ outcome }) => outcome === 'admitted');
  const begin = events.slice(0, end).findLastIndex(({ outcome }) => outcome === 'rejected');
  return end - begin;
}

/** The window at hand; `endMs` undefined when none is open. */
interface PresentWindow {
  readonly limit: number;
  readonly windowMs: number;
  readonly endMs: number | undefined;
  /** What it still admits. */
  readonly left: number;
  /** What a request of a burst takes. */
  readonly gapMs: number;
  /** Whether it is to be seen closed once more. */
  readonly isOpen: boolean;
  /** How many must be admitted at a time to be more than a bucket has tokens for. */
  readonly missing: (atMs: number) => number;
}

/** Uses a window up late; where that was done, looks whether more is back right after its end than a bucket has. */
function lateAndBack(
  { limit, windowMs, endMs, left, gapMs, isOpen, missing }: PresentWindow,
  { nowMs, slackMs }: Timing,
  name: 'fixed-window' | 'clock-window',
): Step[] {
  const burstMs = limit * gapMs;
  const lateAt = (end: number): number => end - (isOpen ? LATE_CLOSED : LATE) * windowMs - burstMs;
  const soonMs = slackMs + 0.01 * windowMs;
  const enough = (atMs: number): number => Math.ceil(missing(atMs) + MORE + PART_MORE * limit);
  const count = endMs === undefined ? Infinity : Math.min(limit, enough(endMs + soonMs));
  const isLate = endMs !== undefined && endMs - nowMs <= USED_LATE * windowMs;
  if (endMs !== undefined && left === 0 && (isLate || count <= MAX_BACK * limit)) {
    const beforeMs = endMs - 2 * slackMs - BEFORE_END * windowMs;
    const back = { atMs: endMs + soonMs, count };
    if (!isOpen) return [back];
    if (nowMs < beforeMs) return [{ atMs: beforeMs, count: 1 }, back];
  }
  const isUnused = left >= UNUSED * limit;
  if (isUnused && endMs !== undefined && endMs - nowMs > Math.max(MIN_LEFT * windowMs, burstMs)) {
    return [{ atMs: Math.max(nowMs, lateAt(endMs)), count: UNTIL_REJECTED }];
  }
  const fromMs = endMs === undefined ? nowMs : endMs + soonMs;
  const nextMs = name === 'clock-window' ? (endMs ?? nowMs) + windowMs : fromMs + windowMs;
  return [
    { atMs: fromMs, count: 1 },
    { atMs: Math.max(fromMs, lateAt(nextMs)), count: UNTIL_REJECTED },
  ];
}

/**
 * Where a window was used up late and is open again: as many now as are more than a bucket of its size has tokens
 * for; null where that is too many, or none of such a class.
 */
export function restToProve(
  { candidate }: Alternative,
  events: readonly ProbeEvent[],
  { nowMs, slackMs }: Timing,
): Step | null {
  if (!AT_ONCE.has(candidate.class) || isBeyondBucket(events, candidate)) return null;
  const { limit, timeMs } = candidate;
  const ahead = candidate.ahead({ limit: limit.hi, timeMs: timeMs.hi, phase: 0.5, refillPart: 0 });
  const left = ahead.take(nowMs + slackMs, limit.hi);
  const count = missingBeyond(events, candidate, nowMs + slackMs) + MORE;
  return count <= Math.min(left, MAX_REST * limit.hi) ? { atMs: nowMs, count } : null;
}

/** How long a request of a burst takes, ms: half of all take no longer. */
function pacerOf(events: readonly ProbeEvent[]): number {
  const trips = events.map((event) => event.receivedMs - event.sentMs).sort((a, b) => a - b);
  return trips[Math.floor(trips.length / 2)] ?? 0;
}
