/** A client that keeps below what was found: if it is rejected, something else limits it as well. */

import type { ClassEstimate } from '../estimate/estimate.ts';
import type { Ahead } from '../models/ahead.ts';
import type { ProbeEvent } from '../transcript.ts';
import type { Step } from './experiment.ts';

/** It sends this many requests: those of one window and a little more, within these bounds where no more tell more. */
const PART_MORE = 1.1;
const LEAST = 8;
const MOST = 30;
/** How much longer the window of a penalty is taken for than the shortest that is left of it. */
const PENALTY_TIMES = 2;
/** Of a limit of one or two so many would take as many windows: fewer, this many times one more than it. */
const FEW = 2;
/** And takes so much longer for each of them than would be allowed. */
const SLOWER = 1.1;
/** One that is so much quicker must get through as well, where it begins before all is there again. */
const QUICKER = 0.95;
/**
 * What was admitted already makes up for it when it is as much as of so many of them, in so much more
 * time: a wider limit that lets through less than half of this one is met as well then.
 */
const TIMES = 2;
const LONGER = 2;

/**
 * The single requests of such a client; none for a class that no such client meets. It begins as soon
 * as it gets through by all that is known, and at the latest when as much is there as there ever is.
 *
 * @param ahead the limiter from now on; absent where it is not known
 */
export function pacedSteps(found: ClassEstimate, nowMs: number, ahead?: Ahead): Step[] {
  const spacingMs = spacingOf(found);
  if (spacingMs === null) return [];
  const steps = (fromMs: number, everyMs: number): Step[] =>
    Array.from({ length: countOf(found) }, (_, index) => ({
      atMs: fromMs + index * everyMs,
      count: 1,
    }));
  const changes = [...(ahead?.changes(nowMs) ?? [])].sort((a, b) => a - b);
  const fullMs = Math.max(nowMs, ...changes);
  const passes = (all: readonly Step[]): boolean => {
    const copy = ahead?.copy();
    return all.every(({ atMs, count }) => copy?.take(atMs, count) === count);
  };
  const fromMs = [nowMs + spacingMs, ...changes.filter((atMs) => atMs > nowMs + spacingMs)].find(
    (atMs) => passes(steps(atMs, spacingMs)) && passes(steps(atMs, QUICKER * spacingMs)),
  );
  return steps(fromMs ?? fullMs, spacingMs);
}

/**
 * Whether more was admitted already than if such a client had begun when all was there again that was
 * used up before, and had done it twice, not much slower: then it would tell nothing new of a wider
 * limit. Never of a penalty, whose window such a client learns. Where a rejection restarts the window,
 * more than the limit must have come one soon after another: some services restart it with each request.
 */
export function wasAsPaced(found: ClassEstimate, events: readonly ProbeEvent[]): boolean {
  if (found.class === 'restart-on-reject') return hasOutlasted(found, events);
  const spacingMs = spacingOf(found);
  if (spacingMs === null || found.class === 'penalty') return false;
  const more = TIMES * countOf(found);
  const withinMs = LONGER * (1000 * (found.windowSeconds?.value ?? 0) + more * spacingMs);
  const admitted = events.filter(({ outcome }) => outcome === 'admitted');
  return admitted.some((first, at) => {
    const last = admitted[at + found.limit.value + more - 1];
    return last !== undefined && last.receivedMs - first.sentMs <= withinMs;
  });
}

/** Whether more than the limit was admitted in a row, each within a window of the one before. */
function hasOutlasted(
  { limit, windowSeconds }: ClassEstimate,
  events: readonly ProbeEvent[],
): boolean {
  const windowMs = 1000 * (windowSeconds?.lo ?? 0);
  let [count, lastMs] = [0, -Infinity];
  return events.some(({ outcome, sentMs, receivedMs }) => {
    const goesOn = outcome === 'admitted' && receivedMs - lastMs < windowMs;
    count = outcome !== 'admitted' ? 0 : goesOn ? count + 1 : 1;
    lastMs = sentMs;
    return count > limit.value;
  });
}

/** The time between two of its requests, ms; null where no such client meets the limit. */
function spacingOf({ class: name, windowSeconds, limit }: ClassEstimate): number | null {
  if (name === 'concurrency' || windowSeconds === undefined) return null;
  // The window of a penalty is hardly ever known: a client that is too fast for it learns it, by twice.
  const { lo, hi } = windowSeconds;
  const seconds = name === 'penalty' ? Math.min(hi, PENALTY_TIMES * lo) : hi;
  return (SLOWER * 1000 * seconds) / limit.value;
}

function countOf({ class: name, limit }: ClassEstimate): number {
  const least = Math.min(LEAST, FEW * (1 + limit.value));
  const most = name === 'restart-on-reject' ? Infinity : MOST;
  return Math.max(least, Math.ceil(PART_MORE * Math.min(limit.value, most)));
}
