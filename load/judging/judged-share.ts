/** Which answers are judged: all of them, until judging would break the schedule, and then a share. */

import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** Looks at the pressure are this far apart. */
const LOOKED_EVERY_MS = 250;
/** A run whose event loop is used for more than 0.8 of the time is invalid: judging gives way before. */
const TOO_MUCH = 0.7;
const SPARE = 0.5;
const DOWN = 0.6;
const UP = 1.25;
/** Some are judged whatever the pressure is. */
const MIN_SHARE = 0.01;

/**
 * The share to judge at a moment; moments need not come in order.
 *
 * @param most from 0 to 1: more is not judged, however little there is to do
 * @param pressure from 0, when it is asked; 1 is more than can be done
 */
export function judgedShare(most: number, pressure: () => number): (nowMs: number) => number {
  let share = most;
  let nextLookMs = -Infinity;
  return (nowMs) => {
    if (nowMs < nextLookMs) return share;
    const now = pressure();
    // What came before the first answer was no judging.
    if (nextLookMs > -Infinity) {
      if (now > TOO_MUCH) share = Math.max(most * MIN_SHARE, share * DOWN);
      else if (now < SPARE) share = Math.min(most, share * UP);
    }
    nextLookMs = nowMs + LOOKED_EVERY_MS;
    return share;
  };
}

/**
 * A number from 0 to 1 for an exchange, by its id alone: the same id is chosen in every run, and who
 * is chosen at a share is chosen at every larger one.
 */
export function luckOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  }
  // Ids count up, and FNV alone leaves neighbours near each other.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x100000000;
}

/**
 * Measures which share of the time this thread's event loop was busy since it was last asked, from 0 to
 * 1; the first time, since it was made.
 */
export function utilizationMeter(): () => number {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
