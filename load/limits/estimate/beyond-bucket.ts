/** What a window admits and a bucket of its size and time cannot. */

import type { Candidate } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';

/** What must be admitted beyond the tokens of a bucket: so many, and so large a part of the limit. */
const BEYOND = 1;
const PART_BEYOND = 0.1;
/** Of a small limit, the first request opens the window: no more than this part of the others. */
const MAX_BEYOND = 0.6;

/**
 * Whether more was admitted than a bucket of the same size, filling in the same time, has tokens for:
 * from some request to a later one, even if it was full before and they took as long as they can have.
 */
export function isBeyondBucket(events: readonly ProbeEvent[], candidate: Candidate): boolean {
  return beyondBucket(events, candidate).isSeen;
}

/**
 * How many must be admitted at once, at a time, to be more than a bucket of the same size has tokens for,
 * whatever came before.
 */
export function missingBeyond(
  events: readonly ProbeEvent[],
  candidate: Candidate,
  atMs: number,
): number {
  const { limit, timeMs } = candidate;
  const { count, least } = beyondBucket(events, candidate);
  const used = count - (limit.hi * atMs) / timeMs.lo - least;
  return Math.max(1, Math.floor(limit.hi + beyondOf(limit.hi) - used) + 1);
}

interface BeyondBucket {
  readonly isSeen: boolean;
  readonly count: number;
  /** Tokens that were used less those that fell, at the request from which it is counted. */
  readonly least: number;
}

function beyondBucket(
  events: readonly ProbeEvent[],
  { limit, timeMs }: Pick<Candidate, 'limit' | 'timeMs'>,
): BeyondBucket {
  const beyond = beyondOf(limit.hi);
  let count = 0;
  let least = Infinity;
  let isSeen = false;
  for (const { outcome, sentMs, receivedMs } of events) {
    if (outcome === 'rejected') continue;
    least = Math.min(least, count - (limit.hi * sentMs) / timeMs.lo);
    count += 1;
    const used = count - (limit.hi * receivedMs) / timeMs.lo - least;
    isSeen ||= used > limit.hi + beyond;
  }
  return { isSeen, count, least };
}

function beyondOf(limit: number): number {
  return Math.min(BEYOND + PART_BEYOND * limit, MAX_BEYOND * (limit - 1));
}
