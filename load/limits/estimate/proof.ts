/** What must have been seen of a class before it is named: else another limiter may look the same. */

import type { Posterior, Alternative } from './posterior.ts';
import { isBeyondBucket } from './beyond-bucket.ts';
import { runsOf } from './coincidence.ts';
import { roundsOf } from '../models/concurrency.ts';
import type { Candidate, LimiterClass } from '../models/index.ts';
import { isAside, isUsual, type PointMass } from '../models/usual.ts';
import { isTelling } from './telling.ts';
import type { ProbeEvent } from '../transcript.ts';

/** How often a burst must be cut, and the next one pass, before concurrency is believed. */
export const CROWDED_ROUNDS = 4;
/** A candidate that the service's word speaks against once is below this. */
const UNDOUBTED = 0.5;
/**
 * How often the limit must be used up, once more where the time is no usual one, since limiters of other classes
 * that look alike have such times; and the part of it that is as good as all.
 */
const RUNS = 2;
const WHOLE_RUN = 0.8;
/** Up to this limit a run must be whole, and up to that one it must come back once more. */
const FEW = 10;
const VERY_FEW = 3;
/** How often all must be told to be there again, of waits that start anew. */
const RENEWALS = 2;
/** Longer runs need a boundary of the windows within the burst: a coincidence, that speaks against it. */
const MAX_RUN = 1.5;
/**
 * A counter that counts rejections explains long silences by them, so it must be seen how it opens: so often
 * within this part of its window.
 */
const COUNTING = 'sliding-counter-counting-rejects';
const OPENINGS = 2;
const SEEN_TO_OPEN = 0.25;
/** A window that nobody would choose must be seen closed so often, each time for this part of it. */
export const CLOSED_TIMES = 2;
const CLOSED_PART = 0.2;
/** Classes that explain most of what others do, as the phase of their windows is free as well. */
const COUNTERS: ReadonlySet<LimiterClass> = new Set([
  'sliding-counter',
  'sliding-counter-counting-rejects',
]);
/** Of whole seconds up to this many one or the other is near any time, ms. */
const FEW_SECONDS_MS = 10_000;
/** Classes whose time is that of a refill or of a block, not of a window that the limit is counted in. */
const BY_TOKENS: ReadonlySet<LimiterClass> = new Set([
  'token-bucket',
  'interval-refill',
  'penalty',
]);
/** Classes that are seen to wait for their time again and again, each time they reject. */
const PERIODS: ReadonlySet<LimiterClass> = new Set(['interval-refill', 'penalty']);
/**
 * How much a class must tell, as a logarithm to base 10, whose time nobody would choose: windows of steps, and
 * a window with another one for bursts, look like a log or like refills of such a time.
 */
const ODD_TOLD = 10;
/** Classes that are closed for a window. */
const WINDOWS: ReadonlySet<LimiterClass> = new Set(['fixed-window', 'clock-window', 'sliding-log']);
/** Classes in which all comes back at once. */
export const AT_ONCE: ReadonlySet<LimiterClass> = new Set(['fixed-window', 'clock-window']);

/** Whether a class was seen to do what is its own, and its explanation is worth more than what it leaves open. */
export function isProven(posterior: Posterior, name: LimiterClass): boolean {
  const top = topOf(posterior, name);
  if (top === undefined) return false;
  const isOdd = name !== 'concurrency' && !isLikely(top, usualTimes(top));
  return isTelling(posterior, isOdd ? ODD_TOLD : undefined) && didItsOwn(posterior, name);
}

function topOf({ alternatives }: Posterior, name: LimiterClass): Alternative | undefined {
  const all = alternatives.filter(({ candidate }) => candidate.class === name);
  return all.sort((a, b) => b.probability - a.probability)[0];
}

/** Usual times that it may have, but for those at one end of what is left. */
function usualTimes({ pointMasses, candidate }: Alternative): PointMass[] {
  return pointMasses.filter(({ ms }) => !isAside(ms, candidate.timeMs));
}

/**
 * Whether a class was seen to do what is its own: requests at once that are cut again and again,
 * refills that add up, a whole limit that comes back at the end of a window although it was used up
 * late in it. A bucket behind a window does everything else that a window does.
 */
export function didItsOwn(posterior: Posterior, name: LimiterClass): boolean {
  const top = topOf(posterior, name);
  if (top === undefined) return false;
  const { events } = posterior.transcript;
  if (name === 'concurrency') return roundsOf(events) >= CROWDED_ROUNDS;
  const { limit, likelihood = 1 } = top.candidate;
  // What the service says of itself, and says truly all along, tells what another burst would.
  const isReported = posterior.reportsHold && likelihood > UNDOUBTED && isRestored(events, top);
  const likely = usualTimes(top);
  const usual = isLikely(top, likely);
  // A longer fixed window looks the same except for what the service says is left.
  const isDoubted = posterior.reportsHold && likelihood <= UNDOUBTED;
  if (name === 'restart-on-reject' && isDoubted) return false;
  if (!isReported && name === COUNTING && limit.hi > 1 && !isSeenToOpen(events, top)) return false;
  const few = likely.filter(({ ms }) => isUsual(ms) || ms <= FEW_SECONDS_MS);
  const isOdd = !isLikely(top, few) && (!PERIODS.has(name) || limit.hi <= FEW);
  const free = COUNTERS.has(name) ? 1 : 0;
  const more = isOdd ? 1 + free + accidentsOf(events, top.candidate) : 0;
  if (!isReported && !isRepeated(events, top, RUNS + more)) return false;
  if (name === 'interval-refill') {
    const isOften = partialRuns(events, limit.hi) >= partialRunsNeeded(usual);
    return top.candidate.accumulated === true && isOften;
  }
  if (isReported || !WINDOWS.has(name)) return true;
  const isChosen = usual && likely.some(({ ms }) => isUsual(ms));
  if (!isChosen && !isSeenAsItIs(events, top.candidate)) return false;
  return !AT_ONCE.has(name) || limit.hi === 1 || isBeyondBucket(events, top.candidate);
}

