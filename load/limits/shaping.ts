import type { ProbeEvent } from './transcript.ts';

/** Answers that must be slow, one after another, before they count as delayed. */
const SLOW_IN_A_ROW = 6;
/** How many times the usual round trip a delayed one takes. */
const SLOW_FACTOR = 4;

/**
 * The rate of a service that delays instead of rejecting: from some request on, each answer takes the
 * time in which the next one is due. Null where answers come as fast as ever.
 */
export function shapeOf(
  events: readonly ProbeEvent[],
): { readonly refillPerSecond: number } | null {
  const trips = events.map((event) => event.receivedMs - event.sentMs);
  const usual = median(trips.slice(0, 4));
  const late = events.slice(-SLOW_IN_A_ROW);
  const slow = late.every(
    (event) => event.receivedMs - event.sentMs > Math.max(SLOW_FACTOR * usual, usual + 20),
  );
  if (late.length < SLOW_IN_A_ROW || !slow) return null;
  const [first, last] = [late[0], late.at(-1)];
  if (first === undefined || last === undefined) return null;
  const spanMs = last.receivedMs - first.receivedMs;
  return spanMs > 0 ? { refillPerSecond: (1000 * (late.length - 1)) / spanMs } : null;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
