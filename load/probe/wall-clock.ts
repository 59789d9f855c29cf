/** The target's wall clock, by the `Date` of its answers. */

import { headerOf } from '../../contracts/wire/exchange.ts';
import { parseHttpDate } from '../../contracts/wire/http/http-date.ts';
import type { WallClock } from '../limits/index.ts';
import type { Reported } from './sender.ts';

/** Servers write a date anew when a second is over, some a little late. */
const LATE_MS = 100;
/** How far two readings of one machine's clock may be apart. */
const SAME_CLOCK_MS = 5;

/**
 * What all of the dates together allow: each is cut off to whole seconds, and was written somewhere
 * between sending and receipt, so that answers at many moments tell it closely. Undefined when there
 * is none, or when they contradict each other.
 */
export function wallClock(
  reported: readonly Pick<Reported, 'headers' | 'sentMs' | 'receivedMs'>[],
): WallClock | undefined {
  let [least, most] = [-Infinity, Infinity];
  for (const { headers, sentMs, receivedMs } of reported) {
    const date = parseHttpDate(headerOf(headers, 'date') ?? '', receivedMs);
    if (date === undefined) continue;
    least = Math.max(least, date - receivedMs);
    most = Math.min(most, date + 1000 + LATE_MS - sentMs);
  }
  if (!Number.isFinite(least) || least > most) return undefined;
  return { offsetMs: (least + most) / 2, uncertaintyMs: (most - least) / 2 };
}

/** The same for a target on this machine: its clock is ours, unless its dates say otherwise. */
export function localWallClock(reported: Parameters<typeof wallClock>[0]): WallClock | undefined {
  const byDate = wallClock(reported);
  const isOurs = byDate === undefined || Math.abs(byDate.offsetMs) <= byDate.uncertaintyMs;
  return isOurs ? { offsetMs: 0, uncertaintyMs: SAME_CLOCK_MS } : byDate;
}