/** Whether the time is more likely one of these than any other. */
function isLikely({ probability }: Alternative, times: readonly PointMass[]): boolean {
  return times.reduce((sum, one) => sum + one.probability, 0) > probability / 2;
}

/** Whether a window that nobody would choose was seen closed often enough, and open after that. */
function isSeenAsItIs(events: readonly ProbeEvent[], { timeMs }: Candidate): boolean {
  return isBack(events) && timesClosed(events, timeMs.lo) >= CLOSED_TIMES;
}

/** Whether what came last was admitted. */
function isBack(events: readonly ProbeEvent[]): boolean {
  return events.findLast(({ outcome }) => outcome !== 'failed')?.outcome === 'admitted';
}

/**
 * How often a request was rejected when a good part of a window had passed since the last one that was admitted.
 * Another limit may have kept a shorter window closed once, and the window looks as long as that.
 */
export function timesClosed(events: readonly ProbeEvent[], windowMs: number): number {
  let closed = 0;
  let admittedMs = Infinity;
  let isSeen = false;
  for (const { outcome, sentMs, receivedMs } of events) {
    if (outcome === 'admitted') [admittedMs, isSeen] = [receivedMs, false];
    else if (outcome === 'rejected' && !isSeen && sentMs - admittedMs >= CLOSED_PART * windowMs) {
      closed += 1;
      isSeen = true;
    }
  }
  return closed;
}

/**
 * Whether the service said after the first rejection how much is there again, all where all is due;
 * twice where a longer window looks the same the first time.
 */
function isRestored(events: readonly ProbeEvent[], { candidate }: Alternative): boolean {
  const first = events.findIndex(({ outcome }) => outcome === 'rejected');
  const reported = events
    .slice(first)
    .flatMap(({ outcome, report }) => (outcome === 'admitted' ? (report?.remaining ?? []) : []));
  const full = reported.filter((left) => left === candidate.limit.hi - 1).length;
  if (candidate.class === 'restart-on-reject') return full >= RENEWALS;
  return AT_ONCE.has(candidate.class) ? full > 0 : reported.length > 0;
}

/**
 * Whether the limit was used up so often, all of it each time, and something came back after the last:
 * a limiter that is none of the classes seldom repeats what one of them would do.
 */
function isRepeated(
  events: readonly ProbeEvent[],
  { candidate }: Alternative,
  least: number,
): boolean {
  const limit = candidate.limit.hi;
  const whole = limit <= FEW ? limit : WHOLE_RUN * limit;
  const enough = limit <= VERY_FEW ? least + 1 : least;
  const isWindow = !BY_TOKENS.has(candidate.class);
  const all = runsOf(events, candidate.class, limit, candidate.timeMs.lo);
  let runs = 0;
  let unlikely = 0;
  return all.some(({ admitted, lately, isAccident }, at) => {
    const used = isWindow ? lately : admitted;
    const isLikely = !isAccident && used <= MAX_RUN * limit + 1;
    if (used >= whole && isLikely) runs += 1;
    // The end of a window falls into a burst now and then.
    if (used >= whole && !isLikely && ++unlikely > (isWindow ? 1 : 0)) runs -= 1;
    return runs >= enough && (isBack(events) || at < all.length - 1);
  });
}

/** Runs over the end of a window: with an unusual time they are more likely those of something else. */
function accidentsOf(
  events: readonly ProbeEvent[],
  { class: name, limit, timeMs }: Candidate,
): number {
  return runsOf(events, name, limit.hi, timeMs.lo).filter(({ isAccident }) => isAccident).length;
}

/** How often a refill must be used up by itself: once more where its interval is no usual one. */
export function partialRunsNeeded(isUsualTime: boolean): number {
  return isUsualTime ? RUNS : RUNS + 1;
}

/** Whether something was admitted soon after a rejection, time and again: not only after a long wait. */
function isSeenToOpen(events: readonly ProbeEvent[], { candidate }: Alternative): boolean {
  const mostMs = SEEN_TO_OPEN * candidate.timeMs.lo;
  const opening = events.filter(({ outcome, receivedMs, burst }, at) => {
    const before = events[at - 1];
    const isAfter =
      before?.outcome === 'rejected' && (burst === undefined || burst !== before.burst);
    return outcome === 'admitted' && isAfter && receivedMs - before.sentMs <= mostMs;
  });
  return opening.length >= OPENINGS;
}

/**
 * How often, after the first rejection, a part of the limit was used up to the last of it: one such run
 * tells what a refill brings, and the next one whether it does so again.
 */
export function partialRuns(events: readonly ProbeEvent[], limit: number): number {
  const first = events.findIndex(({ outcome }) => outcome === 'rejected');
  let run = 0;
  let runs = 0;
  for (const { outcome } of events.slice(first + 1)) {
    if (outcome === 'admitted') run += 1;
    else if (outcome === 'rejected') {
      if (run > 0 && run < Math.max(WHOLE_RUN * limit, 2)) runs += 1;
      run = 0;
    }
  }
  return first < 0 ? 0 : runs;
}
