/** Whether a service delays requests instead of rejecting them, and what to send to see how. */

import { fitOf, slowOnes, type Shaping } from './shaping-fit.ts';
import type { ProbeEvent } from '../transcript.ts';

export type { Shaping } from './shaping-fit.ts';

/** Requests that are sent at once to see whether their answers come one by one. */
const SHAPING_BURST = 3;
/**
 * Bursts of this kind before anything is concluded, and after which delays are not looked into any
 * more.
 */
const FEW_BURSTS = 2;
const MAX_BURSTS = 4;
/** How great those bursts are: the last one is to fill more than one window of most queues. */
const GROWING: readonly number[] = [1, 1, 2, 8];
/** How often looking into delays is begun, and how much longer the transcript is each time. */
const MAX_ROUNDS = 6;
const MORE_BEFORE_NEXT = 1.3;
/** Bursts of all sizes that look into it. */
const MAX_LOOKS = 9;
/** Answers in a row that must be slow before that is looked into, or so many of the last ones. */
const SLOW_IN_A_ROW = 2;
const SLOW_AMONG = 3;
const LAST_ONES = 50;
/** No answer is to be held back for longer than this, nor is longer waited for the queue to empty, ms. */
const MAX_HELD_MS = 8000;
const MAX_PAUSE_MS = 30_000;
/** Waits for the queue to empty last longer than they should by this factor. */
const LONGER = 1.1;

/**
 * `none`: nothing is delayed, or not by a queue · `suspected`: a burst of so many, after a pause, tells
 * more · `steady`: requests pass at a rate, and no more is to be learned of it.
 */
export type Shape =
  | { readonly kind: 'none' }
  | { readonly kind: 'suspected'; readonly concurrent: number; readonly pauseMs: number }
  | { readonly kind: 'steady'; readonly shaping: Shaping };

/**
 * How the answers so far are delayed.
 *
 * @param events all so far
 * @param mostAtOnce requests that may be under way at once
 */
export function shapeOf(events: readonly ProbeEvent[], mostAtOnce?: number): Shape {
  const slow = slowOnes(events);
  let start = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const from = firstSuspicion(slow, start);
    if (from < 0) return { kind: 'none' };
    const looks = looksSince(events, from);
    const last = looks[MAX_BURSTS - 1];
    if (last === undefined || fitUpTo(events, last.endsBefore) !== null) {
      return looked(events, looks, isSuspicious(slow), mostAtOnce ?? Infinity);
    }
    start = Math.ceil(MORE_BEFORE_NEXT * last.endsBefore);
  }
  return { kind: 'none' };
}

function looked(
  events: readonly ProbeEvent[],
  looks: readonly Burst[],
  isOpen: boolean,
  mostAtOnce: number,
): Shape {
  const shaping = fitOf(events);
  const look = (concurrent: number, pauseMs = 0): Shape => ({
    kind: 'suspected',
    concurrent: Math.min(concurrent, mostAtOnce),
    pauseMs,
  });
  if (shaping === null) {
    // A limiter that rejects is looked into by other means.
    const isRejecting = events.some(({ outcome }) => outcome === 'rejected');
    if (!isOpen || isRejecting || looks.length >= MAX_BURSTS) return { kind: 'none' };
    return look(SHAPING_BURST * (GROWING[looks.length] ?? 1));
  }
  if (looks.length < FEW_BURSTS) return look(SHAPING_BURST);
  return nextLook(events, shaping, looks, mostAtOnce) ?? { kind: 'steady', shaping };
}

/** What the transcript says in the end, without asking for more; null where nothing is shaped. */
export function shapingOf(events: readonly ProbeEvent[]): Shaping | null {
  const shape = shapeOf(events);
  if (shape.kind === 'steady') return shape.shaping;
  return shape.kind === 'suspected' ? fitOf(events) : null;
}

