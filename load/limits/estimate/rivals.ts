/** What might have been named as well, had it been followed to the end. */

import type { ClassEstimate } from './class-estimate.ts';
import type { Posterior } from './posterior.ts';
import { unexplainedBy } from './replay.ts';
import type { LimiterClass } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';

/** Classes of which a limit and a window are all, and which leave no room for rounding. */
const WINDOWS: ReadonlySet<LimiterClass> = new Set(['fixed-window', 'clock-window', 'sliding-log']);
/** Limits that are tried, and how often as many were admitted in a row. */
const MAX_LIMITS = 3;
const TIMES = 2;

/**
 * Classes that explain the whole transcript although they were ruled out: of great limits there are more
 * explanations than are followed, and the true one may be dropped. Each is compared with the
 * transcript with the window that was found and with numbers that were admitted in a row again and again.
 *
 * @param found the class that is to be named
 */
export function rivalsOf(
  found: ClassEstimate,
  { lost, transcript }: Pick<Posterior, 'lost' | 'transcript'>,
): ClassEstimate[] {
  const { windowSeconds } = found;
  if (windowSeconds === undefined) return [];
  const limits = usualRuns(transcript.events);
  return [...lost]
    .filter((name) => name !== found.class && WINDOWS.has(name))
    .flatMap((name) => {
      const all = limits.map((limit): ClassEstimate => {
        return {
          ...{ class: name, probability: 0, windowSeconds },
          limit: { value: limit, lo: limit, hi: limit },
        };
      });
      const rival = all.find((one) => unexplainedBy(one, transcript.events) === null);
      return rival === undefined ? [] : [rival];
    });
}

/** How many were admitted in a row, where that happened more than once; the most frequent first. */
function usualRuns(events: readonly ProbeEvent[]): number[] {
  const often = new Map<number, number>();
  let run = 0;
  for (const { outcome } of events) {
    if (outcome === 'admitted') run += 1;
    else if (outcome === 'rejected') {
      if (run > 1) often.set(run, (often.get(run) ?? 0) + 1);
      run = 0;
    }
  }
  return [...often]
    .filter(([, times]) => times >= TIMES)
    .sort(([a, often], [b, times]) => times - often || b - a)
    .slice(0, MAX_LIMITS)
    .map(([limit]) => limit);
}
