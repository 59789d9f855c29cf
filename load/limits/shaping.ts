/** Whether a service delays requests instead of rejecting them, and how many pass in a second. */

import type { ProbeEvent } from './transcript.ts';

/** Requests that are sent at once to see whether their answers come one by one. */
export const SHAPING_BURST = 3;
/** Such bursts, one right after the other; fewer tell of a pace that is slow beside a round trip. */
const BURSTS = 4;
const FEW_BURSTS = 2;
const SLOW_PACE_MS = 100;
/** Answers in a row that must be slow before that is looked into. */
const SLOW_IN_A_ROW = 2;
/** A delayed answer takes so many times the fastest one, and so many ms more. */
const SLOW_FACTOR = 4;
const SLOW_MS = 20;
/** The pace of the first half and of the second differ by no more where it is steady. */
const STEADY = 1.2;
/** Answers in a burst are this part of the pace apart where each waits for its turn. */
const APART = 0.5;

/**
 * `none`: nothing is delayed, or all of a burst alike · `suspected`: another burst of `SHAPING_BURST`
 * tells · `steady`: requests pass at a rate that lasts.
 */
export type Shape =
  | { readonly kind: 'none' | 'suspected' }
  | { readonly kind: 'steady'; readonly refillPerSecond: number };

/** How the answers so far are delayed; rejections are not looked at. */
export function shapeOf(events: readonly ProbeEvent[]): Shape {
  const trips = events.map((event) => event.receivedMs - event.sentMs);
  const fastest = Math.min(...trips);
  const isSlow = (trip: number): boolean =>
    trip > Math.max(SLOW_FACTOR * fastest, fastest + SLOW_MS);
  const slow = trips.map(isSlow);
  // The very first may be slow for what went before it.
  const from = slow.findIndex(
    (_, at) => at >= SLOW_IN_A_ROW && slow.slice(at + 1 - SLOW_IN_A_ROW, at + 1).every(Boolean),
  );
  if (from < 0) return { kind: 'none' };
  const tried = burstsFrom(events, from + 1);
  const few = tried.slice(0, FEW_BURSTS);
  const isSlowPace = few.length === FEW_BURSTS && mean(gapsOf(few.flat())) > SLOW_PACE_MS;
  if (tried.length >= BURSTS || isSlowPace)
    return paceOf(isSlowPace ? few : tried.slice(0, BURSTS));
  return slow.slice(-SLOW_IN_A_ROW).every(Boolean) ? { kind: 'suspected' } : { kind: 'none' };
}

/** The times of receipt of the bursts that look into it, in their order. */
function burstsFrom(events: readonly ProbeEvent[], from: number): number[][] {
  const bursts = new Map<number, number[]>();
  for (const { burst, receivedMs } of events.slice(from)) {
    if (burst !== undefined) bursts.set(burst, [...(bursts.get(burst) ?? []), receivedMs]);
  }
  const whole = [...bursts.values()].filter(({ length }) => length === SHAPING_BURST);
  return whole.map((times) => times.sort((a, b) => a - b));
}

function paceOf(bursts: readonly (readonly number[])[]): Shape {
  const gaps = gapsOf(bursts.flat());
  const within = bursts.flatMap(gapsOf);
  const gapMs = mean(gaps);
  if (!(gapMs > 0) || mean(within) < APART * gapMs) return { kind: 'none' };
  const half = Math.floor(gaps.length / 2);
  const [early, late] = [mean(gaps.slice(0, half)), mean(gaps.slice(-half))];
  const isSteady = Math.max(early, late) <= STEADY * Math.min(early, late);
  return isSteady ? { kind: 'steady', refillPerSecond: 1000 / gapMs } : { kind: 'none' };
}

function gapsOf(times: readonly number[]): number[] {
  return times.slice(1).map((ms, index) => ms - (times[index] ?? ms));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