/** Ever more at once until some are rejected, then once more when the queue is empty. */
function nextLook(
  events: readonly ProbeEvent[],
  { free, perSecond, together, held, rejects }: Shaping,
  looks: readonly Burst[],
  mostAtOnce: number,
): Shape | null {
  if (looks.length >= MAX_LOOKS) return null;
  const patient = together + Math.floor((MAX_HELD_MS / 1000) * perSecond);
  const most = Math.min(mostAtOnce, Math.max(SHAPING_BURST, patient));
  const greatest = Math.max(...looks.map(({ count }) => count));
  if (!rejects && greatest < most) {
    return { kind: 'suspected', concurrent: Math.min(most, 2 * greatest), pauseMs: 0 };
  }
  const pauseMs = (LONGER * 1000 * (free + held + 1)) / perSecond;
  const whole = Math.min(mostAtOnce, free + Math.min(held + 1, patient));
  const isSeen = wasIdleFor(events, whole, (1000 * (free + 1)) / perSecond);
  if (isSeen || pauseMs > MAX_PAUSE_MS) return null;
  return { kind: 'suspected', concurrent: whole, pauseMs };
}

/** Whether a burst of so many came after such a pause. */
function wasIdleFor(events: readonly ProbeEvent[], size: number, pauseMs: number): boolean {
  let lastMs = -Infinity;
  for (const { sentMs, receivedMs, count } of burstsIn(events)) {
    if (count >= size && sentMs - lastMs >= pauseMs) return true;
    lastMs = receivedMs;
  }
  return false;
}

interface Burst {
  readonly sentMs: number;
  receivedMs: number;
  count: number;
  /** The place of the first event after it. */
  endsBefore: number;
}

function burstsIn(events: readonly ProbeEvent[]): readonly Burst[] {
  const bursts = new Map<number, Burst>();
  for (const [at, { burst = -1, sentMs, receivedMs }] of events.entries()) {
    const one = bursts.get(burst);
    if (one === undefined) bursts.set(burst, { sentMs, receivedMs, count: 1, endsBefore: at + 1 });
    else {
      one.count += 1;
      one.receivedMs = Math.max(one.receivedMs, receivedMs);
      one.endsBefore = at + 1;
    }
  }
  return [...bursts.values()];
}

/** The bursts from a place on that are great enough to tell of delays. */
function looksSince(events: readonly ProbeEvent[], from: number): Burst[] {
  return burstsIn(events).filter(
    ({ count, endsBefore }) => endsBefore > from && count >= SHAPING_BURST,
  );
}

/** What was made of the first events of a transcript, by the last one of them. */
const FITTED = new WeakMap<ProbeEvent, { readonly count: number; readonly fit: Shaping | null }>();

/** The fit of the first events, worked out once for each transcript. */
function fitUpTo(events: readonly ProbeEvent[], count: number): Shaping | null {
  const last = events[count - 1];
  const known = last === undefined ? undefined : FITTED.get(last);
  if (known?.count === count) return known.fit;
  const fit = fitOf(events.slice(0, count));
  if (last !== undefined) FITTED.set(last, { count, fit });
  return fit;
}

/** The place of the first answer after which delays are to be looked into; -1 where there is none. */
function firstSuspicion(slow: readonly boolean[], start = 0): number {
  let row = 0;
  let among = 0;
  for (let at = start; at < slow.length; at += 1) {
    const isSlow = slow[at] === true;
    row = isSlow ? row + 1 : 0;
    among += isSlow ? 1 : 0;
    if (at - LAST_ONES >= start && slow[at - LAST_ONES] === true) among -= 1;
    // The very first may be slow for what went before it.
    const most = slow[0] === true && at < LAST_ONES ? SLOW_AMONG + 1 : SLOW_AMONG;
    if (isSlow && at >= SLOW_IN_A_ROW && (row >= SLOW_IN_A_ROW || among >= most)) return at;
  }
  return -1;
}

function isSuspicious(slow: readonly boolean[]): boolean {
  return firstSuspicion(slow.slice(-LAST_ONES)) >= 0;
}
