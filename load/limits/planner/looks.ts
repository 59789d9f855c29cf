/** What is asked for a reason of its own, before requests are weighed by what they tell. */

import type { ClassEstimate } from '../estimate/estimate.ts';
import { roundsOf, sparedOf } from '../models/concurrency.ts';
import { CROWDED_ROUNDS } from '../estimate/proof.ts';
import type { ProbeEvent } from '../transcript.ts';

/** The longest pause between bursts that look for a limit on requests at once, ms. */
const MAX_PAUSE_MS = 3000;
/**
 * The wait after which the end of a burst shows what refilled meanwhile is longer than it by this
 * factor.
 */
const LONGER = 1.1;
/** A request that was to be so late may be sent a little early: timers are coarse. */
const LATE_ENOUGH = 0.9;
/** Bursts that are cut at most where it is not clear how many fit. */
const BLURRED_ROUNDS = 7;
/** So many bursts of ever more than the limit, all of which pass, are enough. */
const MAX_PASSING = 3;
/** This many bursts follow each other without a pause. */
const IN_A_ROW = 6;
/** The part of an announced wait after which one is asked that is to be rejected. */
const WITHIN = 0.8;

/**
 * When to ask once more after the first rejection, which says little of a limiter that refills within
 * a round trip or within the burst: at once, and when as much time has passed as the burst took. Null
 * when both are done.
 */
export function soonAfterBurst(events: readonly ProbeEvent[]): number | null {
  const at = events.findLastIndex(({ outcome }) => outcome === 'admitted');
  const [first, last] = [events[0], events[at]];
  if (first === undefined || last === undefined || hasRecovered(events)) return null;
  const late = events.slice(at + 1);
  if (late.every(({ burst }) => burst === last.burst)) return last.receivedMs;
  const tookMs = last.receivedMs - first.sentMs;
  // Within the wait that is announced: a block of its own would hardly end when a window does.
  const announced = late.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  const dueMs = Math.min(LONGER * tookMs, ...announced.map(withinMs));
  const isDone = late.some(({ sentMs }) => sentMs >= last.receivedMs + LATE_ENOUGH * dueMs);
  return isDone ? null : last.receivedMs + dueMs;
}

/** A moment that is within an announced wait even where whole seconds were rounded up, ms after it began. */
function withinMs(seconds: number): number {
  const least = Number.isInteger(seconds) ? Math.max(seconds - 1, seconds / 4) : seconds;
  return WITHIN * 1000 * least;
}

/**
 * Whether to ask at once again: after the first request that was admitted after the first rejections, and once more
 * where that was rejected. Processes that share no memory reject only what reaches the one that is used up.
 */
export function justRecovered(events: readonly ProbeEvent[], limit: number): boolean {
  const first = events.findIndex(({ outcome }) => outcome === 'rejected');
  const again = events.findIndex(({ outcome }, at) => at > first && outcome === 'admitted');
  if (first < 0 || again < 0) return false;
  const [next, ...others] = events.slice(again + 1);
  // With one at a time nothing else is to be expected.
  const isOdd = limit > 1 && next?.outcome === 'rejected' && others.length === 0;
  return next === undefined || isOdd;
}

/** Whether anything was admitted since the first rejection. */
export function hasRecovered(events: readonly ProbeEvent[]): boolean {
  const at = events.findIndex(({ outcome }) => outcome === 'rejected');
  return at >= 0 && events.slice(at).some(({ outcome }) => outcome === 'admitted');
}

/**
 * Whether it is still open, and not beyond all patience, that only requests at once are counted, or how
 * many. Patience is longer where requests that are done early blur the limit.
 */
export function mayBeCrowded(
  events: readonly ProbeEvent[],
  { lo, hi }: Pick<ClassEstimate['limit'], 'lo' | 'hi'>,
): boolean {
  const lastCut = events.findLastIndex(({ outcome }) => outcome === 'rejected');
  if (sparedOf(events.slice(Math.max(0, lastCut)), hi).length >= MAX_PASSING) return false;
  const all = events.filter(({ outcome }) => outcome === 'rejected').map(({ burst }) => burst);
  const cuts = new Set(all).size;
  if (lo < hi && cuts > CROWDED_ROUNDS) return cuts <= BLURRED_ROUNDS;
  return roundsOf(events) <= CROWDED_ROUNDS && cuts <= CROWDED_ROUNDS + 2;
}

/**
 * Whether as many as fit are to follow each other once more without a pause: a window that is hardly
 * longer than a request takes would not let them in again and again.
 */
export function mayBeShortWindow(events: readonly ProbeEvent[], limit: number): boolean {
  const last = events.at(-1);
  if (last?.burst === undefined || roundsOf(events) < CROWDED_ROUNDS) return false;
  const lastCut = events.findLastIndex(({ outcome }) => outcome !== 'admitted');
  const since = new Map<number, number>();
  for (const { burst = -1 } of events.slice(lastCut + 1)) {
    since.set(burst, (since.get(burst) ?? 0) + 1);
  }
  const isCut = events[lastCut]?.burst === last.burst;
  return !isCut && [...since.values()].filter((count) => count >= limit).length < IN_A_ROW;
}

/**
 * The burst that tells whether requests at once are counted: one too many after a pause, by which any
 * bucket has filled, then as many as fit right after it, when a bucket would be empty.
 */
export function crowdedBurst(
  events: readonly ProbeEvent[],
  limit: number,
  classes: readonly ClassEstimate[],
): { readonly concurrent: number; readonly pauseMs: number } {
  const last = events.at(-1);
  const isCut = events.some(
    ({ burst, outcome }) => burst === last?.burst && outcome === 'rejected',
  );
  if (isCut) return { concurrent: limit, pauseMs: 0 };
  const seconds = classes.flatMap(({ windowSeconds }) => windowSeconds?.hi ?? []);
  const pauseMs = Math.min(MAX_PAUSE_MS, 1000 * LONGER * Math.max(0, ...seconds));
  // One that was done before the last came is no proof: so more of them, each time that all pass.
  const lastCut = events.findLastIndex(({ outcome }) => outcome === 'rejected');
  const more = 2 ** sparedOf(events.slice(lastCut), limit).length;
  return { concurrent: limit + more, pauseMs };
}

/** A bucket gives more than its size when this part of a token, or more, comes within a round trip. */
const QUICK_PART = 0.3;

/**
 * The burst that tells the size of a bucket which refills while it is used up one by one: as many at
 * once as it may hold and one more, when it is full again. Null where another burst does as well.
 */
export function burstAtOnce(
  best: ClassEstimate,
  slowMs: number,
  mostAtOnce: number,
): { readonly concurrent: number; readonly pauseMs: number } | null {
  const { limit, windowSeconds, refillPerSecond } = best;
  if (best.class !== 'token-bucket' || windowSeconds === undefined || limit.lo >= mostAtOnce)
    return null;
  const isQuick = ((refillPerSecond?.hi ?? 0) * slowMs) / 1000 >= QUICK_PART;
  if (!isQuick || limit.lo === limit.hi) return null;
  const pauseMs = Math.min(MAX_PAUSE_MS, 1000 * LONGER * limit.hi * windowSeconds.hi);
  return { concurrent: Math.min(limit.hi + 1, mostAtOnce), pauseMs };
}
