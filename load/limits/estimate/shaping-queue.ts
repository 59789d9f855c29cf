/** Queues that let requests pass at a rate, run over a transcript. */

import { burstsOf } from './bursts.ts';
import type { ProbeEvent } from '../transcript.ts';

/** How requests pass. */
export interface Passing {
  /** Requests that pass at once when nothing is waiting. */
  readonly free: number;
  /** How far apart those are that pass together, ms. */
  readonly stepMs: number;
  readonly together: number;
  /** How many of the free ones are used up before the first request; none when absent. */
  readonly used?: number;
}

/** When a request is due, and how many are held back with it; one that is rejected counts itself. */
export interface Due {
  readonly delayMs: number;
  readonly queue: number;
}

/** A request, and when it reaches the queue at the earliest. */
interface Arrival {
  readonly event: ProbeEvent;
  readonly atMs: number;
}

/**
 * Requests as they reach a queue: bursts in the order of sending, and those of one as they came out, since each
 * has a connection of its own and may overtake others.
 */
function inOrder(events: readonly ProbeEvent[]): readonly Arrival[] {
  const rank = (event: ProbeEvent): number => (event.outcome === 'rejected' ? 1 : 0);
  let lastMs = -Infinity;
  return burstsOf(events)
    .flatMap((burst) => burst.sort((a, b) => rank(a) - rank(b) || a.receivedMs - b.receivedMs))
    .map((event) => {
      lastMs = Math.max(lastMs, event.sentMs);
      return { event, atMs: lastMs };
    });
}

/**
 * A queue out of which one request passes each step. What was let in drains by one each step as well;
 * whatever is beyond the free part waits for as many steps. Rejections leave it as it is.
 */
export function evenQueue(
  events: readonly ProbeEvent[],
  { free, stepMs, used = 0 }: Passing,
): ReadonlyMap<ProbeEvent, Due> {
  const due = new Map<ProbeEvent, Due>();
  let level = used;
  let lastMs: number | null = null;
  for (const { event, atMs } of inOrder(events)) {
    level = Math.max(0, level - (atMs - (lastMs ?? atMs)) / stepMs);
    lastMs = atMs;
    const queue = level + 1 - free;
    const delayMs = queue > 0 ? queue * stepMs + atMs - event.sentMs : 0;
    due.set(event, { delayMs, queue });
    if (event.outcome !== 'rejected') level += 1;
  }
  return due;
}

/**
 * A queue out of which so many pass in each window. A window opens with the first request after the
 * last one ended, or right after it while requests are waiting.
 */
export function windowQueue(
  events: readonly ProbeEvent[],
  { stepMs, together }: Passing,
): ReadonlyMap<ProbeEvent, Due> {
  const due = new Map<ProbeEvent, Due>();
  let [opensMs, endMs, left] = [-Infinity, -Infinity, 0];
  for (const { event, atMs } of inOrder(events)) {
    const passMs = Math.max(atMs, opensMs);
    if (passMs >= endMs) [opensMs, endMs, left] = [passMs, passMs + stepMs, together];
    const isFull = left === 0;
    const startMs = isFull ? endMs : passMs;
    const waiting = Math.ceil(Math.max(0, startMs - atMs) / stepMs - 1e-9);
    const used = isFull ? 1 : together - left + 1;
    const delayMs = startMs > atMs ? startMs - event.sentMs : 0;
    due.set(event, { delayMs, queue: waiting === 0 ? 0 : (waiting - 1) * together + used });
    if (event.outcome === 'rejected') continue;
    if (isFull) [opensMs, endMs, left] = [startMs, startMs + stepMs, together];
    left -= 1;
  }
  return due;
}
