/** The values that are to be reported, run over the whole transcript before they are reported. */

import type { ClassEstimate, Parameter } from './class-estimate.ts';
import type { Interval } from '../models/index.ts';
import { aloneAmong, beyondCount, outsideBucket, outsideLog } from './replay-bounds.ts';
import {
  block,
  clockTokens,
  clockWindows,
  firstMisfit,
  NOTHING_YET,
  openingWindow,
  phasesOf,
} from './replay-windows.ts';
import type { ProbeEvent } from '../transcript.ts';

/**
 * Times are reported no more closely than this, as a part of them, nor measured more closely than this
 * many ms.
 */
const CLOSE = 0.01;
const CLOCK_MS = 2;
/** A window on a clock of whole seconds is up to this much shorter than they are. */
const SECOND_MS = 1000;
const MIN_SECONDS = 2;
/** A bucket of whole tokens loses less than half of the time in which they come. */
const LOST = 2;

/**
 * The first event that a limiter of the reported values does not explain, as its place in the transcript;
 * null where it explains all. When a request was decided is free from its sending to its answer, and a
 * time may be any within its interval.
 *
 * @param events in the order of sending, by bursts
 */
export function unexplainedBy(found: ClassEstimate, events: readonly ProbeEvent[]): number | null {
  const misfits = replaysOf(found).map((replay) => replay(events));
  return misfits.length === 0 || misfits.includes(-1) ? null : Math.max(...misfits);
}

/** Answers the place of the first event that is not explained; -1 where all are. */
type Replay = (events: readonly ProbeEvent[]) => number;

/** The limiters that are reported by these values: any of them may explain the transcript. */
function replaysOf(found: ClassEstimate): Replay[] {
  const { class: name, windowSeconds, intervalSeconds, penaltySeconds } = found;
  const limit = found.limit.value;
  if (name === 'concurrency') return [(events) => aloneAmong(events, limit)];
  if (windowSeconds === undefined) return [];
  const windowMs = msOf(windowSeconds);
  switch (name) {
    case 'fixed-window':
      return [windowMs, ...wholeSeconds(windowSeconds)].map(
        (ms) => (events) => firstMisfit(events, [NOTHING_YET], openingWindow(limit, ms, false)),
      );
    case 'restart-on-reject':
      return [(events) => firstMisfit(events, [NOTHING_YET], openingWindow(limit, windowMs, true))];
    case 'clock-window':
    case 'sliding-counter':
    case 'sliding-counter-counting-rejects': {
      const step = clockWindows({
        limit,
        windowMs,
        weighsBefore: name !== 'clock-window',
        countsRejects: name === 'sliding-counter-counting-rejects',
      });
      return [(events) => firstMisfit(events, phasesOf(events, windowMs), step)];
    }
    case 'sliding-log':
    case 'sliding-log-counting-rejects': {
      const countsRejects = name === 'sliding-log-counting-rejects';
      return [(events) => outsideLog(events, { limit, windowMs, countsRejects })];
    }
    case 'token-bucket': {
      const everyMs = { lo: windowMs.lo / limit, hi: windowMs.hi / limit };
      const slow = { lo: everyMs.lo, hi: everyMs.hi * LOST };
      const evenly = [everyMs, slow].map(
        (ms): Replay =>
          (events) =>
            outsideBucket(events, { limit, refill: 1, everyMs: ms, inSteps: false }),
      );
      // One token each time that a clock ticks differs only in a phase, and is reported as this as well.
      const step = clockTokens(limit, everyMs);
      return [...evenly, (events) => firstMisfit(events, phasesOf(events, everyMs, limit), step)];
    }
    case 'interval-refill': {
      const refill = found.refill?.value ?? 1;
      const everyMs = msOf(intervalSeconds ?? windowSeconds);
      return [(events) => outsideBucket(events, { limit, refill, everyMs, inSteps: true })];
    }
    case 'penalty': {
      // Two windows in a row, each used up, are the most in a shorter time; a block ends them both.
      const most = 2 * limit;
      const step = block(limit, msOf(penaltySeconds ?? windowSeconds));
      return [
        (events) => {
          const beyond = beyondCount(events, most, windowMs.lo);
          return beyond >= 0 ? beyond : firstMisfit(events, [NOTHING_YET], step);
        },
      ];
    }
  }
}

/** A time with what it may be off by, ms. */
function msOf({ value, lo, hi }: Parameter): Interval {
  return {
    lo: 1000 * Math.min(lo, value) * (1 - CLOSE) - CLOCK_MS,
    hi: 1000 * Math.max(hi, value) * (1 + CLOSE) + CLOCK_MS,
  };
}

/** A window that is counted in whole seconds, where it may be one. */
function wholeSeconds({ value, lo, hi }: Parameter): Interval[] {
  const seconds = Math.round(value);
  const isWhole = seconds >= MIN_SECONDS && seconds >= lo - 0.01 && seconds <= hi + 0.01;
  return isWhole
    ? [{ lo: seconds * 1000 - SECOND_MS - CLOCK_MS, hi: seconds * 1000 + CLOCK_MS }]
    : [];
}
