/** Explanations that need accidents: what one of them does by chance, another limiter does by rule. */

import type { ClassEstimate } from './class-estimate.ts';
import type { LimiterClass } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';

/** More than the limit within this part of a window: its end must have come within a short burst. */
const SHORT = 0.05;
/** So many accidents are no chance any more where they are more than the runs that need none. */
const MIN_ACCIDENTS = 2;
/** The part of the limit that is as good as all. */
export const WHOLE_RUN = 0.8;
/** Classes in which nothing is there again before a time is over: all at the end of a window, or a token. */
const AT_ONCE: ReadonlySet<LimiterClass> = new Set([
  'fixed-window',
  'clock-window',
  'restart-on-reject',
  'token-bucket',
]);

/** A run of admissions that a rejection ended. */
export interface Run {
  readonly admitted: number;
  /** How many of them came in the last window of it: a run may go on over several. */
  readonly lately: number;
  /** Whether more than the limit were admitted in a small part of the window: two windows met in it. */
  readonly isAccident: boolean;
}

/**
 * The runs of admissions between rejections. A window whose end falls into a burst lets in more than its
 * limit, which is as unlikely as the burst is short.
 *
 * @param windowMs the window, of a bucket the time of a token, or 0 where it is not known
 */
export function runsOf(
  events: readonly ProbeEvent[],
  name: LimiterClass,
  limit: number,
  windowMs: number,
): Run[] {
  const runs: Run[] = [];
  let run: ProbeEvent[] = [];
  for (const event of events) {
    if (event.outcome === 'admitted') run.push(event);
    else if (event.outcome === 'rejected' && run.length > 0) {
      const isAccident = AT_ONCE.has(name) && tookMs(run, limit + 1) <= SHORT * windowMs;
      const fromMs = (run.at(-1)?.sentMs ?? 0) - (windowMs > 0 ? windowMs : Infinity);
      const lately = run.filter(({ receivedMs }) => receivedMs >= fromMs).length;
      runs.push({ admitted: run.length, lately, isAccident });
      run = [];
    }
  }
  return runs;
}

/**
 * Whether what was found explains its runs mostly by accidents: then something else is there. Never where
 * its window is not known.
 */
export function isByAccident(found: ClassEstimate, events: readonly ProbeEvent[]): boolean {
  const runs = runsOfClass(found, events);
  const accidents = runs.filter((run) => run.isAccident).length;
  const others = runs.filter(
    (run) => !run.isAccident && run.admitted >= WHOLE_RUN * found.limit.value,
  ).length;
  return accidents >= MIN_ACCIDENTS && accidents > others;
}

/** Whether it explains one of its runs by an accident: another limit may have ended that run. */
export function hasAccident(found: ClassEstimate, events: readonly ProbeEvent[]): boolean {
  return runsOfClass(found, events).some(({ isAccident }) => isAccident);
}

function runsOfClass(
  { class: name, limit, windowSeconds }: ClassEstimate,
  events: readonly ProbeEvent[],
): Run[] {
  const tokens = name === 'token-bucket' ? limit.value : 1;
  return runsOf(events, name, limit.value, (1000 * (windowSeconds?.lo ?? 0)) / tokens);
}

/** The shortest time, at least, in which so many in a row were admitted, ms; Infinity where none were. */
function tookMs(run: readonly ProbeEvent[], count: number): number {
  let least = Infinity;
  for (const [at, { receivedMs }] of run.entries()) {
    const first = run[at - count + 1];
    if (first !== undefined) least = Math.min(least, receivedMs - first.sentMs);
  }
  return least;
}
